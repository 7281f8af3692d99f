/**
 * The two comparisons of Appendix D.2: gossip on several graphs at n = 300 (10 repeats) and n = 4900 (3 repeats), with a
 * panel for each n, and the rounds that each graph needs to 1e-6.
 */

import { bandOf, type Check, listed, mean, type Panel, type Results, type Scale } from "equitopo/internal/outcome";
import { readable } from "equitopo/internal/picture";
import { promised, roundsTo } from "./curves.ts";
import { consensusPanel, exactness, gossipUnits, meetings } from "./exactness.ts";
import { drawn, fixed, type Graph } from "./graphs.ts";
import type { Study } from "./study.ts";
import { type MeetingsUnit, resultOf } from "./unit.ts";

interface Contender extends Graph {
  /** One of the paper's, which is compared with its formulas: with one W, or drawn in every round. */
  readonly equi?: "static" | "dynamic";
}

interface Comparison extends Pick<Study, "name" | "title" | "paper" | "shows"> {
  readonly parameters: Readonly<Record<string, string>>;
  readonly rounds: number;
  readonly contenders: readonly Contender[];
  /** Which graph must need fewer rounds than which, and by which factor at least. */
  readonly faster: readonly (readonly [fast: string, slow: string, factor?: number])[];
  readonly caption: string;
  readonly meetings?: MeetingsUnit;
}

const TOLERANCE = 1e-6;
const cases = (scale: Scale) => [
  { n: 300, repeats: scale === "quick" ? 3 : 10 },
  { n: 4900, repeats: scale === "quick" ? 1 : 3 },
];

function consensusComparison(comparison: Comparison): Study {
  const { name, title, paper, shows, contenders, meetings: met, rounds: run } = comparison;
  const unitsOf = ({ title: graph, spec, equi }: Contender, n: number, repeats: number) =>
    gossipUnits(`${graph} n=${n}`, repeats, run, (seed) => spec(n, seed), equi !== undefined);
  const sizes = (scale: Scale) => cases(scale).map(({ n, repeats }) => `${n} (${repeats} repeats)`);
  return {
    ...{ name, title, paper, shows },
    parameters: (scale) => ({ n: sizes(scale).join(", "), ...comparison.parameters }),
    units: (scale) => [
      ...cases(scale).flatMap(({ n, repeats }) => contenders.flatMap((c) => unitsOf(c, n, repeats))),
      ...(met === undefined ? [] : [met]),
    ],
    outcome(results: Results, scale) {
      const panels: Panel[] = [];
      const checks: Check[] = [];
      const findings: string[] = [];
      const rows: (string | number | null)[][] = [];
      for (const { n, repeats } of cases(scale)) {
        const reached = new Map<string, number>();
        const series = contenders.flatMap((contender) => {
          const units = unitsOf(contender, n, repeats);
          const runs = units.map((unit) => resultOf(results, unit));
          const curves = runs.map(({ errors }) => errors);
          const rounds = mean(curves.map((curve) => roundsTo(curve, TOLERANCE)));
          reached.set(contender.title, rounds);
          const exact = mean(runs.map(({ rate }) => rate));
          rows.push([contender.title, n, exact, Number.isFinite(rounds) ? rounds : `over ${run}`]);
          const band = { ...bandOf(contender.title, curves), topology: contender.spec(n, 0).name };
          if (runs.some(({ bound }) => bound === null)) return [band];
          const starts = curves.map(([start]) => start);
          const bounds = runs.map(({ bound }) => bound!);
          return [band, { ...promised(`${contender.title}, bound`, starts, bounds, run), of: contender.title }];
        });
        panels.push(consensusPanel(`n = ${readable(n)}`, series));
        checks.push(...comparison.faster.map((order) => faster(n, reached, run, order)));
        findings.push(quickest(n, reached, run));
      }
      for (const contender of contenders) {
        if (contender.equi === undefined) continue;
        const units = cases(scale).map(({ n, repeats }) => unitsOf(contender, n, repeats));
        const groups = units.map((all) => all.map((unit) => resultOf(results, unit)));
        checks.push(...exactness(contender.title, groups, contender.equi === "dynamic"));
      }
      if (met !== undefined) checks.push(meetings(OU, met.topology.n, met.rounds, resultOf(results, met)));
      const repeats = listed(cases(scale).map((one) => `${one.repeats} at n = ${readable(one.n)}`));
      const caption = `Mean over repeats (${repeats}), band from the lowest to the highest. ${comparison.caption}`;
      return {
        figures: [{ name, title, caption, panels }],
        tables: [
          {
            name: "rounds",
            title: "Exact rate, and rounds until the error is 1e-6 of the first (mean over repeats)",
            columns: ["topology", "n", "exact rate", "rounds to 1e-6"],
            rows,
          },
        ],
        checks,
        findings,
      };
    },
  };
}

/** Which graph needs the fewest rounds, and how many times as many the next one needs. */
function quickest(n: number, reached: ReadonlyMap<string, number>, run: number): string {
  const [[first, rounds], [second, next]] = [...reached].sort(([, a], [, b]) => a - b);
  if (!Number.isFinite(rounds)) return `At n = ${readable(n)} no graph reached 1e-6 within ${run} rounds.`;
  const behind = Number.isFinite(next)
    ? `needs ${(next / rounds).toFixed(2)} times as many`
    : `was not there within the ${run} rounds run`;
  return `At n = ${readable(n)} ${first} is first at 1e-6, after ${Number(rounds.toFixed(1))} rounds; the next, ${second}, ${behind}.`;
}

/** a needs fewer rounds than b, by at least `factor`; if b does not arrive, the rounds that were run count. */
function faster(
  n: number,
  rounds: ReadonlyMap<string, number>,
  run: number,
  order: Comparison["faster"][number],
): Check {
  const [a, b, factor = 1] = order;
  const [ra, all] = [rounds.get(a)!, rounds.get(b)!];
  const rb = Math.min(run, all);
  const show = (needed: number) => (Number.isFinite(needed) ? needed.toFixed(1) : `not within ${run}`);
  return {
    name: `n = ${n}: ${a} before ${b}`,
    expected: factor === 1 ? "fewer rounds to 1e-6" : `${b} needs at least ${factor} times the rounds`,
    measured: `${show(ra)} against ${show(all)}`,
    pass: Number.isFinite(ra) && rb >= factor * ra && rb > ra,
  };
}

const [RING, GRID, ONE_PEER, OD, OU] = ["Ring", "Grid", "O.-P. Exp.", "OD-EquiDyn", "OU-EquiDyn"];

/**
 * Figure "OD/OU-EquiDyn is faster than other topologies with Theta(1) degree" (section 6; Appendix D.2, right plots):
 * ring, grid, one-peer exponential, OD- and OU-EquiDyn (full basis, eta = 1/2).
 */
export const consensusOnePeer = consensusComparison({
  name: "consensus-one-peer",
  title: "Consensus with one peer per round (and the sparse classics)",
  paper: "Section 6, second experiment; Appendix D.2, right plots",
  shows: "OD- and OU-EquiDyn are much faster than ring, grid and the one-peer exponential graph.",
  parameters: { basis: "full, M = n - 1", eta: "1/2", grid: "15 x 20 and 70 x 70", start: "standard normal" },
  rounds: 150,
  contenders: [
    fixed(RING, "ring"),
    fixed(GRID, "grid", (n) => (n === 300 ? { rows: 15, cols: 20 } : { rows: 70, cols: 70 })),
    fixed(ONE_PEER, "one-peer-exp"),
    { ...drawn(OD, "od-equidyn", () => ({ eta: 0.5 })), equi: "dynamic" },
    { ...drawn(OU, "ou-equidyn", () => ({ eta: 0.5 })), equi: "dynamic" },
  ],
  faster: [
    [OD, ONE_PEER],
    [OU, ONE_PEER],
    [ONE_PEER, GRID],
    [OD, GRID, 3],
    [OD, RING, 3],
  ],
  meetings: {
    kind: "meetings",
    key: "OU-EquiDyn n=17 meetings",
    topology: { name: "ou-equidyn", n: 17, eta: 0.5, seed: 0 },
    rounds: 4000,
  },
  caption:
    "Dashed, in the colour of its graph: the theorem's bound on the mean square, at that n; a single run may lie above it for a while.",
});

const [STATIC, D, U] = ["Static Exp.", "D-EquiStatic", "U-EquiStatic"];
const size = (n: number) => ({ m: n === 300 ? 9 : 13 });

/**
 * Appendix D.2, left plots: graphs of degree Theta(ln n): static exponential, D- and U-EquiStatic with M = 9 at n = 300
 * and M = 13 at n = 4900, as many as the static exponential graph has.
 */
export const consensusLogDegree = consensusComparison({
  name: "consensus-log-degree",
  title: "Consensus with Θ(ln n) peers",
  paper: "Appendix D.2, left plots",
  shows: "D- and U-EquiStatic are faster than the static exponential graph with the same number of basis graphs.",
  parameters: { M: "9 and 13, redrawn in every repeat", degree: "9 and 13; up to twice that for U-EquiStatic" },
  rounds: 100,
  contenders: [
    fixed(STATIC, "static-exp"),
    { ...drawn(D, "d-equistatic", size), equi: "static" },
    { ...drawn(U, "u-equistatic", size), equi: "static" },
  ],
  faster: [
    [D, STATIC],
    [U, STATIC],
    [U, D],
  ],
  caption: "Dashed, the bound of U-EquiStatic at that n. U-EquiStatic sends to up to 2M peers.",
});
