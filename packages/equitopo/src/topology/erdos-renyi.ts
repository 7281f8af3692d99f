/**
 * Erdos-Renyi random graph G(n, p), p = (1 + a) ln n / n (paper, Table 1), drawn anew until it is connected; Metropolis
 * weights. Average degree (1 + a) ln n; the maximum, which is what a round costs, is reported as it is.
 */

import { InputError, real } from "../input/input.ts";
import { about, type Given, number, seed } from "../input/option.ts";
import { log } from "../number/elementary.ts";
import { RandomStream, streams } from "../random/stream.ts";
import { PER_DRAWN_EDGE, worked } from "../rate/watch.ts";
import { randomSteps } from "../rate/work.ts";
import { graphTopology, reachesAll } from "./graph.ts";
import { checkOptions, defineTopology, type Topology, type TopologyFamily } from "./topology.ts";
import { baselineSpec, undirectedOptions } from "./weights.ts";

export interface RandomGraphOptions extends Given<typeof randomGraphOptions> {}

/** The options of random graphs. How small and large a may be depends on n. */
export const randomGraphOptions = {
  /** The a of p = (1 + a) ln n / n and of r^2 = (1 + a) ln n / n; 1 by default. */
  a: about(number(1), "density (1 + A) ln n / n of a random graph, default 1", "A"),
  seed,
  ...undirectedOptions,
};

const MAX_DRAWS = 200;

/** A graph as it was drawn: everybody's neighbours and, where it has any, the points that they are. */
export interface DrawnGraph {
  readonly lists: readonly (readonly number[])[];
  readonly points?: NonNullable<Topology["points"]>;
}

/** Draws graphs, attempt after attempt, until one is connected. Shared with the geometric graph. */
export function drawConnectedGraph(
  family: TopologyFamily<typeof randomGraphOptions>,
  options: RandomGraphOptions,
  draw: (n: number, share: number, random: RandomStream) => DrawnGraph,
): Topology {
  const { n, a, seed: from } = checkOptions(family, options);
  real("a", a, { min: -1, max: n, open: "min" }, 1);
  const share = Math.min(1, ((1 + a) * log(n)) / n);
  for (let attempt = 0; attempt < MAX_DRAWS; attempt++) {
    const { lists, points } = draw(n, share, new RandomStream(from, streams.graph, attempt));
    if (!reachesAll(n, (i) => lists[i])) continue;
    const topology = graphTopology(baselineSpec(family.name, options, { a, seed: from }), (i) => lists[i]);
    return points === undefined ? topology : { ...topology, points };
  }
  throw new InputError(`a must be large enough to connect n = ${n} nodes in ${MAX_DRAWS} draws`, a, "try a = 1");
}

/**
 * @example
 * ```ts
 * import { erdosRenyi } from "equitopo";
 * const graph = erdosRenyi({ n: 100, seed: 1 });
 * graph.rate().rate < 1 // => true
 * ```
 */
export function erdosRenyi(options: RandomGraphOptions): Topology {
  return drawConnectedGraph(erdosRenyiFamily, options, (n, p, random) => {
    const lists: number[][] = Array.from({ length: n }, () => []);
    // Batagelj and Brandes: jump from one present pair (i, j), j < i, to the next. O(n + edges).
    const denominator = p < 1 ? log(1 - p) : Number.NEGATIVE_INFINITY;
    let i = 1;
    let j = -1;
    while (i < n) {
      worked(2 * PER_DRAWN_EDGE);
      j += 1 + Math.floor(log(1 - random.uniform()) / denominator);
      while (i < n && j >= i) {
        j -= i;
        i++;
      }
      if (i < n) {
        lists[i].push(j);
        lists[j].push(i);
      }
    }
    return { lists };
  });
}

export const erdosRenyiFamily = defineTopology({
  name: "erdos-renyi",
  summary: "undirected, static, random: each pair with probability (1 + a) ln n / n",
  source: "paper, Table 1",
  group: "baseline",
  options: randomGraphOptions,
  work({ n, a }) {
    const edges = Math.min(n, (1 + a) * log(n)) * n;
    return { edges, steps: randomSteps(n), lists: "drawn" };
  },
  create: erdosRenyi,
});
