/**
 * Erdos-Renyi random graph G(n, p), p = (1 + a) ln n / n (paper, Table 1), drawn anew until it is connected; Metropolis
 * weights. Average degree (1 + a) ln n; the maximum, which is what a round costs, is reported as it is.
 */

import { InputError, real } from "../input/input.ts";
import { about, number, seed } from "../input/option.ts";
import { log } from "../number/elementary.ts";
import { RandomStream, streams } from "../random/stream.ts";
import { worked } from "../rate/watch.ts";
import { listedWork, PER_DRAWN_EDGE, type RateWork, randomSteps } from "../rate/work.ts";
import { graphTopology, isConnectedGraph } from "./graph.ts";
import { checkOptions, defineTopology, type Family, type Topology } from "./topology.ts";
import { baselineSpec, iterations, type UndirectedOptions, undirectedOptions } from "./weights.ts";

export interface RandomGraphOptions extends UndirectedOptions {
  /** The a of p = (1 + a) ln n / n and of r^2 = (1 + a) ln n / n; 1 by default. */
  readonly a?: number;
  readonly seed?: number;
}

/** The options of random graphs. How small and large a may be depends on n. */
export const randomGraphOptions = {
  a: about(number(1), "density (1 + A) ln n / n of a random graph, default 1", "A"),
  seed,
  ...undirectedOptions,
};

const MAX_DRAWS = 200;
/** So many pairs are drawn between two words about it. */
const TELL = 4096;

/** A graph as it was drawn: everybody's neighbours and, where it has any, the points that they are. */
export interface DrawnGraph {
  readonly lists: readonly (readonly number[])[];
  readonly points?: NonNullable<Topology["points"]>;
}

/** Draws graphs, attempt after attempt, until one is connected. Shared with the geometric graph. */
export function drawConnectedGraph(
  family: Family,
  options: RandomGraphOptions,
  draw: (n: number, share: number, random: RandomStream) => DrawnGraph,
): Topology {
  checkOptions(family, options);
  const { n, a = 1, seed: from = 0 } = options;
  real("a", a, { min: -1, max: n, open: "min" }, 1);
  const share = Math.min(1, ((1 + a) * log(n)) / n);
  for (let attempt = 0; attempt < MAX_DRAWS; attempt++) {
    const { lists, points } = draw(n, share, new RandomStream(from, streams.graph, attempt));
    if (!isConnectedGraph(lists)) continue;
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
    for (let drawn = 1; i < n; drawn++) {
      if (drawn % TELL === 0) worked(2 * TELL * PER_DRAWN_EDGE);
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
  create: erdosRenyi,
});

/** What its rate takes (topology/work.ts). */
export function erdosRenyiWork(options: RandomGraphOptions): RateWork {
  const { n, a = 1 } = options;
  const edges = Math.min(n, (1 + a) * log(n)) * n;
  return listedWork({ n, edges, steps: iterations(options) * randomSteps(n), lists: "drawn" });
}
