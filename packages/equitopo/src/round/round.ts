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
 * A round never changes once it is there: topologies hand out frozen ones, and static topologies the same object each time,
 * so a count of what a round sends may be kept by the object. The numbers in its arrays cannot be frozen; code that
 * writes to them must make a round of its own.
 *
 * The order of additions is part of the definition, because every engine must give the same bits: own weight first,
 * then in-neighbours j by ascending (i - j) mod n; for `mean`, labels 0, 1, ..., n - 1, then one division.
 */

import { type Groups, membersOf, memberWeight, sizeOf } from "./groups.ts";

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
  if (round.kind === "circulant") return round.self;
  if (round.kind === "matching") return round.partner[i] === i ? 1 : 1 - round.weight;
  if (round.kind === "sparse") return round.self[i];
  if (round.kind === "mean") return round.keep + (1 - round.keep) / round.n;
  const g = round.groups.of[i];
  return g < 0 ? 1 : selfWeight(round.weighted, g) / sizeOf(round.groups, g);
}

/** (i - u) mod n, for i and u in [0, n). */
const before = (i: number, u: number, n: number) => (i < u ? i - u + n : i - u);

/** Calls visit(from, to, weight) for every edge into node `to`, in the order of additions. O(degree). */
export function forEachEdgeInto(round: Round, to: number, visit: (from: number, to: number, weight: number) => void) {
  const { n } = round;
  if (round.kind === "circulant") {
    for (let k = 0; k < round.shifts.length; k++) visit(before(to, round.shifts[k], n), to, round.weights[k]);
  } else if (round.kind === "matching") {
    if (round.partner[to] !== to) visit(round.partner[to], to, round.weight);
  } else if (round.kind === "sparse") {
    for (let e = round.start[to]; e < round.start[to + 1]; e++) visit(round.from[e], to, round.weights[e]);
  } else if (round.kind === "mean") {
    for (let shift = 1; shift < n; shift++) visit(before(to, shift, n), to, (1 - round.keep) / n);
  } else for (const edge of groupedEdgesInto(round, to)) visit(...edge);
}

/** Node i's in-edges of a grouped round, in the order of additions. O(degree log degree). */
function groupedEdgesInto(round: GroupedRound, to: number): Edge[] {
  const { n, groups, least, between } = round;
  const g = groups.of[to];
  if (g < 0) return [];
  const inside = selfWeight(round, to);
  const edges: Edge[] = [];
  for (const j of membersOf(groups, g)) if (j !== to) edges.push([j, to, inside]);
  forEachEdgeInto(between, g, (h, _to, weight) => {
    const share = memberWeight(groups, least, g, h, weight);
    for (const j of membersOf(groups, h)) edges.push([j, to, share]);
  });
  return edges.filter(([, , weight]) => weight !== 0).sort(([a], [b]) => before(to, a, n) - before(to, b, n));
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
