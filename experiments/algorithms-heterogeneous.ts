/**
 * Our own study, not in the paper: which algorithms overcome the bias of DSGD. Deterministic least squares (no gradient
 * noise) whose nodes have different solutions, over U-EquiStatic and the ring: the exact algorithms reach 1e-8, DSGD stalls.
 */

import { expandSpec } from "equitopo";
import { type ByLabel, type Check, specExperiment } from "equitopo/outcome";

const n = 32;
const basis = [1, 6, 11];
const learningRate = 0.001;
const methods = [
  { label: "DSGD", name: "dsgd", learningRate, exact: false },
  { label: "DSGT", name: "dsgt", learningRate, exact: true },
  { label: "Exact diffusion", name: "exact-diffusion", learningRate, exact: true },
  { label: "NIDS", name: "nids", learningRate, exact: true },
  { label: "D²", name: "d2", learningRate, exact: true },
  { label: "EXTRA", name: "extra", learningRate, exact: true },
] as const;
const graphs = [
  { label: "U-EquiStatic", spec: { name: "u-equistatic", n, basis }, rounds: 800 },
  { label: "Ring", spec: { name: "ring", n }, rounds: 10_000 },
] as const;

const labelOf = (graph: string, method: string) => `${method}, ${graph}`;

export const algorithmsHeterogeneous = specExperiment({
  name: "algorithms-heterogeneous",
  title: "Bias on heterogeneous data",
  paper: "Not in the paper",
  shows:
    "The paper names the methods that need symmetric weights (EXTRA, exact diffusion, NIDS, D²) and why U-EquiStatic serves them.",
  runs: () =>
    expandSpec({
      runs: graphs.flatMap((graph) =>
        methods.map(({ label, exact: _, ...algorithm }) => ({
          label: labelOf(graph.label, label),
          topology: graph.spec,
          algorithm,
          rounds: graph.rounds,
        })),
      ),
      problem: { name: "least-squares", d: 10, K: 50, sigmaS: 0.1, sigmaN: 0, sigmaH: 1 },
      every: 20,
      seeds: [0],
    }),
  parameters: { basis: basis.join(", ") },
  metric: "relativeError",
  group: (label) => graphs.find((graph) => label.endsWith(graph.label))!.label,
  legend: (label) => label.split(", ")[0],
  checks: (byLabel) =>
    graphs.flatMap((graph) => methods.map(({ label, exact }) => limit(byLabel, labelOf(graph.label, label), exact))),
  caption: "No gradient noise, constant learning rate: what is left at the end is the method's bias.",
});

function limit(byLabel: ByLabel, label: string, exact: boolean): Check {
  const final = byLabel.get(label)![0].metrics["relativeError"].at(-1)!;
  return {
    name: label,
    expected: exact ? "exact: below 1e-8" : "stalls above 1e-4",
    measured: final.toExponential(2),
    pass: exact ? final < 1e-8 : final > 1e-4,
  };
}
