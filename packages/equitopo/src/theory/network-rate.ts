/**
 * The beta that the theory takes for a topology.
 *
 * Static and random graphs have one by definition. A periodic sequence may have norm 1 in single rounds (one-peer
 * exponential at even n) and is known by its period: disagreement shrinks by delta = ||Pi W(tau-1) ... W(0)|| every tau
 * rounds. What the theorems use of beta is how much disagreement accumulates, sum_t beta^t = 1 / (1 - beta); for the
 * period that sum is tau / (1 - delta), so
 *
 *   1 - beta = (1 - delta) / tau.
 *
 * The geometric mean per round delta^(1/tau) is given beside it. It promises more (at powers of 2 it is 0, though the
 * nodes differ until the period is over), so the transient iterations here are computed from it only where it is asked for.
 */

import { InputError, oneOf, real } from "../input/input.ts";
import type { Rate } from "../rate/rate.ts";

/**
 * Where beta comes from: single rounds, which is what the theorems are literally about; whole periods; or the geometric
 * mean over a period.
 */
export const betaSources = ["round", "period", "geometric-mean"] as const;
export type BetaSource = (typeof betaSources)[number];

export interface NetworkRate {
  readonly beta: number;
  /** "given": a number of the caller's own. */
  readonly from: BetaSource | "given";
  /** delta^(1/tau) of a periodic sequence. */
  readonly geometricMean?: number;
}

/**
 * The smaller of round and period unless `beta` says which, or is the number itself.
 *
 * @example
 * ```ts
 * import { onePeerExp } from "equitopo";
 * import { networkRate } from "equitopo/theory";
 * networkRate(onePeerExp({ n: 256 })).beta // => 0.875
 * networkRate(onePeerExp({ n: 300 })).geometricMean?.toFixed(3) // => "0.809"
 * networkRate(onePeerExp({ n: 256 }), "round").beta // => 1
 * ```
 */
export function networkRate(
  topology: { rate(): Rate; readonly period: number | undefined },
  beta?: BetaSource | number,
): NetworkRate {
  if (typeof beta === "number") return { beta: real("beta", beta, { min: 0, max: 1 }, 0.7), from: "given" };
  if (beta !== undefined) oneOf("beta", beta, betaSources);
  const { rate, periodNorm, periodRate } = topology.rate();
  const { period } = topology;
  const perRound = Math.min(1, rate);
  if (period === undefined || period <= 1 || periodNorm === undefined || periodRate === undefined) {
    if (beta === undefined || beta === "round") return { beta: perRound, from: "round" };
    throw new InputError(`beta from a ${beta} needs a periodic topology`, period ?? "no period", "leave it out");
  }
  const all = {
    round: perRound,
    period: 1 - (1 - Math.min(1, periodNorm)) / period,
    "geometric-mean": Math.min(1, periodRate),
  };
  // Either of the first two is a valid bound: the smaller counts.
  const from = beta ?? (all.round <= all.period ? "round" : "period");
  return { beta: all[from], from, geometricMean: periodRate };
}
