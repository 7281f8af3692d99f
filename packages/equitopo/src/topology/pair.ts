/** What rounds over two vectors a node (Topology.pair) have in common with those over one. */

import type { Round } from "../round/round.ts";
import type { Topology } from "./topology.ts";

/**
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
