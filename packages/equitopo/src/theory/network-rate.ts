/**
 * The beta that stands for a topology in the theory.
 *
 * Static and random graphs have one by definition. A periodic sequence may have norm 1 in single rounds (one-peer
 * exponential at even n) and is known by its period: disagreement shrinks by delta = ||Pi W(tau-1) ... W(0)|| every tau
 * rounds. What the theorems use of beta is how much disagreement accumulates, sum_t beta^t = 1 / (1 - beta); for the
 * period that sum is tau / (1 - delta), so
 *
 *   1 - beta = (1 - delta) / tau.
 *
 * The geometric mean per round delta^(1/tau) stands beside it. It promises more (at powers of 2 it is 0, though the
 * nodes differ until the period is over), so it is never what the transient iterations here are computed from.
 */

import type { Rate } from "../rate/rate.ts";

export interface NetworkRate {
  readonly beta: number;
  readonly from: "round" | "period";
  /** delta^(1/tau) of a periodic sequence. */
  readonly geometricMean?: number;
}

/**
 * @example
 * ```ts
 * import { onePeerExp } from "equitopo";
 * import { networkRate } from "equitopo/theory";
 * networkRate(onePeerExp({ n: 256 })).beta // => 0.875
 * networkRate(onePeerExp({ n: 300 })).geometricMean?.toFixed(3) // => "0.809"
 * ```
 */
export function networkRate(topology: { rate(): Rate; readonly period: number | undefined }): NetworkRate {
  const { rate, periodNorm, periodRate } = topology.rate();
  const { period } = topology;
  if (period === undefined || period <= 1 || periodNorm === undefined || periodRate === undefined) {
    return { beta: Math.min(1, rate), from: "round" };
  }
  const byPeriod = 1 - (1 - Math.min(1, periodNorm)) / period;
  // Either is a valid bound: the smaller counts.
  if (rate <= byPeriod) return { beta: rate, from: "round", geometricMean: periodRate };
  return { beta: byPeriod, from: "period", geometricMean: periodRate };
}
