/**
 * A static undirected graph with Metropolis-Hastings weights,
 *
 *   w_ij = 1 / (1 + max(d_i, d_j)),   w_ii = 1 - sum_j w_ij,
 *
 * which are the uniform 1/(d + 1) where the graph is regular; by option lazily, (I + W) / 2, or with one best weight on
 * every edge (weights.ts). What star, grid, torus, hypercube and the random graphs have in common. Memory O(edges).
 */

import { InputError, integer, nodes } from "../input/input.ts";
import { sparseRate } from "../rate/lanczos.ts";
import type { Rate } from "../rate/rate.ts";
import { PER_LISTED_EDGE, worked } from "../rate/watch.ts";
import { forEachEdge, type SparseRound } from "../round/round.ts";
import { byLabelDifference, type Neighbour, type Topology, type TopologySpec, topologyOf } from "./topology.ts";
import { type Ends, endsOf, factorOf, isConstant, rateFromEigenvalues } from "./weights.ts";

/**
 * The topology of an undirected graph given by its neighbours; `ends` are the extreme eigenvalues of its Metropolis
 * weights, where they have a closed form (a certified iteration otherwise). O(edges).
 *
 * @example
 * ```ts
 * import { graphTopology } from "equitopo";
 * // A path of four nodes.
 * const neighbours = (i: number) => [i - 1, i + 1].filter((j) => j >= 0 && j < 4);
 * const path = graphTopology({ name: "path", n: 4 }, neighbours);
 * path.peers(0, 0).self.toFixed(4) // => "0.6667"
 * path.rate().rate.toFixed(4) // => "0.8047"
 * graphTopology({ name: "path", n: 4, weights: "best-constant" }, neighbours).rate().rate.toFixed(4) // => "0.7071"
 * ```
 */
export function graphTopology(
  spec: TopologySpec,
  neighbours: (i: number) => Iterable<number>,
  ends?: () => Ends,
): Topology {
  const n = nodes(spec.n);
  const lists = Array.from({ length: n }, (_, i) => {
    const list = Array.from(neighbours(i), (j) => {
      if (j === i) throw new InputError("the neighbours of a node must be others", j, "leave it out of its own list");
      return integer("a neighbour", j, 0, n - 1);
    });
    worked((2 / 3) * PER_LISTED_EDGE * list.length);
    return list;
  });
  const most = lists.reduce((degree, list) => Math.max(degree, list.length), 0);
  // One weight for all is Metropolis' where all degrees are alike, and only there.
  const constant = isConstant(spec) && lists.some((list) => list.length !== most);
  const share = constant
    ? () => 1 / (1 + most)
    : (i: number, j: number) => 1 / (1 + Math.max(lists[i].length, lists[j].length));
  const closed = ends === undefined || constant ? {} : { ends };
  const links = (i: number) => lists[i].map((node) => ({ node, weight: share(i, node) }));
  return computedTopology(spec, { links, maxDegree: most, smallestSelf: 1 / (1 + most), ...closed });
}

export interface ComputedGraph {
  /** Node i's links in W0, each neighbour once, in any order; w_ii is what is missing to 1. */
  links(i: number): readonly Neighbour[];
  readonly maxDegree: number;
  /** The smallest w_ii of W0: best constant weights may take away that much. */
  readonly smallestSelf: number;
  /** The extreme eigenvalues of W0, where they have a closed form. */
  readonly ends?: () => Ends;
}

/**
 * A static symmetric W = (1 - f) I + f W0, f as the spec's `lazy` and `weights` say (weights.ts), that is computed from
 * labels: peers(t, i) costs O(degree log degree), and the round of the whole network, O(edges), is made when somebody asks
 * for it.
 */
export function computedTopology(spec: TopologySpec, graph: ComputedGraph): Topology {
  const { n } = spec;
  const { maxDegree, smallestSelf, ends } = graph;
  const factor = factorOf(spec, smallestSelf, ends ?? (() => endsOf(sparseRound(n, graph.links))));
  const linksOf = (i: number) => graph.links(i).map(({ node, weight }) => ({ node, weight: factor * weight }));
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
      const from = linksOf(i).sort(byLabelDifference(n, i));
      // As sparseRound takes them away, so that both have the same bits.
      const self = from.reduce((rest, { weight }) => rest - weight, 1);
      return { self: Math.max(0, self), from, to: from };
    },
    rate: () => (ends === undefined ? sparseRate(round(), true) : rateFromEigenvalues(ends(), factor)),
  });
}

/** W0 = (I + A)/(d + 1) of a regular graph from the neighbours of each node. */
export function regularGraph(degree: number, neighbours: (i: number) => readonly number[]): ComputedGraph {
  const weight = 1 / (degree + 1);
  const links = (i: number) => neighbours(i).map((node) => ({ node, weight }));
  return { links, maxDegree: degree, smallestSelf: weight };
}

/** A topology of one sparse round; used for graphs and for matrices that users bring. */
export function sparseTopology(
  spec: TopologySpec,
  round: SparseRound,
  symmetric: boolean,
  rate?: () => Rate,
): Topology {
  const n = nodes(spec.n);
  if (round.n !== n) throw new InputError(`the round must be one of n = ${n} nodes`, round.n, `try n = ${round.n}`);
  const outgoing = symmetric ? round : transposed(round);
  let maxDegree = 0;
  for (let i = 0; i < n; i++) maxDegree = Math.max(maxDegree, round.start[i + 1] - round.start[i]);
  return topologyOf({
    kind: "static",
    directed: !symmetric && hasOneWayEdge(round),
    symmetric,
    maxDegree,
    spec,
    round: () => round,
    peers: (_t, i) => ({ self: round.self[i], from: inLinks(round, i), to: inLinks(outgoing, i) }),
    rate: () => rate?.() ?? sparseRate(round, symmetric),
  });
}

function inLinks({ start, from, weights }: SparseRound, i: number): Neighbour[] {
  const links: Neighbour[] = [];
  for (let e = start[i]; e < start[i + 1]; e++) links.push({ node: from[e], weight: weights[e] });
  return links;
}

/**
 * A sparse round from the in-links of every node, self weights being what is missing to 1 (or as given). Nodes are asked
 * one by one and twice, so that the objects of a million edges need not all be there at once.
 */
export function sparseRound(n: number, links: (i: number) => readonly Neighbour[], self?: Float64Array): SparseRound {
  const start = new Int32Array(nodes(n) + 1);
  for (let i = 0; i < n; i++) {
    const { length } = links(i);
    start[i + 1] = start[i] + length;
    // The first way through takes a third of it.
    worked((length * PER_LISTED_EDGE) / 3);
  }
  const from = new Int32Array(start[n]);
  const weights = new Float64Array(start[n]);
  const rest = self ?? new Float64Array(n).fill(1);
  for (let i = 0; i < n; i++) {
    let e = start[i];
    for (const { node, weight } of [...links(i)].sort(byLabelDifference(n, i))) {
      from[e] = integer("a neighbour", node, 0, n - 1);
      weights[e++] = weight;
      if (self === undefined) rest[i] -= weight;
    }
    worked(((e - start[i]) * 2 * PER_LISTED_EDGE) / 3);
    // 1 - d/(d+1) may come out as -1e-17 on a node that keeps nothing.
    if (self === undefined) rest[i] = Math.max(0, rest[i]);
  }
  return { kind: "sparse", n, self: rest, start, from, weights };
}

/** The out-links of every node, as a round of their own: W^T. */
function transposed(round: SparseRound): SparseRound {
  const links: Neighbour[][] = Array.from({ length: round.n }, () => []);
  forEachEdge(round, (from, to, weight) => links[from].push({ node: to, weight }));
  return sparseRound(round.n, (i) => links[i], round.self);
}

/** Whether some edge has none in the opposite direction, whatever their weights. */
function hasOneWayEdge(round: SparseRound): boolean {
  const { n } = round;
  const edges = new Set<number>();
  forEachEdge(round, (from, to) => edges.add(to * n + from));
  return [...edges].some((edge) => !edges.has((edge % n) * n + Math.floor(edge / n)));
}

/** Whether every node can be reached from node 0 by steps from a node to one of its neighbours. O(edges). */
export function reachesAll(n: number, neighbours: (i: number) => ArrayLike<number>): boolean {
  return walkFrom(n, 0, neighbours).reached.length === n;
}

/** The nodes that can be reached from a node, the nearest first, and the steps to each: -1 where there is no way. O(edges). */
export function walkFrom(n: number, from: number, neighbours: (i: number) => ArrayLike<number>) {
  const steps = new Int32Array(n).fill(-1);
  const queue = new Int32Array(n).fill(from, 0, 1);
  steps[from] = 0;
  let reached = 1;
  for (let head = 0; head < reached; head++) {
    const list = neighbours(queue[head]);
    for (let k = 0; k < list.length; k++) {
      if (steps[list[k]] >= 0) continue;
      steps[list[k]] = steps[queue[head]] + 1;
      queue[reached++] = list[k];
    }
  }
  return { reached: queue.subarray(0, reached), steps };
}
