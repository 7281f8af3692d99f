/**
 * Complete graph: W = J, exact in one round at degree n - 1; lazily (I + J) / 2, rate 1/2. Also centralised averaging.
 * Metropolis weights are the best constant ones here. A single node is a complete graph, too: W = 1.
 */

import {
  checkOptions,
  defineTopology,
  type Neighbour,
  type Topology,
  type TopologySpec,
  topologyOf,
} from "./topology.ts";
import { type BaselineOptions, baselineSpec, lazy, rateFromEigenvalues } from "./weights.ts";

/**
 * @example
 * ```ts
 * import { complete } from "equitopo";
 * complete({ n: 5 }).rate().rate // => 0
 * ```
 */
export function complete(options: BaselineOptions): Topology {
  const { lazy: isLazy } = checkOptions(completeFamily, options);
  return meanTopology(baselineSpec("complete", options), isLazy ? 0.5 : 0);
}

/** W = keep I + (1 - keep) J. */
export function meanTopology(spec: TopologySpec, keep: number): Topology {
  const { n } = spec;
  const weight = (1 - keep) / n;
  const rate = rateFromEigenvalues({ largest: 0, smallest: 0 }, n === 1 ? 1 : 1 - keep);
  return topologyOf({
    kind: "static",
    symmetric: true,
    maxDegree: n - 1,
    ...(keep === 0 ? { exactAfter: 1 } : {}),
    spec,
    round: () => ({ kind: "mean", n, keep }),
    peers(_t, i) {
      const from: Neighbour[] = [];
      for (let s = 1; s < n; s++) from.push({ node: i < s ? i - s + n : i - s, weight });
      return { self: keep + weight, from, to: from };
    },
    rate: () => rate,
  });
}

export const completeFamily = defineTopology({
  name: "complete",
  summary: "undirected, static, degree n - 1: the exact mean in one round",
  source: "paper, section 1",
  group: "baseline",
  fewest: 1,
  options: { lazy },
  create: complete,
});
