/**
 * A small problem whose answer is known: f_i(x) = 1/2 ||A_i x - b_i||^2 with K = d + 1 normal rows at each node, so
 * that every f_i is strongly convex and its minimiser another one. Noise is a function of (node, t).
 */

import type { Problem } from "../problem/problem.ts";
import { fillNormal } from "../random/normal.ts";

const DATA = 1000;
const NOISE = 1001;

export interface Quadratic extends Problem {
  /** The minimiser of the mean of all f_i. */
  readonly solution: Float64Array;
}

export interface QuadraticOptions {
  readonly n: number;
  readonly d: number;
  readonly sigma?: number;
  /** Every node has the data of node 0. */
  readonly homogeneous?: boolean;
  readonly start?: Float64Array;
}

export function quadratic({ n, d, sigma = 0, homogeneous = false, start }: QuadraticOptions): Quadratic {
  const K = d + 1;
  const size = K * (d + 1);
  const data = fillNormal(new Float64Array(n * size), 4, DATA, 0);
  if (homogeneous) for (let i = 1; i < n; i++) data.copyWithin(i * size, 0, size);
  const solution = solve(n, d, data);
  const noise = new Float64Array(d);
  return {
    name: "quadratic",
    n,
    d,
    ...(start === undefined ? {} : { start }),
    solution,
    gradient(x, t, out, first, count) {
      for (let row = 0; row < count; row++) {
        const node = first + row;
        if (sigma > 0) fillNormal(noise, 4, NOISE, t, homogeneous ? 0 : node * d);
        for (let j = 0; j < d; j++) out[row * d + j] = sigma * noise[j];
        for (let k = 0; k < K; k++) {
          const at = node * size + k * (d + 1);
          let residual = -data[at + d];
          for (let j = 0; j < d; j++) residual += data[at + j] * x[row * d + j];
          for (let j = 0; j < d; j++) out[row * d + j] += data[at + j] * residual;
        }
      }
    },
    metrics: (x) => ({ error: relativeError(x, solution) }),
  };
}

/** ||X - 1 x*'||_F / ||1 x*'||_F. */
export function relativeError(x: ArrayLike<number>, solution: Float64Array): number {
  const d = solution.length;
  let gap = 0;
  let size = 0;
  for (let k = 0; k < x.length; k++) {
    gap += (x[k] - solution[k % d]) ** 2;
    size += solution[k % d] ** 2;
  }
  return Math.sqrt(gap / size);
}

/** Sum of A_i'A_i x = A_i'b_i by Gauss-Jordan elimination (the matrix is positive definite: no pivoting). */
function solve(n: number, d: number, data: Float64Array): Float64Array {
  const a = Array.from({ length: d }, () => new Float64Array(d + 1));
  for (let r = 0; r < data.length; r += d + 1) {
    for (let i = 0; i < d; i++) for (let j = 0; j <= d; j++) a[i][j] += (data[r + i] * data[r + j]) / n;
  }
  for (let p = 0; p < d; p++) {
    for (let i = 0; i < d; i++) {
      if (i === p) continue;
      const factor = a[i][p] / a[p][p];
      for (let j = p; j <= d; j++) a[i][j] -= factor * a[p][j];
    }
  }
  return Float64Array.from(a, (row, i) => row[d] / row[i]);
}
