/**
 * The rows at the start:
 * - normal: standard normals, drawn from the seed;
 * - sorted: the same numbers, each column sorted by label, so that neighbours agree and the two halves do not;
 * - split:  1 in the first half of the labels and -1 in the second, which mixes slowly if neighbours are near;
 * - one:    n at node 0 and 0 elsewhere, which shows how far information has spread.
 */

import { InputError, oneOf } from "../input/input.ts";
import { fillNormal } from "../random/normal.ts";
import { streams } from "../random/stream.ts";
import type { Rows } from "../round/round.ts";

export const starts = ["normal", "sorted", "split", "one"] as const;

export type Start = (typeof starts)[number];

/** Fills rows of d numbers with a named start, or with given numbers. O(n d), O(n d log n) if sorted. */
export function fillStart(x: Rows, d: number, start: Start | ArrayLike<number>, seed: number): void {
  if (typeof start === "object") {
    if (start.length === x.length) x.set(start);
    else throw new InputError(`x0 must hold n d = ${x.length} numbers`, start.length, "give d numbers per node");
    return;
  }
  const n = x.length / d;
  if (oneOf("x0", start, starts) === "normal" || start === "sorted") {
    fillNormal(x, seed, streams.initialState, 0);
    if (start === "sorted") sortColumns(x, d);
  } else if (start === "split") for (let k = 0; k < x.length; k++) x[k] = 2 * Math.floor(k / d) < n ? 1 : -1;
  else x.fill(n, 0, d).fill(0, d);
}

function sortColumns(x: Rows, d: number): void {
  const column = new Float64Array(x.length / d);
  for (let k = 0; k < d; k++) {
    for (let i = 0; i < column.length; i++) column[i] = x[i * d + k];
    column.sort();
    for (let i = 0; i < column.length; i++) x[i * d + k] = column[i];
  }
}
