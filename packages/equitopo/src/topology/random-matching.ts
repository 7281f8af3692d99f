/**
 * Random perfect matching, drawn anew each round: the labels are put in a random order and taken two by two,
 *
 *   W(t) = (I + P) / 2,   P swaps o_t(2k) and o_t(2k + 1).
 *
 * Undirected, one peer per round, any n >= 2; where n is odd one node is idle. A round is a projection, and exactly
 *
 *   E |W x|^2 = 1/2 (1 - 1/(n-1)) |x|^2   (1/2 where n is odd)   for every x of sum 0.
 *
 * No list of length n: o_t is a keyed permutation, and peers(t, i) costs one walk through it and one back.
 */

import { seed } from "../input/option.ts";
import { streams } from "../random/stream.ts";
import { freshLabels } from "./fresh-labels.ts";
import { checkOptions, defineTopology, guarded, type Peers, type Topology } from "./topology.ts";

export interface RandomMatchingOptions {
  readonly n: number;
  readonly seed?: number;
}

const idle: Peers = { self: 1, from: [], to: [] };

/**
 * @example
 * ```ts
 * import { randomMatching } from "equitopo/topology";
 * const graph = randomMatching({ n: 300 });
 * (graph.rate().rate ** 2).toFixed(5) // => "0.49833"
 * const { node } = graph.peers(41, 7).from[0];
 * graph.peers(41, node).from[0].node // => 7
 * ```
 */
export function randomMatching(options: RandomMatchingOptions): Topology {
  checkOptions(randomMatchingFamily, options);
  const { n } = options;
  const { seed: from = 0 } = options;
  const { round, peers } = freshLabels(neighbours(n), 1, from, streams.roundLabels);
  const square = (Math.ceil(n / 2) - 1) / (n - 1);
  return guarded({
    name: "random-matching",
    n,
    kind: "random",
    directed: false,
    symmetric: true,
    maxDegree: 1,
    period: undefined,
    // A projection: E |W x|^2 = E x' W x.
    moments: { mean: square, square },
    spec: { name: "random-matching", n, seed: from },
    round,
    peers,
    rate: () => ({ rate: Math.sqrt(square), bound: null, method: "closed form" }),
  });
}

/** 0 with 1, 2 with 3, ...; the last is idle where n is odd. */
function neighbours(n: number): Pick<Topology, "n" | "round" | "peers"> {
  const partner = (i: number) => ((i ^ 1) < n ? i ^ 1 : i);
  return {
    n,
    round: () => {
      const partners = new Int32Array(n);
      for (let i = 0; i < n; i++) partners[i] = partner(i);
      return { kind: "matching", n, weight: 0.5, partner: partners };
    },
    peers(_t, i) {
      if (partner(i) === i) return idle;
      const link = [{ node: partner(i), weight: 0.5 }];
      return { self: 0.5, from: link, to: link };
    },
  };
}

export const randomMatchingFamily = defineTopology({
  name: "random-matching",
  summary: "undirected, one peer per round: a random perfect matching, drawn anew each round",
  source: "folklore; NoLoCo (2025) pairs this way",
  group: "rival",
  random: true,
  options: { seed },
  create: randomMatching,
});
