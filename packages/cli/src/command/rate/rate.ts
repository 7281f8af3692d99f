/** `equitopo rate`: the exact consensus rate of one topology, or of your own graph. */

import type { Command } from "commander";
import { InputError, type Rate, type Topology } from "equitopo";
import { staticWork } from "equitopo/topology";
import { describe } from "../../certificate/description.ts";
import { lookFlags } from "../../figure/files.ts";
import { type FormatOptions, formatFlag, type Part, printAnswer } from "../../terminal/answer.ts";
import { sayCost, workMeter } from "../../terminal/cost.ts";
import { type CommonOptions, type Given, on, parsed, seedsFlag, whole, word } from "../../terminal/flags.ts";
import { wrapped } from "../../terminal/lines.ts";
import { showCount, showRate, showRateOf } from "../../terminal/numbers.ts";
import { jsonText, note, writeAtomically } from "../../terminal/output.ts";
import { type Cell, numberCell, valueTable } from "../../terminal/table.ts";
import { noteJson, partsJson } from "../../topology/notes.ts";
import { addTopologyOptions, askedTopology, fileFlag, type TopologyValues } from "../../topology/options.ts";
import { type Mixing, mixingJson, mixingLines, mixingOf } from "./mixing.ts";
import { outerFlags, rateOuter, requireRule } from "./outer.ts";
import { ratesOverSeeds } from "./over-seeds.ts";

/** Basis indices shown to a person. */
const SHOWN = 20;

export const flags = {
  ...fileFlag,
  certificate: word("<FILE>", "also write a certificate that `equitopo verify` re-derives"),
  seeds: seedsFlag("of topologies that are drawn: the rate with each of these seeds, mean and deviations"),
  rounds: whole("<M>", "also the exact norm over M rounds; with --outer, rounds in an outer step", 1, 10),
  ...outerFlags,
  plot: parsed<string | true>(
    "[FILE]",
    "also draw the eigenvalues on the complex plane: FILE.svg, .png or .pdf, or a folder with data and spec",
  ),
  ...lookFlags,
  gains: on("gains and the asymptotic rate whatever they take (by default up to n = 64, or in closed form)"),
  ...formatFlag,
};

interface Options extends CommonOptions, FormatOptions, Given<typeof flags> {}

export const words = { "[topology]": "a name of `equitopo list`" };

export const define = (command: Command) => addTopologyOptions(command);

export const help = `
The rate is the smallest beta with E ||Pi W x||^2 <= beta^2 ||Pi x||^2: the factor by which disagreement shrinks in a
round, at worst. It is exact; the paper's bound on the same beta is given beside it. Where single rounds say little (graphs
that are exact after a few, or not symmetric), look at --rounds: the norm of their product, which the predicted rounds
come from. The gains are what DSGD feels: a step g leaves a disagreement of g times the gain. --plot draws the eigenvalues
of W; of the product of a period; of E W where rounds are drawn: the caption says which.

--outer judges a rule of local steps in place of the rate: what an outer step leaves of disagreement in the long run, where it
settles per unit of the local steps' drift, and the largest stable values of the rule's options.

Files: csv with the header from,to,weight (self weights as from = to) or from,to (undirected, Metropolis weights), or
source,target in their place, or a plain matrix; npy with the dense matrix; json as \`equitopo graph\` writes it; GraphML as
that, networkx, igraph and Gephi write it. Labels count from 0. An adjacency matrix (0 and 1) gets Metropolis weights; beside
a file, --weights metropolis or best-constant takes its edges only.

Examples:
  equitopo rate d-equistatic --n 300 --m 9                  nine basis indices, drawn with seed 0
  equitopo rate u-equistatic --n 17 --basis 1,2,4,8         the Paley graph
  equitopo rate u-equistatic --n 60 --m 3 --seeds 1..8      eight draws: the mean, its standard error, and each
  equitopo rate d-equistatic --n 300 --rho 0.5 --p 0.1      the paper's Algorithm 3
  equitopo rate ou-equidyn --n 300 --construction euclid    undirected, one peer per round
  equitopo rate od-equidyn --n 300 --eta 0.5 --json         for programs
  equitopo rate de-bruijn --n 300 --p 9 --rounds 4 --gains  four rounds, and what learning feels
  equitopo rate d-equistatic --n 300 --plot spectrum.svg    all eigenvalues, and the circle that none leaves
  equitopo rate od-equidyn --n 64 --outer gossip-diloco     local steps: stable, and how far apart nodes stay
  equitopo rate ring --n 64 --outer noloco --outer-momentum 0.9 --pull 0.7
  equitopo rate --file mine.csv                             your own weights
  equitopo rate d-equistatic --n 17 --basis 1,4 --certificate c.json && equitopo verify c.json
`;

export async function act(name: string | undefined, options: Options & TopologyValues): Promise<void> {
  requireRule(options);
  if (options.certificate !== undefined && options.file !== undefined) {
    const { file } = options;
    throw new InputError("a certificate must name a topology", `--file ${file}`, "leave out --certificate");
  }
  if (options.seeds !== undefined) {
    if (name === undefined) throw new InputError("--seeds is for topologies that are drawn", options.file, "name one");
    const { seeds, ...single } = options;
    await ratesOverSeeds(name, seeds, single);
    return;
  }
  const asked = askedTopology(name, options);
  if (asked.work !== undefined) sayCost(asked.work, options);
  const label = `rate of ${asked.name}`;
  let meter = workMeter(label, asked.work?.operations, options);
  const topology = await asked.make(meter);
  if (options.file !== undefined) {
    // Of a graph of somebody's own nothing is known before it is there.
    meter.end();
    meter = workMeter(label, staticWork(topology)?.operations, options);
  }
  if (options.outer !== undefined) {
    meter.run(() => topology.rate());
    meter.end();
    await rateOuter(topology, options);
    return;
  }
  const parts = partsJson(topology, options);
  const plot =
    options.plot === undefined
      ? undefined
      : (await import("./spectrum-file.ts")).plotter(topology, options.plot, options);
  const rate = meter.run(() => topology.rate());
  const mixing = meter.run(() => mixingOf(topology, rate, options));
  if (options.certificate !== undefined) {
    const { certify } = await import("../../certificate/certificate.ts");
    await writeAtomically(options.certificate, [jsonText(certify(topology))]);
  }
  const answer = { ...describe(topology, rate), ...parts, ...noteJson(topology), ...mixingJson(mixing) };
  const drawn = await plot?.(rate, answer);
  meter.end();
  await printAnswer({ ...answer, plot: drawn }, () => inWords(topology, rate, mixing), options);
  if (drawn !== undefined) note(`spectrum drawn to ${drawn}`, options);
  if (options.certificate !== undefined) note(`certificate written to ${options.certificate}`, options);
}

/** What it means that only these sums of W are 1. */
const sums = {
  rows: "columns do not sum to 1: nodes agree on a mean that drifts",
  columns: "rows do not sum to 1: the mean is kept, push-sum divides the rest out",
} as const;

/** A short block to read. */
function inWords(topology: Topology, exact: Rate, mixing: Mixing): Part[] {
  const { bound, method, error, eigenvalues, periodNorm, periodRate } = exact;
  const { name, n, ...options } = topology.spec;
  const meaning = {
    static: "norm of Pi W: the most a round leaves of any disagreement",
    periodic: "norm of Pi W(t) in the worst round",
    random: "root of the exact mean-square factor of one random round",
  }[topology.kind];
  const exactly = `${method}${error === undefined ? "" : `, error below ${error < 1e-15 ? "1e-15" : error.toExponential(1)}`}`;
  const lines: [string, Cell, string][] = [
    ["rate", { text: showRateOf(exact), value: exact.rate }, `${meaning}; ${exactly}`],
  ];
  if (periodRate !== undefined && periodNorm !== undefined) {
    const { period, block } = topology;
    const span = period === undefined ? "block" : "period";
    const mean = periodNorm === 0 ? `the mean is exact after one ${span}` : `geometric mean per round over one ${span}`;
    const norm = period === undefined ? "root of the exact mean-square factor" : "norm";
    lines.push(["periodRate", numberCell(periodRate, showRate), mean]);
    lines.push(["periodNorm", numberCell(periodNorm, showRate), `${norm} of one ${span} of ${period ?? block} rounds`]);
  }
  if (topology.stochastic !== undefined) lines.push(["stochastic", topology.stochastic, sums[topology.stochastic]]);
  if (topology.pair !== undefined) lines.push(["vectors", "2", "a node mixes two vectors; the rate is x's from z = x"]);
  if (bound !== null) lines.push(["bound", numberCell(bound, showRate), "the paper's bound on this rate"]);
  if (eigenvalues !== undefined) {
    const { largest, smallest } = eigenvalues;
    const shown = largest === exact.rate ? showRateOf(exact) : showRate(largest);
    const smaller = `the largest beside 1; the smallest is ${showRate(smallest)}`;
    lines.push(["eigenvalues", { text: shown, value: largest }, smaller]);
  }
  const degree = "the most peers that a node receives from in a round";
  lines.push(["degree", numberCell(topology.maxDegree, showCount), degree]);
  lines.push(...mixingLines(mixing));
  const given = Object.entries(options).map(
    ([key, value]) => `  ${key.padEnd(14)}${wrapped(showOption(value), " ".repeat(16))}\n`,
  );
  const title = `${name}, n = ${showCount(n)}`;
  return [`${title}\n`, valueTable(lines, title), ...given];
}

function showOption(value: unknown): string {
  if (typeof value === "object" && !Array.isArray(value)) return JSON.stringify(value);
  if (!Array.isArray(value)) return String(value);
  const first = value.slice(0, SHOWN).join(", ");
  return value.length > SHOWN ? `${first}, ... (${showCount(value.length)} in all; --json has them)` : first;
}
