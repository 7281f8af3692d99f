/** What is simulated, taken out of the view: the same setting gives the same rounds and numbers, wherever and whenever. */

import { createTopology, type GossipStepOptions, type Topology, topologies } from "equitopo";
import { optionsOf } from "equitopo/internal/topology";
import type { Chosen } from "../view/topology-field.ts";
import type { View } from "../view/view.ts";

/** Everything but the topology: what several of them are run with. */
export type Setting = Pick<View, "n" | "seed" | "d" | "start" | "drop" | "push" | "kill" | "cut" | "alpha" | "beta">;

export function settingOf({ n, seed, d, start, drop, push, kill, cut, alpha, beta }: View): Setting {
  return { n, seed, d, start, drop, push, kill, cut, alpha, beta };
}

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
