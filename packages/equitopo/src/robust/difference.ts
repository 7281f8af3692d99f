/** How far two rows lie apart, and a step towards rows: what clipping and guarding are made of. */

import type { Rows } from "../round/round.ts";

/**
 * ||a - b||, squares added by ascending index. The same bits for (b, a), so that both ends of an exchange come to one
 * verdict. Not finite where a number is not, or where the distance is beyond all doubles. O(d).
 */
export function distanceBetween(a: Rows, b: Rows): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) {
    const difference = a[k] - b[k];
    sum += difference * difference;
  }
  return Math.sqrt(sum);
}

/** y = x + sum_j shares[j] (rows[j] - x); rows with a share of 0 are not looked at. O(d rows). */
export function stepTowards(y: Rows, x: Rows, shares: readonly number[], rows: readonly Rows[]): void {
  const [kept, of] = [shares.filter((share) => share !== 0), rows.filter((_, j) => shares[j] !== 0)];
  for (let k = 0; k < y.length; k++) {
    let sum = x[k];
    for (let j = 0; j < of.length; j++) sum += kept[j] * (of[j][k] - x[k]);
    y[k] = sum;
  }
}
