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

import { type Groups, sizeOf } from "./groups.ts";
import { type FlatRound, forEachEdgeInto, type GroupedRound, selfWeight } from "./round.ts";
import { SparseRows } from "./sparse-rows.ts";

/** The grouped round whose members are `groups`, `least` being c: the least size of the groups as they were planned. */
export function groupedRound(groups: Groups, least: number, between: FlatRound): GroupedRound {
  const n = groups.of.length;
  const weighted = Object.freeze(weightedRound(groups, least, between));
  return { kind: "grouped", n, groups, least, between, weighted };
}

/** c / s_g, the part of the weights of V that group g gives; 0 where nobody is there. */
export const groupShare = (least: number, size: number): number => (size === 0 ? 0 : least / size);

/** The weight that a group keeps, from v_gg; v_gg itself where its share is 1. */
export const ownWeight = (share: number, self: number): number => (share === 1 ? self : 1 - share * (1 - self));

/** A, from V. */
function weightedRound(groups: Groups, least: number, between: FlatRound): FlatRound {
  const { count } = groups;
  const shares = Float64Array.from({ length: count }, (_, g) => groupShare(least, sizeOf(groups, g)));
  if (shares.every((share) => share === 1)) return between;
  const rows = new SparseRows(count);
  for (let g = 0; g < count; g++) {
    forEachEdgeInto(between, g, (h, _to, weight) => rows.add(h, shares[g] * weight));
    rows.endRow();
  }
  return rows.round(shares.map((share, g) => ownWeight(share, selfWeight(between, g))));
}
