/**
 * A static symmetric W that is computed from labels and not kept: node i's links follow from its label, so that peers(t, i) costs
 * O(degree log degree) and needs no list of length n. The round of the whole network, O(edges), is made when somebody
 * asks for it. What Paley, Margulis, LPS and D-Cliques have in common.
 */

import { sparseRate } from "../rate/lanczos.ts";
import type { SparseRound } from "../round/round.ts";
import { sparseRound } from "./graph.ts";
import { byLabelDifference, type Neighbour, type Topology, type TopologySpec, topologyOf } from "./topology.ts";
import { type Ends, endsOf, factorOf, rateFromEigenvalues } from "./weights.ts";

export interface ComputedGraph {
  /** Node i's links in W0, each neighbour once, in any order; w_ii is what is missing to 1. */
  links(i: number): readonly Neighbour[];
  readonly maxDegree: number;
  /** The smallest w_ii of W0: best constant weights may take away that much. */
  readonly smallestSelf: number;
  /** The extreme eigenvalues of W0, where they have a closed form. */
  readonly ends?: Ends;
}

/** The topology (1 - f) I + f W0, f as the spec's `lazy` and `weights` say (weights.ts). */
export function computedTopology(spec: TopologySpec, graph: ComputedGraph): Topology {
  const { n } = spec;
  const { maxDegree, smallestSelf, ends } = graph;
  const factor = factorOf(spec, smallestSelf, () => ends ?? endsOf(sparseRound(n, graph.links)));
  const linksOf = (i: number) => {
    const links = graph.links(i);
    return factor === 1 ? links : links.map(({ node, weight }): Neighbour => ({ node, weight: factor * weight }));
  };
  let whole: SparseRound | undefined;
  const round = () => {
    whole ??= sparseRound(n, linksOf);
    return whole;
  };
  return topologyOf({
    kind: "static",
    symmetric: true,
    maxDegree,
    spec,
    round,
    peers(_t, i) {
      const from = [...linksOf(i)].sort(byLabelDifference(n, i));
      // As sparseRound takes them away, so that both have the same bits.
      const self = from.reduce((rest, { weight }) => rest - weight, 1);
      return { self: Math.max(0, self), from, to: from };
    },
    rate: () => (ends === undefined ? sparseRate(round(), true) : rateFromEigenvalues(ends, factor)),
  });
}

/** W0 = (I + A)/(d + 1) of a regular graph from the neighbours of each node. */
export function regularGraph(degree: number, neighbours: (i: number) => readonly number[], ends?: Ends): ComputedGraph {
  const weight = 1 / (degree + 1);
  return {
    links: (i) => neighbours(i).map((node) => ({ node, weight })),
    maxDegree: degree,
    smallestSelf: weight,
    ...(ends === undefined ? {} : { ends }),
  };
}
