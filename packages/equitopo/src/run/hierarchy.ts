/**
 * The key `hierarchy` of a spec: every topology connects groups of peers instead of single peers.
 *
 *   topologies: [{ name: ou-equidyn, n: 17 }],  hierarchy: { groups: [5, 5, 4, 3] }
 *   -> { name: hierarchy, n: 17, groups: [5, 5, 4, 3], between: { name: ou-equidyn } }
 *
 * n is still the number of peers. Expanded specs list all groups, so that all peers have the same text; `by host` is replaced
 * by the program that knows the hosts (groupsByHost).
 */

import { InputError, inside } from "../input/input.ts";
import { type Option, required, settle } from "../input/option.ts";
import { groupsOf } from "../round/groups.ts";
import type { FileSpec } from "../topology/file.ts";
import { type Grouping, groupingOf, groupsOption } from "../topology/grouping.ts";
import type { Topology, TopologySpec } from "../topology/topology.ts";
import { isTopology } from "./own.ts";

/** The groups of peers that share a host. */
export const byHost = "by host";

export interface HierarchyKeys {
  /** Peers average exactly inside groups; the topologies connect the groups. */
  readonly hierarchy?: { readonly groups: Grouping | typeof byHost };
}

export const hierarchyKeys = ["hierarchy"] as const;

type Entry = TopologySpec | FileSpec | Topology;

/** The parts of a document that hold topologies. */
interface Parts extends HierarchyKeys {
  readonly topologies?: readonly Entry[];
  readonly runs?: readonly { readonly topology: Entry }[];
}

/** The document with its topologies between groups; unchanged if it has no `hierarchy`. */
export function withHierarchy<D extends Parts>(document: D): D {
  const { hierarchy, topologies, runs } = document;
  if (hierarchy === undefined) return document;
  const { groups } = inside("hierarchy", () => checkKey(hierarchy));
  const named = (entry: Entry) => {
    const composed = between(entry, groups);
    const label = `${(entry as TopologySpec)?.name} between groups`;
    return composed === entry ? entry : { label, ...composed };
  };
  return {
    ...document,
    ...(Array.isArray(topologies) ? { topologies: topologies.map(named) } : {}),
    ...(Array.isArray(runs) ? { runs: runs.map((run) => ({ ...run, topology: between(run.topology, groups) })) } : {}),
  };
}

function checkKey(hierarchy: unknown): { readonly groups: Grouping } {
  if (typeof hierarchy !== "object" || hierarchy === null || Array.isArray(hierarchy)) {
    throw new InputError("hierarchy must be an object with groups", hierarchy, "try { groups: by host }");
  }
  if ((hierarchy as { groups?: unknown }).groups === byHost) {
    const rule = `groups: ${byHost} needs the hosts`;
    const remedy = "name them with --hosts FILE, start the peers under mpirun, or write the sizes of the groups";
    throw new InputError(rule, "none", remedy);
  }
  return settle("hierarchy", { groups: required(groupsOption as Option<Grouping>) }, hierarchy);
}

/** A topology that already is a hierarchy stays; what is no object is refused elsewhere. */
function between(entry: Entry, groups: Grouping): Entry {
  if (typeof entry !== "object" || entry === null || (entry as TopologySpec).name === "hierarchy") return entry;
  if (isTopology(entry)) {
    const remedy = "make the hierarchy with hierarchy()";
    throw new InputError("the key hierarchy needs topologies by name", entry.name, remedy);
  }
  const { n, label, ...rest } = entry as TopologySpec;
  return { name: "hierarchy", n, groups, between: rest, ...(label === undefined ? {} : { label }) };
}

/**
 * The groups of peers that share a host, in the order in which the hosts first appear: sizes if peers of a host follow one
 * another, otherwise lists of members. O(peers).
 *
 * @example
 * ```ts
 * import { groupsByHost } from "equitopo/run";
 * groupsByHost(["a", "a", "b", "b", "b"]) // => [2, 3]
 * groupsByHost(["a", "b", "a", "b"]) // => [[0, 2], [1, 3]]
 * ```
 */
export function groupsByHost(hosts: readonly string[]): Grouping {
  const members = new Map(hosts.map((host): [string, number[]] => [host, []]));
  for (const [rank, host] of hosts.entries()) members.get(host)?.push(rank);
  return groupingOf(groupsOf(hosts.length, [...members.values()]));
}

/** The document with the groups of these hosts' peers instead of `by host`. */
export const withHosts = <D extends HierarchyKeys>(document: D, hosts: readonly string[]): D =>
  document.hierarchy?.groups === byHost ? { ...document, hierarchy: { groups: groupsByHost(hosts) } } : document;
