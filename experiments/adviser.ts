/**
 * The adviser held against simulations: random requests of every method that it knows, and what all rows of its ranking take, at
 * the step that was advised, on the rivals' least squares (lcg.ts), whose condition number and heterogeneity are what is asked
 * about. Regret: by how much the topology that comes first costs more time than the one that would have been best.
 */

import { type AdviseOptions, advise, algorithms, createAlgorithm, createTopology, RandomStream } from "equitopo";
import { expectedErrors, iterationsOf } from "equitopo/internal/advise";
import type { Check, Results, Scale, Unit } from "equitopo/internal/outcome";
import { rivalProblem } from "./lcg.ts";
import type { Study } from "./study.ts";
import { resultOf } from "./unit.ts";

export interface AdviceUnit extends Unit {
  readonly kind: "advice";
  /** Of the request, from which everything about it is drawn. */
  readonly number: number;
}

export const methods = Object.keys(expectedErrors);

/** Each method in turn; all else drawn: numbers of the stream that examples use, under a seed of their own. */
export function requestOf(number: number) {
  const dice = new RandomStream(23, 100, number);
  const one = <T>(...choices: readonly T[]): T => choices[dice.below(choices.length)];
  const algorithm = methods[number % methods.length];
  const [n, degree, undirected] = [6 + dice.below(31), one(1, 1, 2, 3, 4, 6, 8), one(false, false, true)];
  const exact = algorithms.get(algorithm).exact;
  const tolerance = exact ? one(1e-2, 1e-4, 1e-6) : one(0.1, 0.05, 0.02);
  const [heterogeneous, loss, stretch] = [one(false, true), one(0, 0, 0, 0, 0.05), one(1, 1, 1, 4)];
  const problem = rivalProblem(n, heterogeneous ? "sorted" : "iid", { seed: number, stretch });
  const { L, mu, b } = problem.constants();
  const asked = { n, degree, undirected, algorithm, tolerance, heterogeneous, loss, seed: number };
  const size = L * Math.hypot(...problem.solution());
  return { asked: { ...asked, kappa: L / mu, b: b / size } satisfies AdviseOptions, problem, L };
}

/** Iterations beyond which a row is not run; how many times the forecast a run may take. */
const MOST = 1000;
const PATIENCE = 3;

/** Rows of topologies in the order of the ranking: forecast, measured (null: not within thrice of it), seconds an iteration. */
export function adviceOn({ number }: AdviceUnit) {
  const { asked, problem, L } = requestOf(number);
  const rows = advise(asked).ranking.flatMap(({ spec, label, rounds, step = 0, seconds }) => {
    if (spec === undefined || rounds > MOST) return [];
    const algorithm = createAlgorithm({ name: asked.algorithm, learningRate: step / L });
    const how = { ...asked, most: PATIENCE * rounds };
    const measured = iterationsOf(algorithm, createTopology(spec), problem, how);
    const diverges = measured === Number.POSITIVE_INFINITY;
    return [{ label, forecast: rounds, measured: diverges ? null : measured, diverges, pace: seconds / rounds }];
  });
  return { algorithm: asked.algorithm, rows };
}

type Answer = ReturnType<typeof adviceOn>;

/** The cost of the first row over that of the best one, less 1. */
export function regretOf({ rows }: Answer): number {
  const costs = rows.map(({ measured, pace }) => (measured ?? Number.POSITIVE_INFINITY) * pace);
  return costs[0] / Math.min(...costs) - 1;
}

const units = (scale: Scale): AdviceUnit[] =>
  Array.from({ length: methods.length * (scale === "full" ? 46 : 2) }, (_, number) => ({
    ...{ kind: "advice", key: `request ${number}`, number },
  }));

const at = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))];
const shareOf = <T>(values: readonly T[], holds: (value: T) => boolean) => values.filter(holds).length / values.length;
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

/** What came of the requests of one method, or of all. */
function summaryOf(answers: readonly Answer[]) {
  const rows = answers.flatMap((answer) => answer.rows);
  const ratios = rows.map(({ measured, forecast }) => (measured ?? Number.POSITIVE_INFINITY) / forecast);
  const regrets = answers.filter((answer) => answer.rows.length > 0).map(regretOf);
  return {
    ...{ requests: answers.length, rows: rows.length },
    within: shareOf(ratios, (ratio) => ratio <= 1.2 && ratio >= 1 / 1.2),
    ratio: [0.1, 0.5, 0.9].map((share) => at(ratios, share)),
    regret: at(regrets, 0.5),
    beaten: shareOf(regrets, (regret) => regret > 0.2),
    diverges: rows.filter((row) => row.diverges).length,
  };
}

function summaries(results: Results, scale: Scale) {
  const answers = units(scale).map((unit) => resultOf(results, unit));
  const by = methods.map((method) => [method, summaryOf(answers.filter((one) => one.algorithm === method))] as const);
  return { by, all: summaryOf(answers) };
}

const goal = (name: string, expected: string, value: number, pass: boolean): Check => ({
  ...{ name, expected, measured: percent(value), pass },
});

export const adviser: Study = {
  name: "adviser",
  title: "What the adviser says of gradient methods, and what happens",
  paper: "Not in the paper",
  shows:
    "Forecasts of iterations are within a fifth of what a simulation takes, and what is advised is hardly ever beaten.",
  parameters: (scale) => ({
    requests: `${units(scale).length}, in turn of ${methods.join(", ")}`,
    drawn: "6 to 36 nodes, 1 to 8 peers, undirected, sorted, 5 % of messages dropped, tolerance, stretched directions",
    problem: "least squares, d = 10, 50 rows a node, its own kappa and b in the question; full gradients",
    measured: `every row of at most ${MOST} iterations, at the advised step`,
  }),
  units,
  outcome(results, scale) {
    const { by, all } = summaries(results, scale);
    const line = (name: string, one: ReturnType<typeof summaryOf>) => [
      ...[name, one.requests, one.rows, percent(one.within), one.ratio.map((ratio) => ratio.toFixed(2)).join(" / ")],
      ...[percent(one.regret), percent(one.beaten), one.diverges],
    ];
    return {
      figures: [
        {
          name: "adviser",
          title: "Forecasts within a fifth of the simulation",
          caption: "Share of the rows of all rankings of a method.",
          xLabel: "share of rows",
          bars: by.map(([label, { within }]) => ({ label, topology: "od-equidyn", value: within })),
        },
      ],
      tables: [
        {
          name: "adviser",
          title: "Forecasts and choices, method by method",
          columns: [
            ...["method", "requests", "rows", "within a fifth", "measured / forecast (10, 50, 90 %)"],
            ...["median regret", "regret above 20 %", "diverge"],
          ],
          rows: [...by.map(([name, one]) => line(name, one)), line("all", all)],
        },
      ],
      checks: [
        goal("median regret", "at most 1 %", all.regret, all.regret <= 0.01),
        goal("requests with a regret above 20 %", "at most 5 %", all.beaten, all.beaten <= 0.05),
        ...by.flatMap(([method, { within, rows, diverges }]) => [
          goal(`${method}: rows within a fifth`, "at least 80 %", within, within >= 0.8),
          goal(`${method}: rows that diverge`, "none", diverges / rows, diverges === 0),
          ...(scale === "full" ? [printed(method, within)] : []),
        ]),
      ],
    };
  },
};

/** `advise` prints what this study found. */
function printed(method: string, within: number): Check {
  const expected = expectedErrors[method];
  return goal(`${method}: what advise prints`, percent(expected), within, Math.abs(within - expected) < 0.005);
}
