/**
 * Star: node 0 is everybody's neighbour. Metropolis weights 1/n; the eigenvalues beside 1 are 1 - 1/n (n - 2 times)
 * and 0. Degree n - 1.
 */

import { nodes } from "../input/input.ts";
import { type BaselineOptions, baselineSpec, graphTopology, lazy, rateFromEigenvalues } from "./graph.ts";
import { defineTopology, type Topology } from "./topology.ts";

/**
 * @example
 * ```ts
 * import { star } from "equitopo";
 * star({ n: 10 }).rate().rate // => 0.9
 * ```
 */
export function star(options: BaselineOptions): Topology {
  const n = nodes(options.n);
  const leaves = Array.from({ length: n - 1 }, (_, k) => k + 1);
  return graphTopology(
    baselineSpec("star", options),
    (i) => (i === 0 ? leaves : [0]),
    () => rateFromEigenvalues(n === 2 ? 0 : 1 - 1 / n, 0, options.lazy),
  );
}

export const starFamily = defineTopology({
  name: "star",
  summary: "undirected, static, degree n - 1: everybody talks to node 0",
  source: "paper, section 1",
  group: "baseline",
  options: { lazy },
  create: star,
});
