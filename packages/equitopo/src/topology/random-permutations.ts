/**
 * Random permutations: W = (I + P_1 + ... + P_d)/(d + 1), each P_k the matrix of a random permutation, drawn anew together
 * until they connect all nodes. Node i hears pi_k(i) and is heard by the i' with pi_k(i') = i; a fixed point adds to the own
 * weight, what two permutations share adds up. Where any two nodes are taken is uniform before it is drawn anew; whole
 * permutations are not (random/permutation.ts): where n is an odd square, say, all of them are even.
 *
 * Directed, static, doubly stochastic, any n >= 2, degree up to d (ceil(log2 n) by default). Rate near 2 sqrt(d)/(d + 1);
 * W is not normal, and its eigenvalues, which decide in the long run, are smaller: near 1/sqrt(d + 1).
 *
 * No list of length n: the permutations are keyed ones, and a node walks through each of them forwards, for whom it
 * hears, and backwards, for who hears it, in O(d). Only when it is made all n nodes are looked at once, O(n d), for whether
 * they are connected.
 */

import { InputError } from "../input/input.ts";
import { about, type Given, optional, seed, whole } from "../input/option.ts";
import { ceilLog2 } from "../number/integers.ts";
import { KeyedPermutation } from "../random/permutation.ts";
import { streams } from "../random/stream.ts";
import { sparseRate } from "../rate/lanczos.ts";
import { worked } from "../rate/watch.ts";
import { randomSteps } from "../rate/work.ts";
import type { SparseRound } from "../round/round.ts";
import { reachesAll, sparseRound } from "./graph.ts";
import { byLabelDifference, checkOptions, defineTopology, type Topology, topologyOf } from "./topology.ts";

export interface RandomPermutationsOptions extends Given<typeof permutationOptions> {}

const permutationOptions = {
  /** How many permutations; ceil(log2 n) by default. */
  d: about(optional(whole(9, 1, 1000)), "permutations, or the degree of a random regular graph", "D"),
  seed,
};

/** One permutation alone connects n nodes in one draw of n. */
const MAX_DRAWS = 2000;

/**
 * @example
 * ```ts
 * import { randomPermutations } from "equitopo/topology";
 * const graph = randomPermutations({ n: 300, d: 9 });
 * graph.maxDegree // => 9
 * Math.abs(graph.rate().rate - 2 * Math.sqrt(9) / 10) < 0.03 // => true
 * ```
 */
export function randomPermutations(options: RandomPermutationsOptions): Topology {
  const { n, d = ceilLog2(n), seed: from } = checkOptions(randomPermutationsFamily, options);
  const permutations = drawConnected(n, d, from);
  const links = (direction: "forward" | "inverse", i: number) => {
    const counts = new Map<number, number>();
    for (const permutation of permutations) {
      const node = permutation[direction](i);
      if (node !== i) counts.set(node, (counts.get(node) ?? 0) + 1);
    }
    return Array.from(counts, ([node, count]) => ({ node, weight: count / (d + 1) })).sort(byLabelDifference(n, i));
  };
  const self = (i: number) =>
    permutations.reduce((own, permutation) => own + (permutation.forward(i) === i ? 1 : 0), 1) / (d + 1);
  let whole: SparseRound | undefined;
  const round = () => {
    whole ??= sparseRound(
      n,
      (i) => links("forward", i),
      new Float64Array(n).map((_, i) => self(i)),
    );
    return whole;
  };
  let maxDegree = 0;
  let symmetric = true;
  let directed = false;
  for (let i = 0; i < n && (maxDegree < d || !directed); i++) {
    const heard = links("forward", i);
    const hearing = links("inverse", i);
    maxDegree = Math.max(maxDegree, heard.length);
    directed ||= heard.some((a) => !hearing.some((b) => a.node === b.node));
    symmetric &&= heard.every((a) => hearing.some((b) => a.node === b.node && a.weight === b.weight));
  }
  return topologyOf({
    kind: "static",
    directed,
    symmetric,
    maxDegree,
    spec: { name: "random-permutations", n, d, seed: from },
    round,
    peers: (_t, i) => ({ self: self(i), from: links("forward", i), to: links("inverse", i) }),
    rate: () => sparseRate(round(), symmetric),
  });
}

function drawConnected(n: number, d: number, seed: number): KeyedPermutation[] {
  for (let attempt = 0; attempt < MAX_DRAWS; attempt++) {
    const drawn = Array.from({ length: d }, (_, k) =>
      new KeyedPermutation(n, seed, streams.permutations).at(attempt * d + k),
    );
    // What leads from node 0 to everybody leads from each to each: permutations come back.
    const heard = (i: number) => {
      worked(d);
      return drawn.map((permutation) => permutation.forward(i));
    };
    if (reachesAll(n, heard)) return drawn;
  }
  throw new InputError(`d must be large enough to connect n = ${n} nodes in ${MAX_DRAWS} draws`, d, `try d = ${d + 1}`);
}

export const randomPermutationsFamily = defineTopology({
  name: "random-permutations",
  summary: "directed, static, degree up to d: the mean of d random permutations and the own value",
  source: "Friedman 1991",
  group: "rival",
  options: permutationOptions,
  variants: (_n, degree) => [{ d: degree }],
  work({ n, d = ceilLog2(n) }) {
    // One permutation is a cycle.
    const rate = d === 1 ? 1 - 1 / (n * n) : (2 * Math.sqrt(d)) / (d + 1);
    return { edges: n * Math.min(d, n - 1), steps: randomSteps(n), rate };
  },
  create: randomPermutations,
});
