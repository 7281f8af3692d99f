/** The distance of n rows from a point, which every problem measures. */

import type { Rows } from "../round/round.ts";

/** ||X - 1 p^T||_F. */
export function distanceTo(x: Rows, point: Float64Array): number {
  const d = point.length;
  let sum = 0;
  for (let at = 0; at < x.length; at += d) for (let j = 0; j < d; j++) sum += (x[at + j] - point[j]) ** 2;
  return Math.sqrt(sum);
}
