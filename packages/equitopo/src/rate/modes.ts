/**
 * Fourier modes of circulant rounds: W takes the mode with entries w^(-k i) to lambda_k times itself,
 *
 *   lambda_k = self + sum_j weights[j] w^(k shifts[j]),   w = exp(2 pi i / n),
 *
 * so products, gains and recursions over such rounds are numbers for each k. Kept for k = 0 .. n/2: mode n - k is the
 * conjugate. A table of all n roots, 16 n bytes; O(n M) a round, O(n log n) where M is large.
 */

import { rootOfUnity } from "../number/roots.ts";
import type { Round } from "../round/round.ts";
import { realSpectrum } from "./fourier.ts";

/** Above this many weights the Fourier transform wins. */
const MANY_WEIGHTS = 64;

export class Modes {
  readonly n: number;
  /** Modes kept: 0 .. n/2. */
  readonly count: number;
  readonly #roots: Float64Array;

  constructor(n: number) {
    this.n = n;
    this.count = Math.floor(n / 2) + 1;
    this.#roots = new Float64Array(2 * n);
    for (let m = 0; m < n; m++) rootOfUnity(m, n, this.#roots, 2 * m);
  }

  /** How many of the modes 1 .. n - 1 number k stands for: itself and n - k. */
  multiplicity(k: number): number {
    return 2 * k === this.n ? 1 : 2;
  }

  /** lambda_k of a circulant round, or of one that takes the mean, as [re, im, re, im, ...]. */
  values(round: Round): Float64Array {
    const { n, count } = this;
    const out = new Float64Array(2 * count);
    if (round.kind === "mean") {
      for (let k = 0; k < count; k++) out[2 * k] = k === 0 ? 1 : round.keep;
      return out;
    }
    if (round.kind !== "circulant") throw new Error(`a ${round.kind} round has no Fourier modes of its own`);
    const { self, shifts, weights } = round;
    if (shifts.length > MANY_WEIGHTS) return realSpectrum(firstRow(n, self, shifts, weights));
    for (let k = 0; k < count; k++) out[2 * k] = self;
    for (let j = 0; j < shifts.length; j++) this.add(shifts[j], weights[j], out);
    return out;
  }

  /** Adds weight w^(k shift) to every out[k]. */
  add(shift: number, weight: number, out: Float64Array): void {
    const roots = this.#roots;
    for (let k = 0, m = 0; k < this.count; k++) {
      out[2 * k] += weight * roots[2 * m];
      out[2 * k + 1] += weight * roots[2 * m + 1];
      m += shift;
      if (m >= this.n) m -= this.n;
    }
  }

  /** Multiplies squares[k] by |lambda_k|^2. */
  multiplySquares(round: Round, squares: Float64Array): void {
    const values = this.values(round);
    for (let k = 0; k < this.count; k++) squares[k] *= values[2 * k] ** 2 + values[2 * k + 1] ** 2;
  }
}

function firstRow(n: number, self: number, shifts: Int32Array, weights: Float64Array): Float64Array {
  const row = new Float64Array(n);
  row[0] = self;
  for (let j = 0; j < shifts.length; j++) row[shifts[j]] += weights[j];
  return row;
}
