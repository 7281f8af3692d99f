/**
 * The spectrum of a circulant W = self I + sum_j weights[j] P^(shifts[j]), P the shift i <- i - 1:
 *
 *   lambda_k = self + sum_j weights[j] w^(k shifts[j]),   w = exp(2 pi i / n),   k = 0 .. n - 1.
 *
 * W is normal, so ||Pi W||_2 is the largest |lambda_k| over k != 0 (errata, "Exact rates"). Cost O(n M) with no FFT and
 * no table of length n: with k = S b + a and S b - a the sum factors into products of roots at S b and at a, a small
 * matrix product; the kernel does four numbers k with eight multiplications and additions of vectors.
 */

import { type Circulant, isConnected, isSymmetric } from "../round/circulant.ts";
import { circulantKernel } from "./circulant-kernel.ts";
import { realSpectrum } from "./fourier.ts";
import { extremesOf, firstRow, Modes, type SpectralExtremes } from "./modes.ts";
import type { Rate } from "./rate.ts";

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
      ? extremesOf(realSpectrum(firstRow(circulant)), part)
      : ((n >= SMALL ? circulantKernel(circulant, part) : null) ?? circulantExtremesReference(circulant, part));
  // A disconnected circulant has lambda_k = 1 for some k != 0: exactly 1, whatever the sums rounded to.
  return isConnected(n, shifts) ? found : { ...found, maxModulus: 1, maxReal: 1 };
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
export function circulantExtremesReference(circulant: Circulant, part: "complex" | "real" = "complex") {
  return extremesOf(new Modes(circulant.n).sums(circulant), part);
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
  readonly #modes: Modes;

  constructor(n: number, basis: readonly number[]) {
    this.n = n;
    this.basis = [...basis];
    this.#modes = new Modes(n);
    this.#sums = this.#modes.sums({ n, self: 0, shifts: basis, weights: basis.map(() => 1) });
  }

  /** Puts u in the place of the basis index at `position`. */
  swap(position: number, u: number): void {
    this.#modes.add(this.basis[position], -1, this.#sums);
    this.#modes.add(u, 1, this.#sums);
    this.basis[position] = u;
  }

  /** ||Pi W||_2 of D-EquiStatic with the present basis (U-EquiStatic for part "real"). */
  rate(part: "complex" | "real" = "complex"): number {
    const { n } = this;
    const weight = (n - 1) / (n * this.basis.length);
    const values = this.#sums.map((sum, at) => weight * sum + (at % 2 === 0 ? 1 / n : 0));
    return isConnected(n, this.basis) ? extremesOf(values, part).maxModulus : 1;
  }
}
