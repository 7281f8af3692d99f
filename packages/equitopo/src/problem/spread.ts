/** What every problem measures of n rows: their mean, and how far they are from a point and from each other. */

import type { Rows } from "../round/round.ts";

/** ||X - 1 p^T||_F. */
export function distanceTo(x: Rows, point: Float64Array): number {
  const d = point.length;
  let sum = 0;
  for (let at = 0; at < x.length; at += d) for (let j = 0; j < d; j++) sum += (x[at + j] - point[j]) ** 2;
  return Math.sqrt(sum);
}

/** ||v||. */
export function norm(v: ArrayLike<number>): number {
  let sum = 0;
  for (let j = 0; j < v.length; j++) sum += v[j] * v[j];
  return Math.sqrt(sum);
}
