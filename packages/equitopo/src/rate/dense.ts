/** Dense n x n matrices, row by row, for what has no other exact form; up to a few hundred nodes. */

import { dot } from "../number/vectors.ts";
import { applyRound } from "../round/apply.ts";
import type { Round } from "../round/round.ts";

export type Matrix = Float64Array;

/** I - J. */
export function projection(n: number): Matrix {
  const pi = new Float64Array(n * n).fill(-1 / n);
  for (let i = 0; i < n; i++) pi[i * n + i] += 1;
  return pi;
}

export function identity(n: number): Matrix {
  const one = new Float64Array(n * n);
  for (let i = 0; i < n; i++) one[i * n + i] = 1;
  return one;
}

/** A B, in the order of memory. */
export function times(a: Matrix, b: Matrix, n: number): Matrix {
  const c = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    const row = c.subarray(i * n, (i + 1) * n);
    for (let k = 0; k < n; k++) {
      const factor = a[i * n + k];
      if (factor === 0) continue;
      const at = k * n;
      for (let j = 0; j < n; j++) row[j] += factor * b[at + j];
    }
  }
  return c;
}

/** A x. */
export function timesVector(a: Matrix, x: Float64Array): Matrix {
  const n = x.length;
  return Float64Array.from(x, (_, i) => dot(a.subarray(i * n, (i + 1) * n), x));
}

export function transpose(a: Matrix, n: number): Matrix {
  const out = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) out[j * n + i] = a[i * n + j];
  return out;
}

/**
 * The solution of A X = B, B having so many columns, by elimination with row exchanges; undefined where A is singular. Both
 * are overwritten. O(n^3).
 */
export function solved(a: Matrix, b: Matrix, n: number, columns: number): Matrix | undefined {
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(a[i * n + k]) > Math.abs(a[pivot * n + k])) pivot = i;
    const top = a[pivot * n + k];
    if (!(Math.abs(top) > 1e-300)) return undefined;
    if (pivot !== k) {
      for (let j = k; j < n; j++) [a[pivot * n + j], a[k * n + j]] = [a[k * n + j], a[pivot * n + j]];
      for (let j = 0; j < columns; j++) {
        [b[pivot * columns + j], b[k * columns + j]] = [b[k * columns + j], b[pivot * columns + j]];
      }
    }
    for (let i = 0; i < n; i++) {
      const factor = i === k ? 0 : a[i * n + k] / top;
      if (factor === 0) continue;
      for (let j = k; j < n; j++) a[i * n + j] -= factor * a[k * n + j];
      for (let j = 0; j < columns; j++) b[i * columns + j] -= factor * b[k * columns + j];
    }
  }
  for (let i = 0; i < n; i++) for (let j = 0; j < columns; j++) b[i * columns + j] /= a[i * n + i];
  return b;
}

/** A <- A + B. */
export function add(a: Matrix, b: Matrix): Matrix {
  for (let k = 0; k < a.length; k++) a[k] += b[k];
  return a;
}

/** W A: a matrix is n rows of n numbers. */
export function mixed(round: Round, a: Matrix): Matrix {
  return applyRound(round, a, new Float64Array(a.length));
}
