/**
 * The search for sequences of one-peer rounds (one-peer.ts): from doubling, u_t = 2^t mod n, one shift at a time is swapped
 * for the best there is, with kicks, in chunks that depend on nothing but the seed and their number.
 */

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

/** Sweeps over all positions in a chunk, and the most evaluations where they are long. */
const SWEEPS = 500;
const MOST_EVALUATIONS = 2 ** 26;

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
