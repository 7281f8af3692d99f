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
import { cosine } from "../number/roots.ts";
import { RandomStream, streams } from "../random/stream.ts";
import { cutUp, type DesignOptions, searchChunks } from "./designer.ts";
import type { Found } from "./search.ts";

export interface OnePeerQuestion {
  readonly n: number;
  readonly period: number;
}

/** The shifts of a period in their order, and the norm of the period as their rate. */
export type OnePeerFound = Found;

/** Sweeps over all positions in a chunk, and the most evaluations where they are long. */
const SWEEPS = 500;
const MOST_EVALUATIONS = 2 ** 26;

export function onePeerChunkSize({ n, period }: OnePeerQuestion): number {
  return Math.max(n * period, Math.min(SWEEPS * n * period, MOST_EVALUATIONS));
}

/** The norm of one period of these shifts, and where it is attained. O(n T). */
export function sequenceNorm(n: number, shifts: ArrayLike<number>): { norm: number; frequency: number } {
  const factors = factorsOf(n);
  let [frequency, most] = [1, -1];
  for (let k = 1; 2 * k <= n; k++) {
    let product = 1;
    for (let t = 0; t < shifts.length; t++) product *= factors[(k * shifts[t]) % n];
    if (product > most * (1 + 1e-14)) [frequency, most] = [k, product];
  }
  return { norm: Math.sqrt(most), frequency };
}

/** |1 + w^m|^2 / 4, exactly 0 at w^m = -1. */
function factorsOf(n: number): Float64Array {
  return Float64Array.from({ length: n }, (_, m) => (1 + cosine(m, n)) / 2);
}

/**
 * The search for sequences of one-peer rounds: from doubling, u_t = 2^t mod n, one shift at a time is swapped for the best
 * there is, with kicks, in chunks that depend on nothing but the seed and their number.
 *
 * One thread's search.
 */
export class OnePeerSearch {
  /** Chunk c of a seed: the first descent starts from doubling, the others from the best set, kicked. */
  readonly chunk: (seed: number, c: number, evaluations: number, stop?: () => boolean) => Found;

  constructor(question: OnePeerQuestion) {
    this.chunk = searching(question);
  }
}

function searching({ n, period }: OnePeerQuestion) {
  const half = Math.floor(n / 2);
  const factors = factorsOf(n);
  const rest = new Float64Array(half + 1);
  const order = new Int32Array(half);
  const list = new Int32Array(n);
  let random = new RandomStream(0, streams.design);
  let spent = 0;

  function chunk(seed: number, c: number, evaluations: number, stop: () => boolean = () => false): OnePeerFound {
    random = new RandomStream(seed, streams.design, c);
    spent = 0;
    let best = doubling();
    let bestSquare = descend(best, evaluations);
    while (spent < evaluations && bestSquare > 0 && !stop()) {
      const shifts = best.slice();
      for (let kicks = 1 + random.below(3); kicks > 0; kicks--) {
        shifts[random.below(period)] = 1 + random.below(n - 1);
      }
      const square = descend(shifts, evaluations);
      if (square <= bestSquare) [best, bestSquare] = [shifts, square];
    }
    return { shifts: [...best], rate: Math.sqrt(bestSquare), evaluations: spent };
  }

  function doubling(): Int32Array {
    const shifts = new Int32Array(period);
    for (let t = 0, u = 1; t < period; t++, u = (2 * u) % n) shifts[t] = u === 0 ? 1 : u;
    return shifts;
  }

  /** Swaps shifts for the best there is until none helps; the norm's square then. */
  function descend(shifts: Int32Array, evaluations: number): number {
    let square = sequenceNorm(n, shifts).norm ** 2;
    for (let idle = 0, t = 0; idle < period && spent < evaluations; t = (t + 1) % period) {
      idle++;
      without(shifts, t);
      for (let v = 1; v < n; v++) list[v - 1] = v;
      let left = below(square * (1 - 1e-12), n - 1);
      spent += n - 1;
      while (left > 0) {
        const v = list[random.below(left)];
        square = 0;
        for (let k = 1; k <= half; k++) square = Math.max(square, rest[k] * factors[(k * v) % n]);
        shifts[t] = v;
        idle = 0;
        left = below(square * (1 - 1e-12), left);
      }
    }
    return square;
  }

  /** The product of all rounds but t, and the frequencies by it, largest first. */
  function without(shifts: Int32Array, t: number): void {
    rest.fill(1);
    for (let s = 0; s < period; s++) {
      if (s === t) continue;
      for (let k = 1, m = 0; k <= half; k++) {
        m += shifts[s];
        if (m >= n) m -= n;
        rest[k] *= factors[m];
      }
    }
    for (let k = 1; k <= half; k++) order[k - 1] = k;
    order.sort((a, b) => rest[b] - rest[a]);
  }

  /** Keeps the candidates with which no frequency is above the target; how many they are. */
  function below(target: number, count: number): number {
    let left = count;
    for (const k of order) {
      // A factor is at most 1.
      if (rest[k] < target || left === 0) break;
      const most = target / rest[k];
      let kept = 0;
      for (let a = 0; a < left; a++) {
        const v = list[a];
        list[kept] = v;
        kept += factors[(k * v) % n] < most ? 1 : 0;
      }
      left = kept;
    }
    return left;
  }

  return chunk;
}

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

export interface OnePeerDesignOptions extends Pick<DesignOptions, "n" | "seed" | "evaluations" | "stop"> {
  /** Rounds in a period, T; ceil(log2 n) if left out. */
  readonly period?: number;
}

export function onePeerQuestion({ n, period }: { n: number; period?: number }): OnePeerQuestion {
  nodes(n);
  return { n, period: integer("period", period ?? ceilLog2(n), 1, 1000) };
}

/** The design of a sequence of shifts. O(n T). */
export function onePeerDesignOn({ n, period }: OnePeerQuestion, shifts: readonly number[]): OnePeerDesign {
  const { norm, frequency } = sequenceNorm(n, shifts);
  const rates = { rate: norm ** (1 / period), norm, bound: onePeerBound(n, period), certificate: { frequency } };
  return { n, directed: true, period, self: 0.5, shifts, weights: shifts.map(() => 0.5), ...rates };
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
  const chunks = cutUp(evaluations, onePeerChunkSize(asked));
  const { shifts } = searchChunks(new OnePeerSearch(asked), chunks, integer("seed", seed, 0), { stop });
  return onePeerDesignOn(asked, shifts);
}
