/**
 * Star: node 0 is everybody's neighbour. Metropolis weights 1/n; the eigenvalues beside 1 are 1 - 1/n (n - 2 times)
 * and 0. Degree n - 1.
 */

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
  const { n } = checkOptions(starFamily, options);
  const leaves = Array.from({ length: n - 1 }, (_, k) => k + 1);
  const ends = { largest: n === 2 ? 0 : 1 - 1 / n, smallest: 0 };
  return graphTopology(
    baselineSpec("star", options),
    (i) => (i === 0 ? leaves : [0]),
    () => ends,
  );
}

export const starFamily = defineTopology({
  name: "star",
  layout: "star",
  summary: "undirected, static, degree n - 1: everybody talks to node 0",
  source: "paper, section 1",
  group: "baseline",
  options: undirectedOptions,
  work: ({ n }) => ({ edges: 2 * n, lists: "made" }),
  create: star,
});
