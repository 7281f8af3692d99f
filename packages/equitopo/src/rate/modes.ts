/**
 * Fourier modes of circulant rounds: W takes the mode with entries w^(-k i) to lambda_k times itself,
 *
 *   lambda_k = self + sum_j weights[j] w^(k shifts[j]),   w = exp(2 pi i / n),
 *
 * so products, gains and recursions over such rounds are numbers for each k. Kept for k = 0 .. n/2: mode n - k is the
 * conjugate. A table of all n roots, 16 n bytes; O(n M) a round, O(n log n) where M is large.
 */

import { rootOfUnity } from "../number/roots.ts";
import type { Circulant } from "../round/circulant.ts";
import type { Round } from "../round/round.ts";
import { realSpectrum } from "./fourier.ts";
import type { ShiftDraws } from "./sequence.ts";

/** Above this many weights the Fourier transform wins. */
const MANY_WEIGHTS = 64;

export class Modes {
  readonly n: number;
  /** Modes kept: 0 .. n/2. */
  readonly count: number;
  /** w^m as [re, im, re, im, ...]. */
  readonly roots: Float64Array;
  readonly #isComplex: boolean;

  /** With `part: "real"` sums leave the imaginary parts at 0, which halves the work for symmetric circulants. */
  constructor(n: number, part: "complex" | "real" = "complex") {
    this.n = n;
    this.count = Math.floor(n / 2) + 1;
    this.roots = new Float64Array(2 * n);
    this.#isComplex = part === "complex";
    for (let m = 0; m < n; m++) rootOfUnity(m, n, this.roots, 2 * m);
  }

  /** How many of the modes 1 .. n - 1 number k stands for: itself and n - k. */
  multiplicity(k: number): number {
    return 2 * k === this.n ? 1 : 2;
  }

  /** lambda_k of a circulant round, or of one that takes the mean, as [re, im, re, im, ...]. */
  values(round: Round): Float64Array {
    const { count } = this;
    if (round.kind === "mean") {
      const out = new Float64Array(2 * count);
      for (let k = 0; k < count; k++) out[2 * k] = k === 0 ? 1 : round.keep;
      return out;
    }
    if (round.kind !== "circulant") throw new Error(`a ${round.kind} round has no Fourier modes of its own`);
    return round.shifts.length > MANY_WEIGHTS ? realSpectrum(firstRow(round)) : this.sums(round);
  }

  /** The same of any circulant, by one sum for every k. O(n M). */
  sums({ self, shifts, weights }: Circulant): Float64Array {
    const out = new Float64Array(2 * this.count);
    for (let k = 0; k < this.count; k++) out[2 * k] = self;
    for (let j = 0; j < shifts.length; j++) this.add(shifts[j], weights[j], out);
    return out;
  }

  /** Adds weight w^(k shift) to every out[k]. */
  add(shift: number, weight: number, out: Float64Array): void {
    const { n, count, roots } = this;
    const isComplex = this.#isComplex;
    for (let k = 0, m = 0; k < count; k++) {
      out[2 * k] += weight * roots[2 * m];
      if (isComplex) out[2 * k + 1] += weight * roots[2 * m + 1];
      m += shift;
      if (m >= n) m -= n;
    }
  }

  /** Multiplies squares[k] by |lambda_k|^2. */
  multiplySquares(round: Round, squares: Float64Array): void {
    const values = this.values(round);
    for (let k = 0; k < this.count; k++) squares[k] *= values[2 * k] ** 2 + values[2 * k + 1] ** 2;
  }
}

/** E lambda_k and E |lambda_k|^2 of W = (1 - c) I + c P^s, whose shift s is drawn in every round. */
export function drawnMoments(modes: Modes, { weight, shifts, counts }: ShiftDraws) {
  const total = Array.from(counts).reduce((sum, count) => sum + count, 0);
  const weights = Float64Array.from(counts, (count) => (weight * count) / total);
  const { n } = modes;
  const mean = modes.values({ kind: "circulant", n, self: 1 - weight, shifts: Int32Array.from(shifts), weights });
  return { mean, square: mean.filter((_, at) => at % 2 === 0).map((re) => 1 - 2 * (1 - weight) * (1 - re)) };
}

/** w_0j for every j: what a Fourier transform makes the spectrum of. */
export function firstRow({ n, self, shifts, weights }: Circulant): Float64Array {
  const row = new Float64Array(n);
  row[0] = self;
  for (let j = 0; j < shifts.length; j++) row[shifts[j]] += weights[j];
  return row;
}

/** Over k = 1 .. n - 1. */
export interface SpectralExtremes {
  readonly maxModulus: number;
  readonly maxReal: number;
  readonly minReal: number;
}

/** The extremes over the modes but that of k = 0, in the order in which `Modes` keeps them. */
export function extremesOf(values: Float64Array, part: "complex" | "real"): SpectralExtremes {
  let [maxSquare, maxReal, minReal] = [0, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let k = 1; 2 * k < values.length; k++) {
    const re = values[2 * k];
    const im = part === "real" ? 0 : values[2 * k + 1];
    maxSquare = Math.max(maxSquare, re * re + im * im);
    maxReal = Math.max(maxReal, re);
    minReal = Math.min(minReal, re);
  }
  return { maxModulus: Math.sqrt(maxSquare), maxReal, minReal };
}
