/**
 * What nodes hold at first:
 * - normal: standard normals, drawn from the seed;
 * - split:  1 at the first half of the labels and -1 at the others, which is slow to mend where neighbours are near;
 * - one:    n at node 0 and 0 elsewhere, so that one sees how far news has come.
 */

import { InputError, oneOf } from "../input/input.ts";
import { fillNormal } from "../random/normal.ts";
import { streams } from "../random/stream.ts";
import type { Rows } from "../round/round.ts";

export const starts = ["normal", "split", "one"] as const;

export type Start = (typeof starts)[number];

/** Fills rows of d numbers with a start by its name, or with numbers. O(n d). */
export function fillStart(x: Rows, d: number, start: Start | ArrayLike<number>, seed: number): void {
  if (typeof start === "object") {
    if (start.length === x.length) x.set(start);
    else throw new InputError(`x0 must hold n d = ${x.length} numbers`, start.length, "give d numbers per node");
    return;
  }
  const n = x.length / d;
  if (oneOf("x0", start, starts) === "normal") fillNormal(x, seed, streams.initialState, 0);
  else if (start === "split") for (let k = 0; k < x.length; k++) x[k] = 2 * Math.floor(k / d) < n ? 1 : -1;
  else x.fill(n, 0, d).fill(0, d);
}
