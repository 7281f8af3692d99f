/**
 * One random request to the adviser, and what all rows of its ranking take, at the step that was advised, on the rivals' least
 * squares (lcg.ts), whose condition number and heterogeneity are what is asked about.
 */

import { type AdviseOptions, advise, algorithms, createAlgorithm, createTopology, RandomStream } from "equitopo";
import { expectedErrors, iterationsOf } from "equitopo/internal/advise";
import type { Unit } from "equitopo/internal/outcome";
import { rivalProblem } from "./lcg.ts";

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
export const MOST = 1000;
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

export type Answer = ReturnType<typeof adviceOn>;

/** The cost of the first row over that of the best one, less 1. */
export function regretOf({ rows }: Answer): number {
  const costs = rows.map(({ measured, pace }) => (measured ?? Number.POSITIVE_INFINITY) * pace);
  return costs[0] / Math.min(...costs) - 1;
}
