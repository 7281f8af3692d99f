/**
 * Star: node 0 is everybody's neighbour. Metropolis weights 1/n; the eigenvalues beside 1 are 1 - 1/n (n - 2 times)
 * and 0. Degree n - 1.
 */

import { listedWork, type RateWork } from "../rate/work.ts";
import { graphTopology } from "./graph.ts";
import { checkOptions, defineTopology, type Topology } from "./topology.ts";
import { baselineSpec, type UndirectedOptions, undirectedOptions } from "./weights.ts";

/**
 * @example
 * ```ts
 * import { star } from "equitopo";
 * star({ n: 10 }).rate().rate // => 0.9
 * ```
 */
export function star(options: UndirectedOptions): Topology {
  checkOptions(starFamily, options);
  const { n } = options;
  const leaves = Array.from({ length: n - 1 }, (_, k) => k + 1);
  return graphTopology(
    baselineSpec("star", options),
    (i) => (i === 0 ? leaves : [0]),
    () => ({ largest: n === 2 ? 0 : 1 - 1 / n, smallest: 0 }),
  );
}

export const starFamily = defineTopology({
  name: "star",
  summary: "undirected, static, degree n - 1: everybody talks to node 0",
  source: "paper, section 1",
  group: "baseline",
  options: undirectedOptions,
  create: star,
});

/** What its rate takes (topology/work.ts). */
export function starWork({ n }: UndirectedOptions): RateWork {
  return listedWork({ n, edges: 2 * n, steps: 0, lists: "made" });
}
