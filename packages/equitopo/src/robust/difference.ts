/** How far two rows lie apart, and a step towards rows: what clipping and guarding are made of. */

import { about, positive, required } from "../input/option.ts";
import type { Rows } from "../round/round.ts";
import type { Defence } from "./defence.ts";

/** The radius that clipping and guarding share: both ends of an exchange have it from the spec. */
export const radiusOption = required(about(positive(1), "the distance from one's own model that is believed", "R"));

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

/** Mixing with rows of which each keeps a share of its weight, by its distance from one's own. */
export function byDistance(radius: number, shareAt: (distance: number) => number): Omit<Defence, "spec"> {
  return {
    reach: radius,
    row(y, x, weights, rows) {
      const shares = rows.map((row, j) => weights[j] * shareAt(distanceBetween(row, x)));
      stepTowards(y, x, shares, rows);
      return shares;
    },
  };
}

/** Sums of a piece of a row, which stay in the cache while row after row is added. */
const sums = new Float64Array(4096);

/** y = x + sum_j shares[j] (rows[j] - x); rows with a share of 0 are not looked at. O(d rows). */
export function stepTowards(y: Rows, x: Rows, shares: readonly number[], rows: readonly Rows[]): void {
  for (let at = 0; at < y.length; at += sums.length) {
    const count = Math.min(sums.length, y.length - at);
    for (let k = 0; k < count; k++) sums[k] = x[at + k];
    for (let j = 0; j < rows.length; j++) if (shares[j] !== 0) addPiece(x, rows[j], shares[j], at, count);
    for (let k = 0; k < count; k++) y[at + k] = sums[k];
  }
}

function addPiece(x: Rows, row: Rows, share: number, at: number, count: number): void {
  for (let k = 0; k < count; k++) sums[k] += share * (row[at + k] - x[at + k]);
}
