/**
 * What one round does to the rows:  y_i = w_ii x_i + sum over in-neighbours j of w_ij x_j.
 *
 * A round is kept as what it is, never as an n x n array:
 * - circulant: y_i = self x_i + sum_k weights[k] x_{(i - shifts[k]) mod n}; one shift for a one-peer round. O(M) memory.
 * - matching:  partner[i] = j and partner[j] = i exchange with weight w: y_i = (1 - w) x_i + w x_j; idle nodes are
 *   their own partner. O(n).
 * - sparse:    a list of (from, weight) for every node. O(edges).
 * - mean:      y_i = keep x_i + (1 - keep) mean of all x (the complete graph, keep = 0; lazily, keep = 1/2). O(1).
 * - grouped:   means inside groups, then one of the rounds above between the groups (grouped.ts). O(n).
 *
 * A round never changes once it is there: topologies hand out frozen ones, one and the same again and again where they are
 * static, and whoever counts what a round sends may remember it by the object. The numbers in its arrays cannot be frozen;
 * who writes to them must make a round of its own.
 *
 * The order of additions is part of the definition, because every engine must give the same bits: own weight first,
 * then in-neighbours j by ascending (i - j) mod n; for `mean`, labels 0, 1, ..., n - 1, then one division.
 */

import { groupedEdgesInto, groupedSelf } from "./grouped.ts";
import type { Groups } from "./groups.ts";

export interface CirculantRound {
  readonly kind: "circulant";
  readonly n: number;
  readonly self: number;
  /** Distinct, ascending, in [1, n). */
  readonly shifts: Int32Array;
  readonly weights: Float64Array;
}

export interface MatchingRound {
  readonly kind: "matching";
  readonly n: number;
  readonly weight: number;
  readonly partner: Int32Array;
}

export interface SparseRound {
  readonly kind: "sparse";
  readonly n: number;
  readonly self: Float64Array;
  /** Node i's in-edges are start[i] .. start[i + 1] - 1 of `from` and `weights`. */
  readonly start: Int32Array;
  readonly from: Int32Array;
  readonly weights: Float64Array;
}

export interface MeanRound {
  readonly kind: "mean";
  readonly n: number;
  readonly keep: number;
}

/** A round of one level. */
export type FlatRound = CirculantRound | MatchingRound | SparseRound | MeanRound;

export interface GroupedRound {
  readonly kind: "grouped";
  readonly n: number;
  readonly groups: Groups;
  /** The size of the smallest group as planned: c. */
  readonly least: number;
  /** Between the groups, doubly stochastic: V. */
  readonly between: FlatRound;
  /** V with the weights that keep the mean of all nodes: A. */
  readonly weighted: FlatRound;
}

export type Round = FlatRound | GroupedRound;

export type Rows = Float64Array | Float32Array;

/** An edge from -> to carries weight w_{to, from}. */
export type Edge = readonly [from: number, to: number, weight: number];

/** Node i's own weight w_ii. */
export function selfWeight(round: Round, i: number): number {
  switch (round.kind) {
    case "circulant":
      return round.self;
    case "matching":
      return round.partner[i] === i ? 1 : 1 - round.weight;
    case "sparse":
      return round.self[i];
    case "mean":
      return round.keep + (1 - round.keep) / round.n;
    case "grouped":
      return groupedSelf(round, i);
  }
}

/** Calls visit(from, to, weight) for every edge into node `to`, in the order of additions. O(degree). */
export function forEachEdgeInto(
  round: Round,
  to: number,
  visit: (from: number, to: number, weight: number) => void,
): void {
  const { n } = round;
  switch (round.kind) {
    case "circulant":
      for (let k = 0; k < round.shifts.length; k++) {
        const from = to - round.shifts[k];
        visit(from < 0 ? from + n : from, to, round.weights[k]);
      }
      return;
    case "matching":
      if (round.partner[to] !== to) visit(round.partner[to], to, round.weight);
      return;
    case "sparse":
      for (let e = round.start[to]; e < round.start[to + 1]; e++) visit(round.from[e], to, round.weights[e]);
      return;
    case "mean":
      for (let shift = 1; shift < n; shift++) {
        visit(to < shift ? to - shift + n : to - shift, to, (1 - round.keep) / n);
      }
      return;
    case "grouped":
      for (const edge of groupedEdgesInto(round, to)) visit(...edge);
      return;
  }
}

/** Calls visit(from, to, weight) for every edge of the round. O(edges). */
export function forEachEdge(round: Round, visit: (from: number, to: number, weight: number) => void): void {
  for (let to = 0; to < round.n; to++) forEachEdgeInto(round, to, visit);
}

/**
 * The round as a dense n x n matrix, row by row: w[i n + j] = w_ij. An export for small n, 8 n^2 bytes.
 *
 * @example
 * ```ts
 * import { ring } from "equitopo";
 * import { denseMatrix } from "equitopo/round";
 * Array.from(denseMatrix(ring({ n: 4 }).round(0)).subarray(0, 4), (w) => w.toFixed(2)).join(" ") // => "0.33 0.33 0.00 0.33"
 * ```
 */
export function denseMatrix(round: Round): Float64Array {
  const { n } = round;
  const w = new Float64Array(n * n);
  for (let i = 0; i < n; i++) w[i * n + i] = selfWeight(round, i);
  forEachEdge(round, (from, to, weight) => {
    w[to * n + from] += weight;
  });
  return w;
}
