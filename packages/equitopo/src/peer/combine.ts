/**
 * A peer's share of a round:  y = self x + sum_k weights[k] rows[k],  numbers added in that order, in double, and rounded
 * once to the rows' type: to the last bit what round/apply.ts does for the whole network.
 */

import type { Vector } from "./transport.ts";

/** y may be x, never one of the rows. */
export function combine(
  y: Vector,
  self: number,
  x: Vector,
  weights: readonly number[],
  rows: readonly (Vector | undefined)[],
): void {
  if (rows.length === 0 && self === 1) {
    if (y !== x) y.set(x);
  } else if (rows.length === 1) {
    const row = rows[0] as Vector;
    // One loop for each element type, so that the engine compiles each for its own kind of memory.
    if (y instanceof Float32Array) pair32(y, self, x as Float32Array, weights[0], row as Float32Array);
    else pair64(y, self, x as Float64Array, weights[0], row as Float64Array);
  } else {
    for (let k = 0; k < y.length; k++) {
      let sum = self * x[k];
      for (let j = 0; j < rows.length; j++) sum += weights[j] * (rows[j] as Vector)[k];
      y[k] = sum;
    }
  }
}

function pair32(y: Float32Array, self: number, x: Float32Array, weight: number, row: Float32Array): void {
  for (let k = 0; k < y.length; k++) y[k] = self * x[k] + weight * row[k];
}

function pair64(y: Float64Array, self: number, x: Float64Array, weight: number, row: Float64Array): void {
  for (let k = 0; k < y.length; k++) y[k] = self * x[k] + weight * row[k];
}

/** y = keep x + (1 - keep) mean of the rows, which stand in the order of their labels, x among them. */
export function combineMean(y: Vector, keep: number, x: Vector, rows: readonly Vector[]): void {
  for (let k = 0; k < y.length; k++) {
    let sum = 0;
    for (let j = 0; j < rows.length; j++) sum += rows[j][k];
    y[k] = keep * x[k] + (1 - keep) * (sum / rows.length);
  }
}
