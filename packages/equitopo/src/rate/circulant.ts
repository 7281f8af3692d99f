/**
 * The spectrum of a circulant W = self I + sum_j weights[j] P^(shifts[j]), P the shift i <- i - 1:
 *
 *   lambda_k = self + sum_j weights[j] w^(k shifts[j]),   w = exp(2 pi i / n),   k = 0 .. n - 1.
 *
 * W is normal, so ||Pi W||_2 is the largest |lambda_k| over k != 0 (errata, "Exact rates"). Cost O(n M) with no FFT and
 * no table of length n: with k = S b + a and S b - a the sum factors into products of roots at S b and at a, a small
 * matrix product; the kernel does four numbers k with eight multiplications and additions of vectors.
 */

import { RootTable, rootOfUnity } from "../number/roots.ts";
import { type Circulant, isConnected, isSymmetric } from "../round/circulant.ts";
import { circulantKernel } from "./circulant-kernel.ts";
import { realSpectrum } from "./fourier.ts";
import type { Rate } from "./rate.ts";

/** Over k = 1 .. n - 1. */
export interface SpectralExtremes {
  readonly maxModulus: number;
  readonly maxReal: number;
  readonly minReal: number;
}

/** Above this many weights the Fourier transform wins (measured at n = 10^6). */
const MANY_WEIGHTS = 2048;
/** Below this n the plain sum is as fast as the kernel, and a table of all n roots is small. */
const SMALL = 2048;

/**
 * The extremes of the spectrum away from k = 0. With `part: "real"` the moduli are not computed (maxModulus is that of
 * the real parts), which halves the work for symmetric circulants.
 *
 * @example
 * ```ts
 * import { circulantExtremes } from "equitopo/rate";
 * const ring = { n: 17, self: 1 / 3, shifts: [1, 16], weights: [1 / 3, 1 / 3] };
 * circulantExtremes(ring).maxModulus.toFixed(6) // => "0.954981"
 * ```
 */
export function circulantExtremes(circulant: Circulant, part: "complex" | "real" = "complex"): SpectralExtremes {
  const { n, shifts } = circulant;
  const found =
    shifts.length > MANY_WEIGHTS
      ? extremesOf(fourierValues(circulant), part)
      : ((n >= SMALL ? circulantKernel(circulant, part) : null) ?? circulantExtremesReference(circulant, part));
  return exactOne(circulant, found);
}

/**
 * ||Pi W||_2 of a circulant, with the extreme eigenvalues where it is symmetric. O(n M).
 *
 * @example
 * ```ts
 * import { circulantRate } from "equitopo";
 * circulantRate({ n: 17, self: 1 / 3, shifts: [1, 16], weights: [1 / 3, 1 / 3] }).rate.toFixed(6) // => "0.954981"
 * ```
 */
export function circulantRate(circulant: Circulant): Rate {
  const symmetric = isSymmetric(circulant);
  const { maxModulus, maxReal, minReal } = circulantExtremes(circulant, symmetric ? "real" : "complex");
  const exact = { rate: maxModulus, bound: null, method: "closed form" } as const;
  return symmetric ? { ...exact, eigenvalues: { largest: maxReal, smallest: minReal } } : exact;
}

/** The plain version that the kernel is tested against: one sum for every k. O(n M). */
export function circulantExtremesReference(
  circulant: Circulant,
  part: "complex" | "real" = "complex",
): SpectralExtremes {
  const { n, self, shifts, weights } = circulant;
  const half = Math.floor(n / 2);
  const values = new Float64Array(2 * (half + 1));
  const roots = new Float64Array(2 * n);
  for (let m = 0; m < n; m++) rootOfUnity(m, n, roots, 2 * m);
  for (let k = 1; k <= half; k++) {
    let re = self;
    let im = 0;
    for (let j = 0; j < shifts.length; j++) {
      const m = (k * shifts[j]) % n;
      re += weights[j] * roots[2 * m];
      im += weights[j] * roots[2 * m + 1];
    }
    values[2 * k] = re;
    values[2 * k + 1] = im;
  }
  return extremesOf(values, part);
}

function extremesOf(values: Float64Array, part: "complex" | "real"): SpectralExtremes {
  let maxSquare = 0;
  let maxReal = Number.NEGATIVE_INFINITY;
  let minReal = Number.POSITIVE_INFINITY;
  for (let k = 1; 2 * k < values.length; k++) {
    const re = values[2 * k];
    const im = part === "real" ? 0 : values[2 * k + 1];
    maxSquare = Math.max(maxSquare, re * re + im * im);
    maxReal = Math.max(maxReal, re);
    minReal = Math.min(minReal, re);
  }
  return { maxModulus: Math.sqrt(maxSquare), maxReal, minReal };
}

function fourierValues({ n, self, shifts, weights }: Circulant): Float64Array {
  const c = new Float64Array(n);
  c[0] = self;
  for (let j = 0; j < shifts.length; j++) c[shifts[j]] += weights[j];
  return realSpectrum(c);
}

/** A disconnected circulant has lambda_k = 1 for some k != 0: exactly 1, whatever the sums rounded to. */
function exactOne(circulant: Circulant, extremes: SpectralExtremes): SpectralExtremes {
  return isConnected(circulant.n, circulant.shifts) ? extremes : { ...extremes, maxModulus: 1, maxReal: 1 };
}

/**
 * The spectrum of a basis multiset, kept up to date while its indices are swapped one at a time: swap and rate in O(n)
 * together, whatever M. What a search over bases needs.
 *
 * @example
 * ```ts
 * import { BasisSpectrum } from "equitopo/rate";
 * const spectrum = new BasisSpectrum(17, [15, 11, 8, 9]);
 * spectrum.swap(3, 10);
 * spectrum.rate().toFixed(4) // => "0.5538"
 * ```
 */
export class BasisSpectrum {
  readonly n: number;
  readonly basis: number[];
  /** sum_j w^(k u_j) for k = 0 .. n / 2. */
  readonly #sums: Float64Array;
  readonly #roots: RootTable;

  constructor(n: number, basis: readonly number[]) {
    this.n = n;
    this.basis = [...basis];
    this.#sums = new Float64Array(2 * (Math.floor(n / 2) + 1));
    this.#roots = new RootTable(n);
    for (const u of basis) this.#add(u, 1);
  }

  /** Puts u in the place of the basis index at `position`. */
  swap(position: number, u: number): void {
    this.#add(this.basis[position], -1);
    this.#add(u, 1);
    this.basis[position] = u;
  }

  /** ||Pi W||_2 of D-EquiStatic with the present basis (U-EquiStatic for part "real"). */
  rate(part: "complex" | "real" = "complex"): number {
    const { n } = this;
    const sums = this.#sums;
    const weight = (n - 1) / (n * this.basis.length);
    let maxSquare = 0;
    for (let k = 1; 2 * k < sums.length; k++) {
      const re = 1 / n + weight * sums[2 * k];
      const im = part === "real" ? 0 : weight * sums[2 * k + 1];
      const square = re * re + im * im;
      if (square > maxSquare) maxSquare = square;
    }
    return isConnected(n, this.basis) ? Math.sqrt(maxSquare) : 1;
  }

  /** Adds sign w^(k u) for all k: blocks of S values k = S b + a share the roots at a. */
  #add(u: number, sign: number): void {
    const sums = this.#sums;
    const count = sums.length / 2;
    const stride = Math.min(count, 1024);
    const near = new Float64Array(2 * stride);
    const far = new Float64Array(2);
    for (let a = 0; a < stride; a++) this.#roots.writePower(a, u, 1, near, 2 * a);
    for (let first = 0; first < count; first += stride) {
      this.#roots.writePower(first, u, sign, far, 0);
      const cos = far[0];
      const sin = far[1];
      const end = Math.min(stride, count - first);
      for (let a = 0, at = 2 * first; a < end; a++, at += 2) {
        const c = near[2 * a];
        const s = near[2 * a + 1];
        sums[at] += cos * c - sin * s;
        sums[at + 1] += cos * s + sin * c;
      }
    }
  }
}
