/**
 * Figures "The D-EquiStatic topology can achieve network-size independent consensus rate" (section 6) and "The EquiTopo
 * graphs can achieve network-size independent consensus rates" (Appendix D.1): gossip on all four EquiTopo graphs,
 * n = 1000 ... 10,000, M = ceil(5 ln n) (ceil(2 ln n) for U-EquiStatic), eta = 1/2, three repeats.
 */

import { bandOf, type Check, listed, mean, type Panel, type Scale } from "equitopo/internal/outcome";
import { readable } from "equitopo/internal/picture";
import { factorPerRound, logExponent, promised } from "./curves.ts";
import { consensusPanel, exactness, gossipUnits } from "./exactness.ts";
import type { Study } from "./study.ts";
import { resultOf } from "./unit.ts";

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

const unitsOf = ({ name, size, dynamic }: (typeof graphs)[number], n: number) => {
  const m = Math.ceil(size * Math.log(n));
  const spec = (seed: number) => ({ name, n, m, seed, ...(dynamic ? { eta: 0.5 } : {}) });
  return gossipUnits(`${name} n=${n}`, REPEATS, ROUNDS, spec, true);
};

/** Proved for each n: the exact rate of a static graph, the theorem's bound on the mean square of a random one. */
const THEORY = "at most";
const sizeLabel = (n: number) => `n = ${readable(n)}`;

export const consensusSizeIndependence: Study = {
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
    const all = sizes(scale);
    const shown = all.map((n) => readable(n));
    // There is a line of theory for each n if they are few, otherwise for the smallest and the largest.
    const bounded = all.length > 3 ? [all[0], all[all.length - 1]] : all;
    for (const graph of graphs) {
      const groups = all.map((n) => unitsOf(graph, n).map((unit) => resultOf(results, unit)));
      const curves = groups.map((runs) => runs.map(({ errors }) => errors));
      const factors = curves.map((errors) => errors.map((curve) => factorPerRound(curve)));
      const bands = curves.map((errors, k) => bandOf(sizeLabel(all[k]), errors));
      const lines = bounded.map((n) => {
        const runs = groups[all.indexOf(n)];
        const starts = runs.map(({ errors: [start] }) => start);
        const promises = runs.map((run) => (graph.dynamic ? run.bound! : run.rate));
        return { ...promised(`${THEORY}, ${sizeLabel(n)}`, starts, promises, ROUNDS), of: sizeLabel(n) };
      });
      panels.push(consensusPanel(graph.title, [...bands, ...lines]));
      rows.push(...all.map((n, k) => [graph.title, n, unitsOf(graph, n)[0].topology["m"] as number, mean(factors[k])]));
      const measured = factors.map((found) => found.map((factor) => 1 - factor));
      const exact = groups.map((runs) => runs.map((run) => 1 - run.rate));
      checks.push(
        growthCheck(`${graph.title}: 1 − factor per round, measured`, all, measured),
        growthCheck(`${graph.title}: 1 − β, exact`, all, exact),
        ...exactness(graph.title, groups, graph.dynamic),
      );
    }
    return {
      figures: [
        {
          name: "consensus-size-independence",
          title: "Network-size independent consensus",
          caption:
            `Mean over ${REPEATS} repeats, band from the lowest to the highest, at n = ${listed(shown, all.length)}. ` +
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

/** The range of the measured factors of each graph over all n. */
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
  const sizesOf = n.flatMap((size, k) => gaps[k].map(() => size));
  const { exponent, error } = logExponent(sizesOf, gaps.flat());
  return {
    name: `${name}, does not fall with n`,
    expected: "as 1/(ln n)^e with e below 1/2, and below 1 by two standard errors (a constant has 0, 1/ln n has 1)",
    measured: `e = ${exponent.toFixed(3)} ± ${error.toFixed(3)}`,
    pass: exponent < 0.5 && exponent + 2 * error < 1,
  };
}
