/**
 * A round without its dropped messages is a round again. One of the two nodes has to keep the weight of a message that did
 * not arrive:
 *
 * - the receiver ("receiver"):  w_ii += w_ij. Rows still sum to 1, so the states stay averages of states; columns no
 *   longer do, so in a directed round the mean of all x drifts. In an undirected round an exchange fails on both sides,
 *   W stays symmetric and doubly stochastic, and the mean is exact.
 * - the sender ("sender"):      w_jj += w_ij. Columns still sum to 1, so the sum of all x is exact, but rows do not: x is
 *   then the numerator of push-sum, whose weights follow the same round (push-sum.ts). The sender has to learn that a
 *   message was dropped (by an acknowledgement that does not come).
 *
 * A grouped round stays a grouped one. In each exchange one member leads its group (round/groups.ts):
 *
 * - a member that its leader does not hear keeps its row; the k others take their mean, and exchange it as if they were
 *   the whole group with the size k: both ends of a link still move c v_gh between them, and the mean of all is kept;
 * - a group without its leader keeps its rows, and to the other groups its messages are dropped ones;
 * - a group with so few members left that it would owe others more than it has, k < c (1 - v_gg), takes its own mean, and
 *   to the other groups its messages are dropped ones as well;
 * - a dropped message between two leaders is one of V, as in any other round: in an undirected round both sides do
 *   without it and the mean of all is kept; in a directed one the mean moves by c v_gh (m_g - m_h) / n.
 */

import { InputError } from "../input/input.ts";
import { groupedRound } from "../round/grouped.ts";
import { groupsOf, leaderOf, membersOf } from "../round/groups.ts";
import type { FlatRound, GroupedRound, MatchingRound, Round } from "../round/round.ts";
import { forEachEdgeInto, selfWeight } from "../round/round.ts";
import { SparseRows } from "../round/sparse-rows.ts";

/** The complete graph has to be written out, edge by edge, once messages are dropped. */
const MAX_COMPLETE = 4096;

/** Which node keeps the weight of a dropped message, and which messages are dropped. */
type Keeper = "receiver" | "sender";
type Dropped = (from: number, to: number) => boolean;

/**
 * The round without the edges that `dropped` names; O(edges). A matching stays a matching, and a grouped round a grouped one,
 * whose leaders are those of that exchange.
 */
export function thinRound(round: Round, dropped: Dropped, keeper: Keeper, exchange = 0): Round {
  if (round.kind === "grouped") return thinGroups(round, exchange, { inside: dropped, between: dropped }, keeper);
  return thinFlat(round, dropped, keeper);
}

/** The same for rounds of one level. */
function thinFlat(round: FlatRound, dropped: Dropped, keeper: Keeper): FlatRound {
  const { n } = round;
  if (round.kind === "matching") return thinMatching(round, dropped);
  if (round.kind === "mean" && n > MAX_COMPLETE) {
    throw new InputError(`n must be at most ${MAX_COMPLETE} for faults on a complete graph`, n, "try another topology");
  }
  const self = Float64Array.from({ length: n }, (_, i) => selfWeight(round, i));
  const rows = new SparseRows(n);
  /** 1 for each node that is the keeper of a message that arrives: it shares weight with others. */
  const shares = new Uint8Array(n);
  for (let i = 0; i < n; i++) {
    forEachEdgeInto(round, i, (j, _, weight) => {
      const keeps = keeper === "receiver" ? i : j;
      if (dropped(j, i)) self[keeps] += weight;
      else {
        shares[keeps] = 1;
        rows.add(j, weight);
      }
    });
    rows.endRow();
  }
  // A node that keeps all its weights keeps 1, whatever their sum rounds to: a node that is down keeps its row to the last bit.
  for (let i = 0; i < n; i++) if (shares[i] === 0) self[i] = 1;
  return Object.freeze(rows.round(self));
}

function thinMatching(round: MatchingRound, dropped: Dropped): MatchingRound {
  const partner = round.partner.map((j, i) => (i < j && dropped(i, j) ? i : j));
  // The pair's other half follows the first.
  for (let i = 0; i < round.n; i++) if (partner[partner[i]] !== i) partner[i] = i;
  return Object.freeze({ ...round, partner });
}

export interface DroppedInGroups {
  /** Whether a message from one node of a group to another is dropped; of a node and itself: whether it is down. */
  inside(from: number, to: number): boolean;
  /** Whether the message between two leaders is dropped. */
  between(from: number, to: number): boolean;
}

/** A grouped round without its dropped messages. O(n + edges between groups). */
export function thinGroups(round: GroupedRound, exchange: number, dropped: DroppedInGroups, keeper: Keeper) {
  const { n, groups, least, between } = round;
  const leaders = Int32Array.from({ length: groups.count }, (_, g) => leaderOf(groups, g, exchange));
  const there = Array.from(leaders, (leader, g) =>
    dropped.inside(leader, leader)
      ? []
      : Array.from(membersOf(groups, g)).filter((i) => !dropped.inside(i, leader) && !dropped.inside(leader, i)),
  );
  const mute = there.map((members, g) => members.length < least * (1 - selfWeight(between, g)) || members.length === 0);
  const arrives = (h: number, g: number) => !mute[g] && !mute[h] && !dropped.between(leaders[h], leaders[g]);
  const thinned = thinFlat(between, (h, g) => !arrives(h, g), keeper);
  return Object.freeze(groupedRound(groupsOf(n, there), least, thinned));
}
