/**
 * ||x - 1 m^T||_F^2 over rows, the squared consensus error when m is the mean of x(0).
 *
 * The order of additions is a definition, as it is for rounds: within a row eight partial sums by k mod 8, then
 * ((p0 + p4) + (p2 + p6)) + ((p1 + p5) + (p3 + p7)); then the rows, from the first on. So a row's sum can be made
 * where the row is made, and neither SIMD nor the number of threads changes a bit.
 */

import { InputError, integer } from "../input/input.ts";
import type { Rows } from "./round.ts";

/** A request to a mixer: fill `square` with the squared distance of the mixed rows to the row `mean`. */
export interface Distance {
  readonly mean: Float64Array;
  square: number | undefined;
}

/** The squared distance of the rows of x (as many numbers each as `mean` has) to `mean`. */
export function squaredDistance(x: Rows, mean: Float64Array): number {
  const d = mean.length;
  if (d === 0 || x.length % d !== 0) {
    throw new InputError(`x must hold rows of ${d} numbers, as many as the mean`, x.length, "mind the mean");
  }
  const p = new Float64Array(8);
  let sum = 0;
  for (let at = 0; at < x.length; at += d) {
    p.fill(0);
    for (let k = 0; k < d; k++) {
      const difference = x[at + k] - mean[k];
      p[k & 7] += difference * difference;
    }
    sum += p[0] + p[4] + (p[2] + p[6]) + (p[1] + p[5] + (p[3] + p[7]));
  }
  return sum;
}

/** The mean row of n rows: labels 0, 1, ..., n - 1 added up, then one division. */
export function meanRow(x: Rows, n: number): Float64Array {
  const d = x.length / integer("n", n, 1);
  if (!Number.isInteger(d)) throw new InputError(`x must hold n = ${n} rows`, x.length, "give d numbers per node");
  const mean = new Float64Array(d);
  for (let at = 0; at < x.length; at += d) for (let k = 0; k < d; k++) mean[k] += x[at + k];
  for (let k = 0; k < d; k++) mean[k] /= n;
  return mean;
}
