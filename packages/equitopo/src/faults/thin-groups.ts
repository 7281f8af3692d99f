/**
 * A grouped round of which not everything arrives, which is a grouped round again. In each exchange one member leads its
 * group (round/groups.ts):
 *
 * - a member that its leader does not hear of keeps its row; the k others take their mean, and exchange it as if they were
 *   the whole group with the size k: both ends of a link still move c v_gh between them, and the mean of all is kept;
 * - a group without its leader keeps its rows, and for the others its messages are lost;
 * - so does a group of which so few are there that it would owe others more than it has, k < c (1 - v_gg), but for its own
 *   mean, which it takes;
 * - a message between two leaders that is lost is one of V, as in any other round (thin.ts): in an undirected round both
 *   sides do without it and the mean of all is kept; in a directed one it moves by c v_gh (m_g - m_h) / n.
 */

import { groupedRound } from "../round/grouped.ts";
import { groupsOf, leaderOf, membersOf } from "../round/groups.ts";
import { type GroupedRound, selfWeight } from "../round/round.ts";
import { thinFlat } from "./thin.ts";

export interface LostInGroups {
  /** Whether two nodes of one group hear nothing of each other; of a node and itself: whether it is down. */
  inside(from: number, to: number): boolean;
  /** Whether the message between two leaders is lost. */
  between(from: number, to: number): boolean;
}

/** The round without what is lost. O(n + edges between groups). */
export function thinGroups(
  round: GroupedRound,
  exchange: number,
  lost: LostInGroups,
  keeper: "receiver" | "sender",
): GroupedRound {
  const { n, groups, least, between } = round;
  const leaders = Int32Array.from({ length: groups.count }, (_, g) => leaderOf(groups, g, exchange));
  const there = Array.from(leaders, (leader, g) =>
    lost.inside(leader, leader)
      ? []
      : Array.from(membersOf(groups, g)).filter((i) => !lost.inside(i, leader) && !lost.inside(leader, i)),
  );
  const mute = there.map((members, g) => members.length < least * (1 - selfWeight(between, g)) || members.length === 0);
  const arrives = (h: number, g: number) => !mute[g] && !mute[h] && !lost.between(leaders[h], leaders[g]);
  const thinned = thinFlat(between, (h, g) => !arrives(h, g), keeper);
  return Object.freeze(groupedRound(groupsOf(n, there), least, thinned));
}
