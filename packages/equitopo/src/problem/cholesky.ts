/** Solves H x = c for a symmetric positive definite H (d x d, row by row) by Cholesky's factorisation H = L L^T. O(d^3). */

import { InputError } from "../input/input.ts";

export function solveCholesky(h: Float64Array, c: ArrayLike<number>): Float64Array {
  const d = c.length;
  const l = Float64Array.from(h);
  for (let j = 0; j < d; j++) {
    let pivot = l[j * d + j];
    for (let k = 0; k < j; k++) pivot -= l[j * d + k] ** 2;
    // A pivot that cancelled down to rounding means that the columns depend on each other.
    if (!(pivot > 1e-14 * h[j * d + j])) {
      const rule = "the rows of all nodes together must determine x (A^T A positive definite)";
      throw new InputError(rule, `pivot ${pivot} in column ${j}`, "try more samples, or independent columns");
    }
    const root = Math.sqrt(pivot);
    l[j * d + j] = root;
    for (let i = j + 1; i < d; i++) {
      let sum = l[i * d + j];
      for (let k = 0; k < j; k++) sum -= l[i * d + k] * l[j * d + k];
      l[i * d + j] = sum / root;
    }
  }
  const x = Float64Array.from(c);
  for (let i = 0; i < d; i++) {
    for (let k = 0; k < i; k++) x[i] -= l[i * d + k] * x[k];
    x[i] /= l[i * d + i];
  }
  for (let i = d - 1; i >= 0; i--) {
    for (let k = i + 1; k < d; k++) x[i] -= l[k * d + i] * x[k];
    x[i] /= l[i * d + i];
  }
  return x;
}
