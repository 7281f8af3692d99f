/**
 * How many messages each node sends in a round, and which hear another: one goes along every edge j -> i. In a grouped round
 * members send rows to their leader, who sends one message to each group that hears this one, and the result to each member.
 */

import { leaderOf, membersOf, sizeOf } from "./groups.ts";
import { forEachEdge, type GroupedRound, type Round } from "./round.ts";

/**
 * One number for all nodes where they agree, or one for each. O(n + edges) for sparse rounds, O(1) for shifts. The leader
 * of a group depends on the number of the exchange.
 */
export function messagesOf(round: Round, exchange = 0): number | Int32Array {
  if (round.kind === "circulant") return round.shifts.length;
  if (round.kind === "mean") return round.n - 1;
  if (round.kind === "grouped") return groupedMessages(round, exchange);
  const counts = new Int32Array(round.n);
  forEachEdge(round, (from) => {
    counts[from]++;
  });
  return counts;
}

function groupedMessages(round: GroupedRound, exchange: number): Int32Array {
  const { n, groups } = round;
  const counts = new Int32Array(n);
  const out = messagesBetween(round);
  for (let g = 0; g < groups.count; g++) {
    const leader = leaderOf(groups, g, exchange);
    for (const i of membersOf(groups, g)) counts[i] = i === leader ? sizeOf(groups, g) - 1 + out[g] : 1;
  }
  return counts;
}

/** How many messages each group sends to others. O(groups + edges between them). */
export function messagesBetween({ groups, between }: GroupedRound): Int32Array {
  const counts = messagesOf(between);
  return typeof counts === "number" ? new Int32Array(groups.count).fill(counts) : counts;
}

/** Takes the mark off every node that hears nobody in this round, because messages are dropped or nodes are down. O(n). */
export function unmarkUnheard(round: Round, heard: Uint8Array): void {
  if (round.kind === "matching") for (let i = 0; i < round.n; i++) heard[i] &= Number(round.partner[i] !== i);
  else if (round.kind === "sparse") {
    for (let i = 0; i < round.n; i++) heard[i] &= Number(round.start[i + 1] > round.start[i]);
  }
}
