/**
 * Rounds in two levels: means inside groups, then a round between the groups. With m_g the exact mean of group g, s_g its
 * size, c the least size of all, and V the doubly stochastic round between the groups,
 *
 *   z_g = (1 - (c/s_g)(1 - v_gg)) m_g + sum over h != g of (c/s_g) v_gh m_h,      y_i = z_g for every i in g,
 *
 * that is z = A m with A = I - c S^-1 (I - V), S = diag(s). Why these weights:
 * - A 1 = 1, because V 1 = 1: agreement is kept;
 * - s'A = s' - c 1'(I - V) = s', because 1'V = 1': sum_g s_g z_g = sum_g s_g m_g, so the mean of all nodes is kept;
 * - no weight is negative, because c <= s_g, and none could be larger for all V: c v_gh is what flows from h to g;
 * - where all groups are equal A is V, to the last bit.
 *
 * As one n x n matrix w_ij = c v_gh / (s_g s_h) for i in g, j in h != g, and (1 - (c/s_g)(1 - v_gg)) / s_g inside g: doubly
 * stochastic, and symmetric where V is.
 *
 * Means and sums are rounded to the rows' type, because both travel: one member collects its group's rows, exchanges means
 * with those who do so elsewhere, and hands the result back. O((n + edges of V) d), where the matrix has O(n s) entries.
 */

import { type Groups, membersOf, sizeOf } from "./groups.ts";
import {
  type Edge,
  type FlatRound,
  forEachEdgeInto,
  type GroupedRound,
  type Round,
  type SparseRound,
  selfWeight,
} from "./round.ts";

/** The grouped round whose members are `groups`, `least` being c: the least size of the groups as they were planned. */
export function groupedRound(groups: Groups, least: number, between: FlatRound): GroupedRound {
  const n = groups.of.length;
  const weighted = Object.freeze(weightedRound(groups, least, between));
  return { kind: "grouped", n, groups, least, between, weighted };
}

/** c / s_g, the part of the weights of V that group g gives; 0 where nobody is there. */
export function groupShare(least: number, size: number): number {
  return size === 0 ? 0 : least / size;
}

/** The weight that a group keeps, from v_gg; v_gg itself where its share is 1. */
export function ownWeight(share: number, self: number): number {
  return share === 1 ? self : 1 - share * (1 - self);
}

/** A, from V. */
function weightedRound(groups: Groups, least: number, between: FlatRound): FlatRound {
  const { count } = groups;
  const shares = Float64Array.from({ length: count }, (_, g) => groupShare(least, sizeOf(groups, g)));
  if (shares.every((share) => share === 1)) return between;
  const self = new Float64Array(count);
  const start = new Int32Array(count + 1);
  const from: number[] = [];
  const weights: number[] = [];
  for (let g = 0; g < count; g++) {
    self[g] = ownWeight(shares[g], selfWeight(between, g));
    forEachEdgeInto(between, g, (h, _to, weight) => {
      from.push(h);
      weights.push(shares[g] * weight);
    });
    start[g + 1] = from.length;
  }
  const sparse: SparseRound = {
    ...{ kind: "sparse", n: count, self, start },
    ...{ from: Int32Array.from(from), weights: Float64Array.from(weights) },
  };
  return sparse;
}

/** w_ii of a node. */
export function groupedSelf({ groups, weighted }: GroupedRound, i: number): number {
  const g = groups.of[i];
  return g < 0 ? 1 : selfWeight(weighted, g) / sizeOf(groups, g);
}

/** The weight between a node of g and one of h that are not one and the same, from v_gh. */
export function memberWeight(groups: Groups, least: number, g: number, h: number, weight: number): number {
  return (least * weight) / (sizeOf(groups, g) * sizeOf(groups, h));
}

/** Node i's in-edges in the order of additions: by ascending (i - j) mod n. O(degree log degree). */
export function groupedEdgesInto(round: GroupedRound, to: number): Edge[] {
  const { n, groups, least, between } = round;
  const g = groups.of[to];
  if (g < 0) return [];
  const inside = groupedSelf(round, to);
  const edges: Edge[] = [];
  for (const j of membersOf(groups, g)) if (j !== to) edges.push([j, to, inside]);
  forEachEdgeInto(between, g, (h, _to, weight) => {
    const share = memberWeight(groups, least, g, h, weight);
    for (const j of membersOf(groups, h)) edges.push([j, to, share]);
  });
  const difference = (j: number) => (to < j ? to - j + n : to - j);
  return edges.filter(([, , weight]) => weight !== 0).sort(([a], [b]) => difference(a) - difference(b));
}

/** Whether a round has two levels. */
export const isGrouped = (round: Round): round is GroupedRound => round.kind === "grouped";
