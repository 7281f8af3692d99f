/** The lazy form of rounds, (I + W) / 2: what D2, exact diffusion and NIDS mix with over graphs that change. */

import { forEachEdgeInto, type Round } from "../round/round.ts";
import { sparseRound } from "../topology/graph.ts";
import type { Link, Topology } from "../topology/topology.ts";

export function lazyRound(round: Round): Round {
  switch (round.kind) {
    case "circulant":
      return { ...round, self: (1 + round.self) / 2, weights: round.weights.map((weight) => weight / 2) };
    case "matching":
      return { ...round, weight: round.weight / 2 };
    case "sparse":
      return {
        ...round,
        self: round.self.map((weight) => (1 + weight) / 2),
        weights: round.weights.map((weight) => weight / 2),
      };
    case "mean":
      return { ...round, keep: (1 + round.keep) / 2 };
    case "grouped":
      // Half of a node's own row is no group's mean any more: written out, edge by edge.
      return lazyRound(sparseRound(round.n, (i) => linksInto(round, i)));
  }
}

function linksInto(round: Round, i: number): Link[] {
  const links: Link[] = [];
  forEachEdgeInto(round, i, (node, _to, weight) => links.push({ node, weight }));
  return links;
}

/** The same rounds, lazily, for gossip: nothing else of the topology holds of them. */
export function lazily(topology: Topology): Topology {
  const { exactAfter: _exact, moments: _moments, norm: _norm, pair: _pair, hierarchy: _groups, ...rest } = topology;
  return { ...rest, round: (t) => lazyRound(topology.round(t)) };
}
