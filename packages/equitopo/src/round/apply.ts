/**
 * y = W x over n rows of d numbers, in plain TypeScript: the definition that every faster engine is tested against.
 */

import { InputError } from "../input/input.ts";
import { meanRow } from "./distance.ts";
import { groupMeans, spreadRows } from "./groups.ts";
import type { CirculantRound, GroupedRound, MatchingRound, MeanRound, Round, Rows, SparseRound } from "./round.ts";

/**
 * Writes W x into y; x and y hold n rows of d numbers each and must not overlap. O((n + edges) d).
 *
 * @example
 * ```ts
 * import { ring } from "equitopo";
 * import { applyRound } from "equitopo/round";
 * const y = applyRound(ring({ n: 3 }).round(0), Float64Array.of(0, 3, 6), new Float64Array(3));
 * Array.from(y, (v) => v.toFixed(9)).join(" ") // => "3.000000000 3.000000000 3.000000000"
 * ```
 */
export function applyRound<T extends Rows>(round: Round, x: T, y: T): T {
  const d = x.length / round.n;
  if (!Number.isInteger(d) || y.length !== x.length) {
    throw new InputError(`x and y must hold n = ${round.n} rows of d numbers each`, [x.length, y.length], "mind both");
  }
  if (round.kind === "circulant") applyCirculant(round, x, y, d);
  else if (round.kind === "matching") applyMatching(round, x, y, d);
  else if (round.kind === "sparse") applySparse(round, x, y, d);
  else if (round.kind === "mean") applyMean(round, x, y, d);
  else applyGrouped(round, x, y, d);
  return y;
}

function applyCirculant(round: CirculantRound, x: Rows, y: Rows, d: number): void {
  const { n, self, shifts, weights } = round;
  const size = n * d;
  // Summed per number, so that float32 rows round once and the order is the definition's.
  for (let k = 0; k < size; k++) {
    let sum = self * x[k];
    for (let m = 0; m < shifts.length; m++) {
      const from = k - shifts[m] * d;
      sum += weights[m] * x[from < 0 ? from + size : from];
    }
    y[k] = sum;
  }
}

function applyMatching(round: MatchingRound, x: Rows, y: Rows, d: number): void {
  const { n, weight, partner } = round;
  const self = 1 - weight;
  for (let i = 0; i < n; i++) {
    const a = i * d;
    const b = partner[i] * d;
    if (a === b) for (let k = 0; k < d; k++) y[a + k] = x[a + k];
    else for (let k = 0; k < d; k++) y[a + k] = self * x[a + k] + weight * x[b + k];
  }
}

function applySparse(round: SparseRound, x: Rows, y: Rows, d: number): void {
  const { n, self, start, from, weights } = round;
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < d; k++) {
      let sum = self[i] * x[i * d + k];
      for (let e = start[i]; e < start[i + 1]; e++) sum += weights[e] * x[from[e] * d + k];
      y[i * d + k] = sum;
    }
  }
}

function applyMean({ n, keep }: MeanRound, x: Rows, y: Rows, d: number): void {
  const mean = meanRow(x, n);
  for (let i = 0; i < n; i++) for (let k = 0; k < d; k++) y[i * d + k] = keep * x[i * d + k] + (1 - keep) * mean[k];
}

/** y may be x: all means are taken before the first row is written. */
export function applyGrouped({ groups, weighted }: GroupedRound, x: Rows, y: Rows, d: number): void {
  const Kind = x instanceof Float32Array ? Float32Array : Float64Array;
  const means: Rows = new Kind(groups.count * d);
  groupMeans(groups, x, d, means);
  const mixed = applyRound(weighted, means, new Kind(groups.count * d));
  if (y !== x && groups.members.length < groups.of.length) y.set(x);
  spreadRows(groups, mixed, d, y);
}
