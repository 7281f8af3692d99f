/**
 * The rounds of a graph under labels that are drawn anew for every block of m rounds: with o_s the keyed permutation of
 * block s = floor(t / m), node o_s(i) does in round t what node i of the graph does. What relabelled graphs, random
 * matchings, EL-Oracle and random groups have in common. A node finds its peers in O(its degree) and two or three walks
 * through the permutation; nobody holds a list of length n.
 */

import { KeyedPermutation } from "../random/permutation.ts";
import { streams } from "../random/stream.ts";
import { forEachEdge, forEachEdgeInto, type Round, type SparseRound, selfWeight } from "../round/round.ts";
import type { WrittenRound } from "./plan/rule.ts";
import { written } from "./plan/rule-of.ts";
import { byLabelDifference, type Neighbour, type Topology, type TopologySpec, topologyOf } from "./topology.ts";

/** What is relabelled: rounds and peers, and nothing else of a topology. */
export type Labelled = Pick<Topology, "n" | "round" | "peers">;

/** `inner` under the labels of (seed, stream), drawn at the start of every `block` rounds. */
export function freshLabels(inner: Labelled, block: number, seed: number, stream: number): Labelled {
  const { n } = inner;
  const labels = new KeyedPermutation(n, seed, stream);
  const at = (t: number) => labels.at(block === 1 ? t : Math.floor(t / block));
  return {
    n,
    round: (t) => underLabels(inner.round(t), at(t)),
    peers(t, i) {
      const order = at(t);
      const { self, from, to } = inner.peers(t, order.inverse(i));
      const links = renamed(order, n, i, from);
      return { self, from: links, to: to === from ? links : renamed(order, n, i, to) };
    },
  };
}

/**
 * A graph under labels of their own in every round. Its W is a projection, or has equal weights: both moments are `square`,
 * E x'W x = E |W x|^2 = square |x|^2 for every x of sum 0.
 */
export function redrawnEveryRound(
  spec: TopologySpec & { readonly seed: number },
  graph: Labelled & Pick<Topology, "symmetric" | "maxDegree"> & { readonly written?: WrittenRound },
  square: number,
): Topology {
  const { symmetric, maxDegree, written: known } = graph;
  return topologyOf({
    kind: "random",
    symmetric,
    maxDegree,
    moments: { mean: square, square },
    spec,
    rule() {
      const rounds = known === undefined ? written(graph.round, 1) : [known];
      return { name: "labels", of: { name: "table", rounds }, block: 1, seed: spec.seed, stream: streams.roundLabels };
    },
    ...freshLabels(graph, 1, spec.seed, streams.roundLabels),
    rate: () => ({ rate: Math.sqrt(square), bound: null, method: "closed form" }),
  });
}

/** Links under new labels, in the order of additions at node i. */
function renamed(order: KeyedPermutation, n: number, i: number, links: readonly Neighbour[]): readonly Neighbour[] {
  // A plain loop: every node of a large network asks in every round.
  const fresh: Neighbour[] = [];
  for (let k = 0; k < links.length; k++) {
    fresh.push({ node: order.forward(links[k].node), weight: links[k].weight });
  }
  return fresh.length > 1 ? fresh.sort(byLabelDifference(n, i)) : fresh;
}

/** The same round among nodes whose labels are o(0), o(1), ...: a matching stays one, and so does the mean. O(edges). */
function underLabels(round: Round, order: KeyedPermutation): Round {
  const { n } = round;
  if (round.kind === "mean") return round;
  const label = new Int32Array(n);
  for (let i = 0; i < n; i++) label[i] = order.forward(i);
  if (round.kind === "matching") {
    const partner = new Int32Array(n);
    for (let i = 0; i < n; i++) partner[label[i]] = label[round.partner[i]];
    return { ...round, partner };
  }
  return relabelledSparse(round, label);
}

/** In-edges of the longest row that is sorted by insertion: beyond that a sort by keys is faster. */
const SHORT = 24;

/** A sparse round (shifts are one, too) among nodes of other labels, every row put into the order of additions anew. */
function relabelledSparse(round: Round, label: Int32Array): SparseRound {
  const { n } = round;
  const start = new Int32Array(n + 1);
  forEachEdge(round, (_from, to) => {
    start[label[to] + 1]++;
  });
  for (let i = 0; i < n; i++) start[i + 1] += start[i];
  const self = new Float64Array(n);
  const from = new Int32Array(start[n]);
  const weights = new Float64Array(start[n]);
  for (let old = 0; old < n; old++) {
    const i = label[old];
    const first = start[i];
    const short = start[i + 1] - first <= SHORT;
    const difference = (j: number) => (j < i ? i - j : i - j + n);
    let end = first;
    self[i] = selfWeight(round, old);
    forEachEdgeInto(round, old, (source, _to, weight) => {
      const j = label[source];
      let e = end++;
      for (; short && e > first && difference(from[e - 1]) > difference(j); e--) {
        from[e] = from[e - 1];
        weights[e] = weights[e - 1];
      }
      from[e] = j;
      weights[e] = weight;
    });
    if (!short) sortRow(from.subarray(first, end), weights.subarray(first, end), difference);
  }
  return { kind: "sparse", n, self, start, from, weights };
}

function sortRow(from: Int32Array, weights: Float64Array, difference: (j: number) => number): void {
  const count = from.length;
  // Label difference and place in one number, exact as long as n times the degree is below 2^53: typed arrays sort numbers much faster than a comparison does.
  const keys = Float64Array.from(from, (j, k) => difference(j) * count + k).sort();
  const [oldFrom, oldWeights] = [from.slice(), weights.slice()];
  keys.forEach((key, e) => {
    from[e] = oldFrom[key % count];
    weights[e] = oldWeights[key % count];
  });
}
