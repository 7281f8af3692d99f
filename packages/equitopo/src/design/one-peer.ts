/**
 * Designed one-peer sequences: T rounds W(t) = (I + P^(u_t)) / 2, over and over, with the lowest norm of a whole period,
 *
 *   ||W(T-1) ... W(0) - J|| = max over k != 0 of prod_t |1 + w^(k u_t)| / 2,   w = exp(2 pi i / n).
 *
 * Weights of one half are best whatever the shifts: |s + v c|^2 = 1 - 4 s v (1 - |1 + c|^2 / 4) for s + v = 1, |c| = 1.
 * The product counts 2^T ways of adding up shifts, so that its norm is at least sqrt(q (n - q) / (n - 1)) / 2^T with
 * q = 2^T mod n, which is 2^T spread over n labels as evenly as whole numbers can be.
 */

import { integer, nodes, onlyKeys } from "../input/input.ts";
import { ceilLog2 } from "../number/integers.ts";
import {
  type OnePeerFound,
  type OnePeerQuestion,
  OnePeerSearch,
  onePeerChunkSize,
  sequenceNorm,
} from "./one-peer-search.ts";

export interface OnePeerDesign {
  readonly n: number;
  readonly directed: true;
  readonly period: number;
  readonly self: 0.5;
  /** Of the rounds of a period, in their order. */
  readonly shifts: readonly number[];
  readonly weights: readonly number[];
  /** Per round: the T-th root of the period's norm. */
  readonly rate: number;
  /** Of one period. */
  readonly norm: number;
  /** No T one-peer circulant rounds have a lower norm. */
  readonly bound: number;
  /** Where the norm is attained. */
  readonly certificate: { readonly frequency: number };
}

/** sqrt(q (n - q) / (n - 1)) / 2^T. */
export function onePeerBound(n: number, period: number): number {
  let q = 1;
  for (let t = 0; t < period; t++) q = (2 * q) % n;
  return Math.sqrt((q * (n - q)) / (n - 1)) / 2 ** period;
}

export interface OnePeerDesignOptions {
  readonly n: number;
  /** Rounds in a period, T; ceil(log2 n) where left out. */
  readonly period?: number;
  readonly seed?: number;
  readonly evaluations?: number;
  readonly stop?: () => boolean;
}

/** What was asked, checked. */
export function onePeerQuestion({ n, period }: { n: number; period?: number }): OnePeerQuestion {
  nodes(n);
  return { n, period: integer("period", period ?? ceilLog2(n), 1, 1000) };
}

/** The design of a sequence of shifts. O(n T). */
export function onePeerDesignOn({ n, period }: OnePeerQuestion, shifts: readonly number[]): OnePeerDesign {
  const { norm, frequency } = sequenceNorm(n, shifts);
  return {
    n,
    directed: true,
    period,
    self: 0.5,
    shifts,
    weights: shifts.map(() => 0.5),
    rate: norm ** (1 / period),
    norm,
    bound: onePeerBound(n, period),
    certificate: { frequency },
  };
}

/**
 * The best sequence of one-peer rounds found; never worse than doubling over the same period. About n T / 10^8 seconds a
 * sweep over all swaps of one shift.
 *
 * @example
 * ```ts
 * import { designOnePeer } from "equitopo/design";
 * const { norm, bound } = designOnePeer({ n: 25, period: 5, evaluations: 1e4 });
 * norm < 0.14 && norm >= bound // => true
 * designOnePeer({ n: 16, evaluations: 1 }).norm // => 0
 * ```
 */
export function designOnePeer(options: OnePeerDesignOptions): OnePeerDesign {
  onlyKeys("designOnePeer", options, ["n", "period", "seed", "evaluations", "stop"]);
  const { seed = 0, stop } = options;
  const asked = onePeerQuestion(options);
  const evaluations = integer("evaluations", options.evaluations ?? onePeerChunkSize(asked), 1);
  const search = new OnePeerSearch(asked);
  const size = onePeerChunkSize(asked);
  let best: OnePeerFound | undefined;
  for (let c = 0; c * size < evaluations && !(c > 0 && stop?.()); c++) {
    const found = search.chunk(integer("seed", seed, 0), c, Math.min(size, evaluations - c * size), stop);
    if (best === undefined || found.rate < best.rate) best = found;
  }
  return onePeerDesignOn(asked, (best as OnePeerFound).shifts);
}
