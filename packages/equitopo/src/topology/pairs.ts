/** Rounds of pairs that exchange with one weight, and rounds over two vectors a node. */

import type { Round } from "../round/round.ts";
import type { Neighbour, Peers, Topology } from "./topology.ts";

const idle: Peers = { self: 1, from: [], to: [] };

/**
 * Rounds of pairs that exchange with one weight, (1 - w) x_i + w x_j: node i's partner in round t is itself where it is idle.
 *
 * `all(t)` are everybody's partners, where there is a quicker way to them than one by one.
 */
export function pairRounds(
  n: number,
  weight: number,
  partner: (t: number, i: number) => number,
  all?: (t: number) => Int32Array,
): Pick<Topology, "round" | "peers"> {
  const oneByOne = (t: number) => {
    // A plain loop: Int32Array.from with a function takes longer than the round that is applied afterwards.
    const partners = new Int32Array(n);
    for (let i = 0; i < n; i++) partners[i] = partner(t, i);
    return partners;
  };
  return {
    round: (t) => ({ kind: "matching", n, weight, partner: (all ?? oneByOne)(t) }),
    peers(t, i) {
      const node = partner(t, i);
      if (node === i) return idle;
      const link: Neighbour[] = [{ node, weight }];
      return { self: 1 - weight, from: link, to: link };
    },
  };
}

/**
 * What rounds over two vectors a node (Topology.pair) have in common with those over one.
 *
 * What round t does to x where z = x, as a round over one vector: x <- x.own x + x.heard r. That of a topology without
 * pairs is its round itself.
 */
export function sharedRound(topology: Topology, t: number): Round {
  const round = topology.round(t);
  const pair = topology.pair?.(t);
  if (pair === undefined) return round;
  const { own, heard } = pair.x;
  switch (round.kind) {
    case "circulant":
      return { ...round, self: own, weights: Float64Array.of(heard) };
    case "matching":
      return { ...round, weight: heard };
    case "sparse":
      return { ...round, self: round.self.map(() => own), weights: round.weights.map(() => heard) };
    case "mean":
    case "grouped":
      return round;
  }
}
