/**
 * Designed one-peer sequences: T rounds W(t) = (I + P^(u_t)) / 2, over and over, with the lowest norm of a whole period,
 *
 *   ||W(T-1) ... W(0) - J|| = max over k != 0 of prod_t |1 + w^(k u_t)| / 2,   w = exp(2 pi i / n).
 *
 * Weights of one half are best whatever the shifts: |s + v c|^2 = 1 - 4 s v (1 - |1 + c|^2 / 4) for s + v = 1, |c| = 1.
 * The product counts 2^T ways of adding up shifts, so that its norm is at least sqrt(q (n - q) / (n - 1)) / 2^T with
 * q = 2^T mod n, which is 2^T spread over n labels as evenly as whole numbers can be.
 *
 * The search starts from doubling, u_t = 2^t mod n, and swaps one shift at a time for the best there is.
 */

import { integer, nodes, onlyKeys } from "../input/input.ts";
import { ceilLog2 } from "../number/integers.ts";
import { rootOfUnity } from "../number/roots.ts";
import { RandomStream, streams } from "../random/stream.ts";

export interface OnePeerQuestion {
  readonly n: number;
  readonly period: number;
}

export interface OnePeerFound {
  readonly shifts: readonly number[];
  /** Of one period. */
  readonly rate: number;
  readonly evaluations: number;
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

/** Sweeps over all positions in a chunk, and the most evaluations where they are long. */
const SWEEPS = 500;
const MOST_EVALUATIONS = 2 ** 26;

/** sqrt(q (n - q) / (n - 1)) / 2^T. */
export function onePeerBound(n: number, period: number): number {
  let q = 1;
  for (let t = 0; t < period; t++) q = (2 * q) % n;
  return Math.sqrt((q * (n - q)) / (n - 1)) / 2 ** period;
}

export function onePeerChunkSize({ n, period }: OnePeerQuestion): number {
  return Math.max(n * period, Math.min(SWEEPS * n * period, MOST_EVALUATIONS));
}

/** The norm of one period of these shifts, and where it is attained. O(n T). */
export function sequenceNorm(n: number, shifts: ArrayLike<number>): { norm: number; frequency: number } {
  const factors = factorsOf(n);
  let frequency = 1;
  let most = -1;
  for (let k = 1; 2 * k <= n; k++) {
    let product = 1;
    for (let t = 0; t < shifts.length; t++) product *= factors[(k * shifts[t]) % n];
    if (product > most * (1 + 1e-14)) {
      most = product;
      frequency = k;
    }
  }
  return { norm: Math.sqrt(most), frequency };
}

/** |1 + w^m|^2 / 4, exactly 0 at w^m = -1. */
function factorsOf(n: number): Float64Array {
  const root = new Float64Array(2);
  return Float64Array.from({ length: n }, (_, m) => {
    rootOfUnity(m, n, root);
    return (1 + root[0]) / 2;
  });
}

/** One thread's search. */
export class OnePeerSearch {
  readonly #n: number;
  readonly #period: number;
  readonly #half: number;
  readonly #factors: Float64Array;
  readonly #rest: Float64Array;
  readonly #order: Int32Array;
  readonly #list: Int32Array;
  #random = new RandomStream(0, streams.design);
  #evaluations = 0;

  constructor({ n, period }: OnePeerQuestion) {
    this.#n = n;
    this.#period = period;
    this.#half = Math.floor(n / 2);
    this.#factors = factorsOf(n);
    this.#rest = new Float64Array(this.#half + 1);
    this.#order = new Int32Array(this.#half);
    this.#list = new Int32Array(n);
  }

  /** Chunk c of a seed: the first descent starts from doubling, the others from the best set, kicked. */
  chunk(seed: number, c: number, evaluations: number, stop: () => boolean = () => false): OnePeerFound {
    this.#random = new RandomStream(seed, streams.design, c);
    this.#evaluations = 0;
    let best = this.#doubling();
    let bestSquare = this.#descend(best, evaluations);
    while (this.#evaluations < evaluations && bestSquare > 0 && !stop()) {
      const shifts = best.slice();
      for (let kicks = 1 + this.#random.below(3); kicks > 0; kicks--) {
        shifts[this.#random.below(this.#period)] = 1 + this.#random.below(this.#n - 1);
      }
      const square = this.#descend(shifts, evaluations);
      if (square <= bestSquare) {
        bestSquare = square;
        best = shifts;
      }
    }
    return { shifts: [...best], rate: Math.sqrt(bestSquare), evaluations: this.#evaluations };
  }

  #doubling(): Int32Array {
    const shifts = new Int32Array(this.#period);
    for (let t = 0, u = 1; t < this.#period; t++, u = (2 * u) % this.#n) shifts[t] = u === 0 ? 1 : u;
    return shifts;
  }

  /** Swaps shifts for the best there is until none helps; the norm's square then. */
  #descend(shifts: Int32Array, evaluations: number): number {
    const rest = this.#rest;
    const list = this.#list;
    const factors = this.#factors;
    let square = sequenceNorm(this.#n, shifts).norm ** 2;
    for (let idle = 0, t = 0; idle < this.#period && this.#evaluations < evaluations; t = (t + 1) % this.#period) {
      idle++;
      this.#without(shifts, t);
      for (let v = 1; v < this.#n; v++) list[v - 1] = v;
      let left = this.#below(square * (1 - 1e-12), this.#n - 1);
      this.#evaluations += this.#n - 1;
      while (left > 0) {
        const v = list[this.#random.below(left)];
        square = 0;
        for (let k = 1; k <= this.#half; k++) square = Math.max(square, rest[k] * factors[(k * v) % this.#n]);
        shifts[t] = v;
        idle = 0;
        left = this.#below(square * (1 - 1e-12), left);
      }
    }
    return square;
  }

  /** The product of all rounds but t, and the frequencies by it, largest first. */
  #without(shifts: Int32Array, t: number): void {
    const rest = this.#rest.fill(1);
    for (let s = 0; s < this.#period; s++) {
      if (s === t) continue;
      for (let k = 1, m = 0; k <= this.#half; k++) {
        m += shifts[s];
        if (m >= this.#n) m -= this.#n;
        rest[k] *= this.#factors[m];
      }
    }
    for (let k = 1; k <= this.#half; k++) this.#order[k - 1] = k;
    this.#order.sort((a, b) => rest[b] - rest[a]);
  }

  /** Keeps the candidates with which no frequency is above the target; how many they are. */
  #below(target: number, count: number): number {
    const list = this.#list;
    let left = count;
    for (const k of this.#order) {
      // A factor is at most 1.
      if (this.#rest[k] < target || left === 0) break;
      const most = target / this.#rest[k];
      let kept = 0;
      for (let a = 0; a < left; a++) {
        const v = list[a];
        list[kept] = v;
        kept += this.#factors[(k * v) % this.#n] < most ? 1 : 0;
      }
      left = kept;
    }
    return left;
  }
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
 * norm < 0.105 && norm >= bound // => true
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
