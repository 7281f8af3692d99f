/** Topologies of membership epochs, and which runs and how many members they are for. */

import type { Optimiser } from "../../algorithm/registry.ts";
import { InputError } from "../../input/input.ts";
import { block } from "../../random/philox.ts";
import { streams } from "../../random/stream.ts";
import { robustFor } from "../../run/robust.ts";
import type { RunSpec } from "../../run/spec.ts";
import { topologies } from "../../topology/registry.ts";
import type { Topology, TopologySpec } from "../../topology/topology.ts";
import { topologyFor } from "../course/survivors.ts";
import type { Epoch } from "./epoch.ts";

/**
 * The topology of an epoch: the spec's family for as many nodes as there are members, redrawn from (seed, epoch) where it is
 * drawn at all. That of epoch 0 is the spec's own.
 *
 * @example
 * ```ts
 * import { epochTopology } from "equitopo/peer";
 * const spec = { name: "ou-equidyn", n: 3, seed: 7 };
 * const members = [0, 2, 3, 5].map((seat) => ({ seat, incarnation: 1, since: 0 }));
 * epochTopology(spec, { number: 1, members, first: 40 }).n // => 4
 * ```
 */
export function epochTopology(spec: TopologySpec, { number, members }: Epoch): Topology {
  const drawn = spec["relabel"] === true || "seed" in topologies.get(spec.name).options;
  if (number === 0 || !drawn) return topologyFor(spec, members.length);
  const words = new Uint32Array(4);
  block((spec["seed"] as number | undefined) ?? 0, streams.membership, number, 0, words);
  return topologyFor({ ...spec, seed: words[0] }, members.length);
}

/** Whether the run has a topology for so many members, and one that its defence accepts. */
export function fitsMembers(run: RunSpec, optimiser: Optimiser, members: number): boolean {
  try {
    const topology = topologyFor(run.topology, members);
    if (run.robust !== undefined) robustFor(run.robust, optimiser, topology);
    return true;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}
