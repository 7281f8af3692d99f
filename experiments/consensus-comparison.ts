/**
 * What the two comparisons of Appendix D.2 share: gossip on several graphs at n = 300 (10 repeats) and n = 4900 (3
 * repeats), a panel for each n, and who needs how many rounds to 1e-6.
 */

import type { TopologySpec } from "equitopo";
import { readable } from "equitopo/picture";
import { bandOf, errorCurves, mean, promised, roundsTo } from "./curves.ts";
import { exactness } from "./exactness.ts";
import type { Check, Experiment, Panel, Results, Scale } from "./experiment.ts";
import { listed } from "./findings.ts";
import type { GossipResult, GossipUnit, Unit } from "./unit.ts";

export interface Contender {
  readonly title: string;
  /** One of the paper's, which is held against its formulas: one W, or drawn in every round. */
  readonly equi?: "static" | "dynamic";
  spec(n: number, seed: number): TopologySpec;
}

/** The mean rounds to 1e-6 by title, Infinity where they were not enough, out of the rounds that were run. */
export interface Reached {
  readonly n: number;
  readonly run: number;
  readonly rounds: ReadonlyMap<string, number>;
}

interface Comparison extends Pick<Experiment, "name" | "title" | "paper" | "shows"> {
  readonly parameters: Readonly<Record<string, string>>;
  readonly rounds: number;
  readonly contenders: readonly Contender[];
  checks(reached: Reached): readonly Check[];
  readonly caption: string;
  /** More units, and what must hold of them. */
  readonly more?: { readonly units: readonly Unit[]; checks(results: Results): readonly Check[] };
}

const TOLERANCE = 1e-6;
const cases = (scale: Scale) => [
  { n: 300, repeats: scale === "quick" ? 3 : 10 },
  { n: 4900, repeats: scale === "quick" ? 1 : 3 },
];

export function consensusComparison(comparison: Comparison): Experiment {
  const unitsOf = (contender: Contender, n: number, repeats: number): GossipUnit[] =>
    Array.from({ length: repeats }, (_, seed) => ({
      kind: "gossip",
      key: `${contender.title} n=${n} repeat=${seed}`,
      topology: contender.spec(n, seed),
      rounds: comparison.rounds,
      seed,
      ...(contender.equi === undefined ? {} : { printed: true as const }),
    }));
  return {
    name: comparison.name,
    title: comparison.title,
    paper: comparison.paper,
    shows: comparison.shows,
    parameters: (scale) => ({
      n: cases(scale)
        .map(({ n, repeats }) => `${n} (${repeats} repeats)`)
        .join(", "),
      ...comparison.parameters,
    }),
    units: (scale) => [
      ...cases(scale).flatMap(({ n, repeats }) => comparison.contenders.flatMap((c) => unitsOf(c, n, repeats))),
      ...(comparison.more?.units ?? []),
    ],
    outcome(results: Results, scale) {
      const panels: Panel[] = [];
      const checks: Check[] = [];
      const findings: string[] = [];
      const rows: (string | number | null)[][] = [];
      for (const { n, repeats } of cases(scale)) {
        const reached = new Map<string, number>();
        const series = comparison.contenders.flatMap((contender) => {
          const units = unitsOf(contender, n, repeats);
          const curves = errorCurves(results, units);
          const rounds = mean(curves.map((curve) => roundsTo(curve, TOLERANCE)));
          reached.set(contender.title, rounds);
          const runs = units.map((unit) => results.get(unit.key) as GossipResult);
          const rate = mean(runs.map((run) => run.rate));
          rows.push([contender.title, n, rate, Number.isFinite(rounds) ? rounds : `over ${comparison.rounds}`]);
          const topology = contender.spec(n, 0).name;
          const band = { ...bandOf(contender.title, curves), topology };
          if (runs.some((run) => run.bound === null)) return [band];
          const starts = runs.map((run) => run.errors[0]);
          const bounds = runs.map((run) => run.bound!);
          const line = promised(`${contender.title}, bound`, starts, bounds, comparison.rounds);
          return [band, { ...line, of: contender.title }];
        });
        panels.push({ title: `n = ${readable(n)}`, xLabel: "round t", yLabel: "‖x(t) − J x(0)‖", yLog: true, series });
        checks.push(...comparison.checks({ n, rounds: reached, run: comparison.rounds }));
        findings.push(quickest(n, reached, comparison.rounds));
      }
      for (const contender of comparison.contenders) {
        if (contender.equi === undefined) continue;
        const groups = cases(scale).map(({ n, repeats }) =>
          unitsOf(contender, n, repeats).map((unit) => results.get(unit.key) as GossipResult),
        );
        checks.push(...exactness(contender.title, groups, contender.equi === "dynamic"));
      }
      checks.push(...(comparison.more?.checks(results) ?? []));
      return {
        figures: [{ name: comparison.name, title: comparison.title, caption: captionOf(comparison, scale), panels }],
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

/** How many repeats a mean is over is what was run. */
function captionOf({ caption }: Comparison, scale: Scale): string {
  const repeats = cases(scale).map((one) => `${one.repeats} at n = ${readable(one.n)}`);
  return `Mean over repeats (${listed(repeats)}), band from the lowest to the highest. ${caption}`;
}

/** Who needs the fewest rounds, and how many times those the next needs. */
function quickest(n: number, reached: ReadonlyMap<string, number>, run: number): string {
  const [[first, rounds], [second, next]] = [...reached].sort(([, a], [, b]) => a - b);
  if (!Number.isFinite(rounds)) return `At n = ${readable(n)} no graph reached 1e-6 within ${run} rounds.`;
  const behind = Number.isFinite(next)
    ? `needs ${(next / rounds).toFixed(2)} times as many`
    : `was not there within the ${run} rounds run`;
  return `At n = ${readable(n)} ${first} is first at 1e-6, after ${Number(rounds.toFixed(1))} rounds; the next, ${second}, ${behind}.`;
}

/** a needs fewer rounds than b, by at least `factor`; what is not reached counts as the rounds that were run. */
export function faster({ n, rounds, run }: Reached, a: string, b: string, factor = 1): Check {
  const [ra, rb] = [rounds.get(a)!, Math.min(run, rounds.get(b)!)];
  const show = (title: string) => {
    const needed = rounds.get(title)!;
    return Number.isFinite(needed) ? needed.toFixed(1) : `not within ${run}`;
  };
  return {
    name: `n = ${n}: ${a} before ${b}`,
    expected: factor === 1 ? "fewer rounds to 1e-6" : `${b} needs at least ${factor} times the rounds`,
    measured: `${show(a)} against ${show(b)}`,
    pass: Number.isFinite(ra) && rb >= factor * ra && rb > ra,
  };
}
