/** Titles of topologies for people, and topologies found in labels. */

import { topologies } from "../topology/registry.ts";
import type { TopologyFamily } from "../topology/topology.ts";

/** The family of that name; undefined if none is registered. */
export function familyOf(name: string): TopologyFamily | undefined {
  return topologies.has(name) ? topologies.get(name) : undefined;
}

/**
 * A title for the name of a topology. O(1).
 *
 * @example
 * ```ts
 * import { titleOf } from "equitopo/picture";
 * titleOf("od-equidyn") // => "OD-EquiDyn"
 * titleOf("one-peer-exp") // => "One peer exp"
 * ```
 */
export function titleOf(name: string): string {
  return familyOf(name)?.title ?? `${name[0].toUpperCase()}${name.slice(1).replaceAll("-", " ")}`;
}

/** The topology that a label names: "OD-EquiDyn, M = 9" is od-equidyn; undefined if there is none. */
export function topologyOf(label: string): string | undefined {
  const plain = label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim();
  const names = topologies.names.sort((a, b) => b.length - a.length);
  return names.find((name) => ` ${plain} `.includes(` ${name.replaceAll("-", " ")} `));
}
