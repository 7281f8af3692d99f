/**
 * How many rounds of averaging until the disagreement has shrunk by a tolerance, and how sure that is.
 *
 * Without drops: the least number of rounds whose exact product is small enough, or what the mean square promises
 * (rate/prediction.ts). With drops of probability p: if rounds are random pairs that treat all directions alike,
 *
 *   E ||W' x||^2 = ((1 - p) square + p) ||x||^2,
 *
 * because a row whose message is dropped stays as it was. Otherwise, and if nothing is promised, the median of a few
 * seeded runs of gossip, whose spread is taken around the present mean: drops in directed rounds move it.
 */

import { log } from "../number/elementary.ts";
import { prediction } from "../rate/prediction.ts";
import type { Topology } from "../topology/topology.ts";
import type { Question } from "./question.ts";
import { sampleGossip } from "./sampled.ts";

/**
 * exact: enough for every start, and no fewer are. at most: enough, fewer may do. mean square: over random rounds.
 * sampled: a median of seeded runs. model: a formula with gains in it; run: the method itself on a model problem (learning.ts);
 * late: such a run took too long, and was foretold from its last quarter.
 */
export type Certainty = "exact" | "at most" | "mean square" | "sampled" | "model" | "run" | "late";

export interface Forecast {
  /** Rounds of averaging, or iterations of a gradient method; Infinity: it never gets there. */
  readonly rounds: number;
  readonly certainty: Certainty;
  /** Gradient methods: the step in units of 1 / L, and the gain that it comes from. */
  readonly step?: number;
  readonly gain?: number;
  /**
   * Averaging with drops, if it was sampled: how far the mean moves, as a fraction of the nodes' distance from it at the
   * start. Nodes agree to the tolerance, but on that mean.
   */
  readonly shift?: number;
}

export type ConsensusGoal = Pick<Question, "tolerance" | "loss" | "seed">;

const certainties = { "exact product": "exact", "mean square": "mean square", "per-round norm": "at most" } as const;

export function consensusForecast(topology: Topology, goal: ConsensusGoal): Forecast {
  const { tolerance, loss } = goal;
  if (loss === 0) {
    const { rounds, method } = prediction(topology, tolerance);
    return rounds < Number.POSITIVE_INFINITY
      ? { rounds, certainty: certainties[method] }
      : sampledRounds(topology, goal);
  }
  if (topology.moments !== undefined && topology.maxDegree === 1 && topology.symmetric) {
    const square = (1 - loss) * topology.moments.square + loss;
    return { rounds: roundsAt(Math.sqrt(square), tolerance), certainty: "mean square" };
  }
  const { rounds } = prediction(topology, tolerance);
  // To first order drops make W lazier, (1 - p) W + p I: what is slow takes 1 / (1 - p) times as long, without sampling.
  const slow = rounds > SLOW && rounds < Number.POSITIVE_INFINITY;
  return slow ? { rounds: Math.ceil(rounds / (1 - loss)), certainty: "model" } : sampledRounds(topology, goal);
}

/** More rounds than this are not run with faults to find out. */
const SLOW = 1000;

/** The least m with factor^m <= tolerance. */
export function roundsAt(factor: number, tolerance: number): number {
  if (factor <= tolerance) return 1;
  return factor < 1 ? Math.ceil(log(tolerance) / log(factor) - 1e-9) : Number.POSITIVE_INFINITY;
}

/** The median of a few seeded runs. */
export function sampledRounds(topology: Topology, { tolerance, loss, seed }: ConsensusGoal): Forecast {
  const { rounds, shift } = sampleGossip(topology, { tolerance, seed, faults: { drop: loss } });
  return { rounds, certainty: "sampled", ...(loss > 0 ? { shift } : {}) };
}
