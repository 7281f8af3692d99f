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

import { type Given, seed } from "../input/option.ts";
import { redrawnEveryRound } from "./fresh-labels.ts";
import { pairRounds } from "./pairs.ts";
import { checkOptions, defineTopology, type Topology } from "./topology.ts";

export interface RandomMatchingOptions extends Given<{ seed: typeof seed }> {}

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
  const { n, seed: from } = checkOptions(randomMatchingFamily, options);
  // 0 with 1, 2 with 3, ...; the last is idle where n is odd.
  const neighbours = pairRounds(n, 0.5, (_t, i) => ((i ^ 1) < n ? i ^ 1 : i));
  const graph = { n, symmetric: true, maxDegree: 1, ...neighbours, written: { kind: "cliques", size: 2 } as const };
  return redrawnEveryRound({ name: "random-matching", n, seed: from }, graph, (Math.ceil(n / 2) - 1) / (n - 1));
}

export const randomMatchingFamily = defineTopology({
  name: "random-matching",
  summary: "undirected, one peer per round: a random perfect matching, drawn anew each round",
  source: "folklore; NoLoCo (2025) pairs this way",
  group: "rival",
  random: true,
  options: { seed },
  work: () => ({ bytesPerNode: 30 }),
  create: randomMatching,
});
