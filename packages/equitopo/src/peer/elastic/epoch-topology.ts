/** The topology of a membership epoch: the spec's family for as many nodes as there are members, drawn from (seed, epoch). */

import { block } from "../../random/philox.ts";
import { streams } from "../../random/stream.ts";
import { topologies } from "../../topology/registry.ts";
import type { Topology, TopologySpec } from "../../topology/topology.ts";
import { topologyFor } from "../survivors.ts";
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
