/**
 * Groups of nodes, one for each machine: which node is in which group, and the exact mean inside each.
 *
 * The order of additions is part of the definition, as it is for rounds: a group's members by ascending label, then one
 * division, in double, rounded once to the rows' type.
 */

import type { Rows } from "./round.ts";

export interface Groups {
  readonly count: number;
  /** The members of group g are members[start[g]] .. members[start[g + 1] - 1], ascending. */
  readonly start: Int32Array;
  readonly members: Int32Array;
  /** The group of each node; -1 for one that takes no part. */
  readonly of: Int32Array;
}

/** Groups from their members, of n nodes in all. O(n). */
export function groupsOf(n: number, lists: readonly ArrayLike<number>[]): Groups {
  const start = new Int32Array(lists.length + 1);
  const of = new Int32Array(n).fill(-1);
  const members: number[] = [];
  lists.forEach((list, g) => {
    for (const i of Array.from(list).sort((a, b) => a - b)) {
      members.push(i);
      of[i] = g;
    }
    start[g + 1] = members.length;
  });
  return { count: lists.length, start, members: Int32Array.from(members), of };
}

export const sizeOf = ({ start }: Groups, g: number): number => start[g + 1] - start[g];

export const membersOf = ({ start, members }: Groups, g: number): Int32Array =>
  members.subarray(start[g], start[g + 1]);

/**
 * Who speaks for group g in an exchange of that number: the members in turn, so that the work goes round, and one that is
 * gone costs its group one exchange in s_g.
 */
export const leaderOf = ({ start, members }: Groups, g: number, exchange: number): number =>
  members[start[g] + (exchange % (start[g + 1] - start[g]))];

/** The size of the smallest group and whether all are as large. */
export function sizesOf(groups: Groups): { readonly least: number; readonly equal: boolean } {
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  for (let g = 0; g < groups.count; g++) {
    least = Math.min(least, sizeOf(groups, g));
    most = Math.max(most, sizeOf(groups, g));
  }
  return { least, equal: least === most };
}

/** The weight between a node of g and one of h that are not one and the same, from v_gh; `least` is c (grouped.ts). */
export const memberWeight = (groups: Groups, least: number, g: number, h: number, weight: number): number =>
  (least * weight) / (sizeOf(groups, g) * sizeOf(groups, h));

/** sum <- sum + the d numbers of x from `at` on: a mean is made of these, member by member, and of one division. */
export function addRow(sum: Float64Array, x: Rows, at = 0): void {
  for (let k = 0; k < sum.length; k++) sum[k] += x[at + k];
}

/** The mean of each group's rows into `means`, a row for each group; a group without members gets zeros. O(n d). */
export function groupMeans(groups: Groups, x: Rows, d: number, means: Rows): void {
  const sum = new Float64Array(d);
  for (let g = 0; g < groups.count; g++) {
    sum.fill(0);
    for (const i of membersOf(groups, g)) addRow(sum, x, i * d);
    const size = Math.max(1, sizeOf(groups, g));
    for (let k = 0; k < d; k++) means[g * d + k] = sum[k] / size;
  }
}

/** Every member's row in y becomes its group's. Who is in no group keeps what y has. O(n d). */
export function spreadRows(groups: Groups, rows: Rows, d: number, y: Rows): void {
  for (let g = 0; g < groups.count; g++) {
    const row = rows.subarray(g * d, (g + 1) * d);
    for (const i of membersOf(groups, g)) y.set(row, i * d);
  }
}
