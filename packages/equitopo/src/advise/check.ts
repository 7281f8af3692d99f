/**
 * The advice put to the test: what was predicted of the first rows beside what a simulation measures. Averaging is run from
 * normal numbers; a gradient method on least squares as in the paper, with the nodes' own solutions as far apart as the
 * solution is long, in ten blocks of nodes alike where the data is said to be sorted. The prediction is then made anew
 * with that problem's own constants, and the step is the predicted one.
 */

import type { Algorithm } from "../algorithm/algorithm.ts";
import { algorithms, createAlgorithm } from "../algorithm/registry.ts";
import { integer } from "../input/input.ts";
import { norm } from "../number/vectors.ts";
import { type LeastSquares, leastSquares, leastSquaresFrom } from "../problem/least-squares.ts";
import { fillNormal } from "../random/normal.ts";
import { streams } from "../random/stream.ts";
import { simulate } from "../run/simulate.ts";
import { createTopology } from "../topology/registry.ts";
import type { Topology, TopologySpec } from "../topology/topology.ts";
import type { Advice, AdviceRow } from "./advise.ts";
import { sampledRounds } from "./consensus.ts";
import { learningForecast } from "./learning.ts";
import type { Question } from "./question.ts";

export interface Checked {
  readonly label: string;
  /** Rounds or iterations; of a gradient method, for the problem that it is checked on. */
  readonly predicted: number;
  /** null where it did not get there in twice the time, or would take too long to run. */
  readonly measured: number | null;
  /** Whether a promise was kept; of a mean square, a sample or a model, to within a half. */
  readonly holds: boolean;
}

/** Rows of numbers that a check mixes at most: some seconds. */
const MOST_WORK = 2e8;

/**
 * The first `top` rows (default 3) that are topologies, run. O(predicted rounds n degree) each.
 *
 * @example
 * ```ts
 * import { advise } from "equitopo";
 * import { checkAdvice } from "equitopo/advise";
 * checkAdvice(advise({ n: 32, degree: 1 }), 2).every(({ holds }) => holds) // => true
 * ```
 */
export function checkAdvice({ question, ranking }: Advice, top = 3): Checked[] {
  integer("top", top, 1);
  const rows = ranking.filter(({ spec }) => spec !== undefined).slice(0, top);
  if (question.algorithm === undefined) return rows.map((row) => checkAveraging(row, question));
  const method = algorithms.get(question.algorithm);
  const problem = testProblem(question);
  return rows.map((row) => checkLearning(row, question, method, problem));
}

const verdict = (row: AdviceRow, predicted: number, measured: number | null): Checked => {
  const allowance = row.certainty === "exact" || row.certainty === "at most" ? 1 : 1.5;
  return { label: row.label, predicted, measured, holds: measured !== null && measured <= allowance * predicted };
};

const topologyOf = (row: AdviceRow): Topology => createTopology(row.spec as TopologySpec);

function checkAveraging(row: AdviceRow, question: Question): Checked {
  const topology = topologyOf(row);
  if (row.rounds * question.n * (1 + row.degree) > MOST_WORK) return verdict(row, row.rounds, null);
  // Other starts and other losses than those that a sampled prediction has seen.
  const { rounds } = sampledRounds(topology, { ...question, seed: question.seed + 1000 });
  return verdict(row, row.rounds, rounds < Number.POSITIVE_INFINITY ? rounds : null);
}

function checkLearning(row: AdviceRow, question: Question, method: Algorithm, problem: LeastSquares): Checked {
  const topology = topologyOf(row);
  const { L, mu, b } = problem.constants();
  const scale = L * norm(problem.solution());
  const its = { kappa: L / mu, b: b / scale, sigma: 0, heterogeneous: question.heterogeneous };
  const { rounds: predicted, step } = learningForecast(method, topology, its, question);
  const rounds = 2 * predicted + WINDOW;
  if (!(rounds * question.n * problem.d ** 2 < MOST_WORK)) return verdict(row, predicted, null);
  const { metrics } = simulate({
    topology,
    algorithm: createAlgorithm({ name: method.name, learningRate: step / L }),
    problem,
    rounds,
    seed: question.seed,
    faults: { drop: question.loss },
  });
  return verdict(row, predicted, reachedAt(metrics["relativeError"], question.tolerance));
}

/** Errors of random rounds go up and down: so many count by their root mean square. */
const WINDOW = 20;

/** The first update from which on a window's error is at most the tolerance; null where there is none. */
function reachedAt(errors: readonly number[], tolerance: number): number | null {
  for (let at = 0; at + WINDOW <= errors.length; at++) {
    const square = errors.slice(at, at + WINDOW).reduce((sum, error) => sum + error * error, 0);
    if (square <= WINDOW * tolerance ** 2) return at;
  }
  return null;
}

/** Least squares whose nodes' own solutions are x* + v_i, v_i normal: each its own, or one for each of ten blocks. */
function testProblem({ n, heterogeneous, seed }: Question): LeastSquares {
  const spread = leastSquares({ n, sigmaH: 1, sigmaN: 0, seed });
  if (!heterogeneous) return spread;
  const { A, d, K } = spread;
  const alike = leastSquares({ n, sigmaH: 0, sigmaN: 0, seed });
  const v = fillNormal(new Float64Array(10 * d), seed, streams.localSolution, 1);
  const b = alike.b.map((value, row) => {
    const block = Math.floor((10 * Math.floor(row / K)) / n);
    let sum = value;
    for (let j = 0; j < d; j++) sum += A[row * d + j] * v[block * d + j];
    return sum;
  });
  return leastSquaresFrom({ n, d, A, b });
}
