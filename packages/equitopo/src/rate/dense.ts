/** Dense n x n matrices, row by row, for what has no other exact form; up to a few hundred nodes. */

import { applyRound } from "../round/apply.ts";
import type { Round } from "../round/round.ts";

export type Matrix = Float64Array;

/** I - J. */
export function projection(n: number): Matrix {
  const pi = new Float64Array(n * n).fill(-1 / n);
  for (let i = 0; i < n; i++) pi[i * n + i] += 1;
  return pi;
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

export function transpose(a: Matrix, n: number): Matrix {
  const out = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) out[j * n + i] = a[i * n + j];
  return out;
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
