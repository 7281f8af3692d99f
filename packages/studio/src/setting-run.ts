/** A setting in the library's words. For the worker: the page itself does without the library. */

import { createTopology, type GossipStepOptions, type Topology, topologies } from "equitopo";
import { optionsOf } from "equitopo/topology";
import type { Setting } from "./setting.ts";
import type { Chosen } from "./topology-field.ts";

/** The topology of this size; the seed is that of its draws, too, unless it brings one of its own. */
export function topologyOf(chosen: Chosen, { n, seed }: Pick<Setting, "n" | "seed">): Topology {
  const seeded = "seed" in optionsOf(topologies.get(chosen.name), chosen);
  return createTopology({ ...(seeded ? { seed } : {}), ...chosen, n });
}

/** The setting in the library's words. What concerns nodes that are not there is left out. */
export function optionsFor(topology: Topology, setting: Setting): GossipStepOptions {
  const { n, seed, d, start, drop, push, kill, cut, alpha, beta } = setting;
  return {
    ...{ d, seed, x0: start, drop, around: "now", latency: { alpha, beta } },
    // A topology that keeps two vectors needs no push-sum: its rows sum to 1 whatever is lost.
    pushSum: push && topology.pair === undefined,
    crash: kill.filter(({ node }) => node < n),
    cut: cut.filter(({ pair }) => Math.max(...pair) < n),
  };
}
