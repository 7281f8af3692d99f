/**
 * Roots of unity exp(2 pi i m / n), reduced in integers to the first octant before Math.cos and Math.sin see an angle:
 * symmetric, exact at the eighths (so 1 + w^(n/2) is exactly 0), and accurate for every m.
 */

import { mulMod } from "./integers.ts";

/** Writes cos and sin of 2 pi m / n to out[at], out[at + 1]; 0 <= m < n. */
export function rootOfUnity(m: number, n: number, out: Float64Array, at = 0): void {
  // 8 m = octant n + rest, in exact integers for n < 2^50.
  const octant = Math.floor((8 * m) / n);
  const rest = 8 * m - octant * n;
  // In odd octants measure back from the next multiple of a quarter turn.
  const angle = ((octant & 1) === 0 ? rest : n - rest) * (Math.PI / 4 / n);
  const small = Math.sin(angle);
  const large = Math.cos(angle);
  const swap = octant === 1 || octant === 2 || octant === 5 || octant === 6;
  const cos = swap ? small : large;
  const sin = swap ? large : small;
  out[at] = octant >= 2 && octant <= 5 ? -cos : cos;
  out[at + 1] = octant >= 4 ? -sin : sin;
}

const root = new Float64Array(2);

/** cos(2 pi m / n), 0 <= m < n. */
export function cosine(m: number, n: number): number {
  rootOfUnity(m, n, root);
  return root[0];
}

/** 1 - cos(2 pi m / n) with all its digits, which the difference itself loses where the angle is small; 0 <= m < n. */
export function versine(m: number, n: number): number {
  const half = Math.sin((Math.PI * m) / n);
  return 2 * half * half;
}

/**
 * All roots w^m at the cost of 2 sqrt(n) cosines: w^m = w^(S b) w^a with m = S b + a, one complex product a root,
 * which adds one rounding error of 1e-16.
 */
export class RootTable {
  readonly n: number;
  readonly #stride: number;
  readonly #near: Float64Array;
  readonly #far: Float64Array;

  constructor(n: number) {
    this.n = n;
    this.#stride = Math.max(1, Math.ceil(Math.sqrt(n)));
    const farCount = Math.ceil(n / this.#stride);
    this.#near = new Float64Array(2 * this.#stride);
    this.#far = new Float64Array(2 * farCount);
    for (let a = 0; a < this.#stride; a++) rootOfUnity(a % n, n, this.#near, 2 * a);
    for (let b = 0; b < farCount; b++) rootOfUnity(b * this.#stride, n, this.#far, 2 * b);
  }

  /** Writes w^m, 0 <= m < n, times `scale`. */
  write(m: number, scale: number, out: Float64Array, at: number): void {
    const b = Math.floor(m / this.#stride);
    const a = m - b * this.#stride;
    const near = this.#near;
    const far = this.#far;
    const cos = scale * far[2 * b];
    const sin = scale * far[2 * b + 1];
    out[at] = cos * near[2 * a] - sin * near[2 * a + 1];
    out[at + 1] = cos * near[2 * a + 1] + sin * near[2 * a];
  }

  /** Writes scale w^(k u). */
  writePower(k: number, u: number, scale: number, out: Float64Array, at: number): void {
    this.write(mulMod(k, u, this.n), scale, out, at);
  }
}
