/** Whom a node hears and sends to in the rounds of a topology, as far as anybody can know it beforehand. */

import { leaderOf, membersOf } from "../../round/groups.ts";
import type { Topology } from "../../topology/topology.ts";

/**
 * Everybody that a node exchanges rows with in one of the first so many rounds, or hears in them. O(rounds degree), over
 * one period where there is one, and less where all others are found early.
 */
export function neighbours(topology: Topology, node: number, rounds: number, only?: "heard"): Set<number> {
  const found = new Set<number>();
  const last = topology.kind === "random" ? rounds : Math.min(rounds, topology.period ?? rounds);
  for (let t = 0; t < last && found.size < topology.n - 1; t++) {
    const { from, to } = topology.peers(t, node);
    for (const link of from) found.add(link.node);
    if (only === undefined) for (const link of to) found.add(link.node);
  }
  return found;
}

/** How many witnesses a peer can ask for (claims.ts): one where it hears of a single neighbour, whatever the round. */
export function witnessesOf(topology: Topology, rank: number): 1 | 2 {
  return neighbours(topology, rank, 256, "heard").size === 1 ? 1 : 2;
}

/** Whom a peer exchanges letters with in that round and exchange. O(its group and its links). */
export function partnersIn(topology: Topology, round: number, exchange: number, rank: number): number[] {
  const { hierarchy } = topology;
  if (hierarchy === undefined) {
    const { from, to } = topology.peers(round, rank);
    return [...new Set([...from, ...to].map(({ node }) => node))];
  }
  const { groups, between } = hierarchy;
  const g = groups.of[rank];
  const leader = leaderOf(groups, g, exchange);
  if (rank !== leader) return [leader];
  const { from, to } = between.peers(round, g);
  const far = [...from, ...to].map(({ node }) => leaderOf(groups, node, exchange));
  return [...new Set([...membersOf(groups, g), ...far])].filter((peer) => peer !== rank);
}
