/** One node's row of a round: y = self x + sum_k weights[k] rows[k], as round/apply.ts defines it for all rows. */

import type { Rows } from "./round.ts";

/** Numbers added in that order, in double, and rounded once; y may be x, never one of the rows. O(d rows). */
export function combineRow(y: Rows, self: number, x: Rows, weights: readonly number[], rows: readonly Rows[]): void {
  for (let k = 0; k < y.length; k++) {
    let sum = self * x[k];
    for (let j = 0; j < rows.length; j++) sum += weights[j] * rows[j][k];
    y[k] = sum;
  }
}
