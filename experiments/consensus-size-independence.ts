/**
 * Figures "The D-EquiStatic topology can achieve network-size independent consensus rate" (section 6) and "The EquiTopo
 * graphs can achieve network-size independent consensus rates" (Appendix D.1): gossip on all four EquiTopo graphs,
 * n = 1000 ... 10,000, M = ceil(5 ln n) (ceil(2 ln n) for U-EquiStatic), eta = 1/2, three repeats.
 */

import { readable } from "equitopo/picture";
import { bandOf, errorCurves, factorPerRound, logExponent, mean, promised } from "./curves.ts";
import { exactness } from "./exactness.ts";
import type { Check, Experiment, Panel, Scale } from "./experiment.ts";
import { listed } from "./findings.ts";
import type { GossipResult, GossipUnit } from "./unit.ts";

const graphs = [
  { name: "d-equistatic", title: "D-EquiStatic", size: 5, dynamic: false },
  { name: "u-equistatic", title: "U-EquiStatic", size: 2, dynamic: false },
  { name: "od-equidyn", title: "OD-EquiDyn", size: 5, dynamic: true },
  { name: "ou-equidyn", title: "OU-EquiDyn", size: 5, dynamic: true },
] as const;

const ROUNDS = 60;
const REPEATS = 3;

const sizes = (scale: Scale): number[] =>
  scale === "quick" ? [1000, 3000, 10_000] : Array.from({ length: 10 }, (_, k) => 1000 * (k + 1));

function unitsOf(graph: (typeof graphs)[number], n: number): GossipUnit[] {
  return Array.from({ length: REPEATS }, (_, seed) => ({
    kind: "gossip",
    key: `${graph.name} n=${n} repeat=${seed}`,
    topology: {
      name: graph.name,
      n,
      m: Math.ceil(graph.size * Math.log(n)),
      seed,
      ...(graph.dynamic ? { eta: 0.5 } : {}),
    },
    rounds: ROUNDS,
    seed,
    printed: true,
  }));
}

/** What is proved of each n: the exact rate of a graph that stays, the theorem's bound on the mean square of a random one. */
const THEORY = "at most";
const sizeLabel = (n: number) => `n = ${readable(n)}`;
const starts = (runs: readonly GossipResult[]) => runs.map((run) => run.errors[0]);

export const consensusSizeIndependence: Experiment = {
  name: "consensus-size-independence",
  title: "The consensus rate does not depend on the size of the network",
  paper: "Section 6, first experiment; Appendix D.1",
  shows: "The curves of all n fall together: one more round shrinks the disagreement by the same factor at every n.",
  parameters: (scale) => ({
    n: sizes(scale)
      .map((n) => readable(n))
      .join("; "),
    M: "ceil(5 ln n); ceil(2 ln n) for U-EquiStatic",
    eta: "1/2",
    repeats: `${REPEATS}, basis and start redrawn`,
    start: "standard normal, one number per node",
  }),
  units: (scale) => graphs.flatMap((graph) => sizes(scale).flatMap((n) => unitsOf(graph, n))),
  outcome(results, scale) {
    const panels: Panel[] = [];
    const checks: Check[] = [];
    const rows: (string | number)[][] = [];
    for (const graph of graphs) {
      const factors = sizes(scale).map((n) =>
        mean(errorCurves(results, unitsOf(graph, n)).map((c) => factorPerRound(c))),
      );
      const series = sizes(scale).map((n) => bandOf(sizeLabel(n), errorCurves(results, unitsOf(graph, n))));
      // A line of theory belongs to one n: to all where they are few, else to the smallest and the largest.
      const bounded = sizes(scale).length > 3 ? [sizes(scale)[0], sizes(scale)[sizes(scale).length - 1]] : sizes(scale);
      for (const n of bounded) {
        const runs = unitsOf(graph, n).map((unit) => results.get(unit.key) as GossipResult);
        const promises = runs.map((run) => (graph.dynamic ? run.bound! : run.rate));
        const line = promised(`${THEORY}, ${sizeLabel(n)}`, starts(runs), promises, ROUNDS);
        series.push({ ...line, of: sizeLabel(n) });
      }
      panels.push({
        title: graph.title,
        xLabel: "round t",
        yLabel: "‖x(t) − J x(0)‖",
        yLog: true,
        series,
      });
      sizes(scale).forEach((n, k) => {
        rows.push([graph.title, n, unitsOf(graph, n)[0].topology["m"] as number, factors[k]]);
      });
      const groups = sizes(scale).map((n) => unitsOf(graph, n).map((unit) => results.get(unit.key) as GossipResult));
      const measured = groups.map((runs) => runs.map((run) => 1 - factorPerRound(run.errors)));
      const exact = groups.map((runs) => runs.map((run) => 1 - run.rate));
      checks.push(
        growthCheck(`${graph.title}: 1 − factor per round, measured`, sizes(scale), measured),
        growthCheck(`${graph.title}: 1 − β, exact`, sizes(scale), exact),
        ...exactness(graph.title, groups, graph.dynamic),
      );
    }
    return {
      figures: [
        {
          name: "consensus-size-independence",
          title: "Network-size independent consensus",
          caption:
            `Mean over ${REPEATS} repeats, band from the lowest to the highest, at n = ${listed(
              sizes(scale).map((n) => readable(n)),
              sizes(scale).length,
            )}. ` +
            "Dashed, in the colour of its n: what is proved of that n, by the exact rate (D- and U-EquiStatic) or by the " +
            "theorem's bound on the mean square (OD- and OU-EquiDyn).",
          panels,
        },
      ],
      tables: [
        {
          name: "factors",
          title: "Measured factor per round, between 1e-2 and 1e-10 of the first error",
          columns: ["topology", "n", "M", "factor per round"],
          rows,
        },
      ],
      checks,
      findings: [steadiness(rows)],
      notes: [
        "The paper's own curves are larger by a factor sqrt(n), a slip in their code; shown here is the norm itself.",
      ],
    };
  },
};

/** How far the measured factors of each graph lie apart over all n. */
function steadiness(rows: readonly (readonly (string | number)[])[]): string {
  const each = graphs.map(({ title }) => {
    const factors = rows.filter(([name]) => name === title).map((row) => row[3] as number);
    return `${title} ${Math.min(...factors).toFixed(3)} to ${Math.max(...factors).toFixed(3)}`;
  });
  const n = [...new Set(rows.map((row) => row[1] as number))];
  return `From n = ${readable(Math.min(...n))} to ${readable(Math.max(...n))} (${n.length} sizes) the measured factor per round is ${listed(each)}.`;
}

/**
 * The exponent e of 1/(ln n)^e that the gaps follow, over all repeats, with its standard error: 0 says that they do not
 * depend on n, 1 that they are the static exponential graph's.
 */
function growthCheck(name: string, n: readonly number[], gaps: readonly (readonly number[])[]): Check {
  const { exponent, error } = logExponent(
    n.flatMap((size, k) => gaps[k].map(() => size)),
    gaps.flat(),
  );
  return {
    name: `${name}, does not fall with n`,
    expected: "as 1/(ln n)^e with e below 1/2, and below 1 by two standard errors (a constant has 0, 1/ln n has 1)",
    measured: `e = ${exponent.toFixed(3)} ± ${error.toFixed(3)}`,
    pass: exponent < 0.5 && exponent + 2 * error < 1,
  };
}
