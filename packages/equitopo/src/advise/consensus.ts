/**
 * How many rounds of averaging until the disagreement has shrunk by a tolerance, and how sure that is.
 *
 * Without loss: the least number of rounds whose exact product is small enough, or what the mean square promises
 * (rate/prediction.ts). With loss p: where rounds are random pairs that treat all directions alike,
 *
 *   E ||W' x||^2 = ((1 - p) square + p) ||x||^2,
 *
 * because a row whose message is lost stays as it was. Elsewhere, and where nothing is promised, the median of a few
 * seeded runs of gossip, whose spread is taken around the mean of now: losses in directed rounds move it.
 */

import { log } from "../number/elementary.ts";
import { prediction } from "../rate/prediction.ts";
import type { Topology } from "../topology/topology.ts";
import { sampleGossip } from "./sampled.ts";

/**
 * exact: enough for every start, and no fewer are. at most: enough, fewer may do. mean square: over random rounds.
 * sampled: a median of seeded runs. model: a formula with measured gains in it (learning.ts).
 */
export type Certainty = "exact" | "at most" | "mean square" | "sampled" | "model";

export interface Forecast {
  /** Infinity: it never gets there. */
  readonly rounds: number;
  readonly certainty: Certainty;
  /** With loss, sampled: how far the mean moves, as a fraction of the nodes' distance from it at the start. */
  readonly shift?: number;
}

export interface ConsensusGoal {
  readonly tolerance: number;
  readonly loss: number;
  readonly seed: number;
}

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
  // To first order a loss p makes W lazier, (1 - p) W + p I: what is slow takes 1 / (1 - p) times as long, and no sampling.
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
