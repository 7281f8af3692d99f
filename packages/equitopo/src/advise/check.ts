/**
 * The advice put to the test: what was predicted of the first rows beside what a simulation measures. Averaging is run from
 * normal numbers; a gradient method, at the advised step, on the model problem with other data than that of the forecast.
 */

import { anyWeights } from "../algorithm/condition.ts";
import { createAlgorithm, type Optimiser } from "../algorithm/registry.ts";
import { integer } from "../input/input.ts";
import type { Problem } from "../problem/problem.ts";
import { simulate } from "../run/simulate.ts";
import { createTopology } from "../topology/registry.ts";
import type { Topology, TopologySpec } from "../topology/topology.ts";
import type { Advice, AdviceRow } from "./advise.ts";
import { sampledRounds } from "./consensus.ts";
import { modelProblem } from "./model-problem.ts";
import type { Question } from "./question.ts";

export interface Checked {
  readonly label: string;
  /** Rounds or iterations. */
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
  const problem = modelProblem(question.n, question, question.seed + OTHER);
  return rows.map((row) => checkLearning(row, question, problem));
}

const verdict = ({ label, certainty, rounds: predicted }: AdviceRow, measured: number | null): Checked => {
  const allowance = certainty === "exact" || certainty === "at most" ? 1 : 1.5;
  const found = measured === Number.POSITIVE_INFINITY ? null : measured;
  return { label, predicted, measured: found, holds: found !== null && found <= allowance * predicted };
};

/** Other starts, data and losses than those that a prediction has seen. */
const OTHER = 1000;

const topologyOf = (row: AdviceRow): Topology => createTopology(row.spec as TopologySpec);

function checkAveraging(row: AdviceRow, question: Question): Checked {
  const topology = topologyOf(row);
  if (row.rounds * question.n * (1 + row.degree) > MOST_WORK) return verdict(row, null);
  return verdict(row, sampledRounds(topology, { ...question, seed: question.seed + OTHER }).rounds);
}

/** A gradient method at the step that was advised. */
function checkLearning(row: AdviceRow, question: Question, problem: Problem): Checked {
  const how = { ...question, most: 2 * row.rounds };
  const algorithm = { name: question.algorithm!, learningRate: row.step! };
  return verdict(row, iterationsOf(createAlgorithm(algorithm), topologyOf(row), problem, how));
}

/** What a run to the tolerance depends on, and how many updates it may take. */
export interface HowToRun extends Pick<Question, "tolerance" | "loss" | "seed"> {
  readonly most: number;
}

/** How many updates a method takes to the tolerance over a topology that it was advised on; null where they are more than it may take, Infinity where it diverges. */
export function iterationsOf(algorithm: Optimiser, topology: Topology, problem: Problem, how: HowToRun): number | null {
  const rounds = how.most + WINDOW;
  if (!(rounds * problem.n * problem.d ** 2 < MOST_WORK)) return null;
  // Its condition was checked with the advice; checking again may cost more than the run.
  const unchecked = { ...algorithm, algorithm: { ...algorithm.algorithm, condition: anyWeights } };
  const faults = { drop: how.loss };
  const { metrics } = simulate({ topology, algorithm: unchecked, problem, rounds, seed: how.seed, faults });
  const errors = metrics["relativeError"];
  return errors[errors.length - 1] <= 1 ? reachedAt(errors, how.tolerance) : Number.POSITIVE_INFINITY;
}

/** Errors of random rounds go up and down: so many count by their root mean square. */
const WINDOW = 20;

/** The first update whose error is at most the tolerance, and that of a window from it on; null where there is none. */
function reachedAt(errors: readonly number[], tolerance: number): number | null {
  for (let at = 0; at + WINDOW <= errors.length; at++) {
    if (!(errors[at] <= tolerance)) continue;
    const square = errors.slice(at, at + WINDOW).reduce((sum, error) => sum + error * error, 0);
    if (square <= WINDOW * tolerance ** 2) return at;
  }
  return null;
}
