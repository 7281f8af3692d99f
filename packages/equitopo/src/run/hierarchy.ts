/**
 * The key `hierarchy` of a spec: every topology of it is taken between groups of peers, in the place of single ones.
 *
 *   topologies: [{ name: ou-equidyn, n: 17 }],  hierarchy: { groups: [5, 5, 4, 3] }
 *   -> { name: hierarchy, n: 17, groups: [5, 5, 4, 3], between: { name: ou-equidyn } }
 *
 * n stays the number of peers. What is expanded names all groups, so that everybody has the same text; `by host` is
 * replaced by whoever knows the hosts (groupsByHost).
 */

import type { Optimiser } from "../algorithm/registry.ts";
import { InputError, inside, onlyKeys } from "../input/input.ts";
import { groupsOf } from "../round/groups.ts";
import { type Grouping, groupingOf, groupsOption } from "../topology/grouping.ts";
import type { Topology, TopologySpec } from "../topology/topology.ts";
import { isTopology } from "./own.ts";

/** What stands for the groups of peers that share a host. */
export const byHost = "by host";

export interface HierarchyKeys {
  /** Peers average exactly inside groups; the topologies go between them. */
  readonly hierarchy?: { readonly groups: Grouping | typeof byHost };
}

export const hierarchyKeys = ["hierarchy"] as const;

type Entry = TopologySpec | Topology;

/** The parts of a document that name topologies. */
interface Parts extends HierarchyKeys {
  readonly topologies?: readonly Entry[];
  readonly runs?: readonly { readonly topology: Entry }[];
}

/** The document with its topologies between groups; as it is where it has no `hierarchy`. */
export function withHierarchy<D extends Parts>(document: D): D {
  const { hierarchy, topologies, runs } = document;
  if (hierarchy === undefined) return document;
  const { groups } = inside("hierarchy", () => checkKey(hierarchy));
  const named = (entry: Entry) => {
    const composed = between(entry, groups);
    const label = `${(entry as TopologySpec)?.name} between groups`;
    return composed === entry ? entry : { label, ...composed };
  };
  const within = <R extends { readonly topology: Entry }>(run: R) => ({
    ...run,
    topology: between(run.topology, groups),
  });
  return {
    ...document,
    ...(Array.isArray(topologies) ? { topologies: topologies.map(named) } : {}),
    ...(Array.isArray(runs) ? { runs: runs.map(within) } : {}),
  };
}

function checkKey(hierarchy: unknown): { readonly groups: Grouping } {
  if (typeof hierarchy !== "object" || hierarchy === null || Array.isArray(hierarchy)) {
    throw new InputError("hierarchy must be an object with groups", hierarchy, "try { groups: by host }");
  }
  onlyKeys("hierarchy", hierarchy, ["groups"]);
  const { groups } = hierarchy as { groups?: unknown };
  if (groups === byHost) {
    throw new InputError(
      `groups: ${byHost} needs the hosts`,
      "none",
      "name them with --hosts FILE, start the peers under mpirun, or write the sizes of the groups",
    );
  }
  const checked = groupsOption.check("groups", groups);
  if (checked === undefined) throw new InputError("hierarchy must say its groups", groups, "try groups: 4");
  return { groups: checked };
}

/** One that is a hierarchy already stays, and what is no object is refused elsewhere. */
function between(entry: Entry, groups: Grouping): Entry {
  if (typeof entry !== "object" || entry === null || (entry as TopologySpec).name === "hierarchy") return entry;
  if (isTopology(entry)) {
    throw new InputError("hierarchy is for topologies by name", entry.name, "make it with hierarchy() yourself");
  }
  const { n, label, ...rest } = entry as TopologySpec;
  return { name: "hierarchy", n, groups, between: rest, ...(label === undefined ? {} : { label }) };
}

/**
 * Groups of the peers that share a host, in the order in which hosts first come: sizes where peers of a host follow one
 * another, members elsewhere. O(peers).
 *
 * @example
 * ```ts
 * import { groupsByHost } from "equitopo/run";
 * groupsByHost(["a", "a", "b", "b", "b"]) // => [2, 3]
 * groupsByHost(["a", "b", "a", "b"]) // => [[0, 2], [1, 3]]
 * ```
 */
export function groupsByHost(hosts: readonly string[]): Grouping {
  const members = new Map<string, number[]>();
  hosts.forEach((host, rank) => {
    const list = members.get(host);
    if (list === undefined) members.set(host, [rank]);
    else list.push(rank);
  });
  return groupingOf(groupsOf(hosts.length, [...members.values()]));
}

/** The document with the groups of these hosts' peers, where it says `by host`. */
export function withHosts<D extends HierarchyKeys>(document: D, hosts: readonly string[]): D {
  return document.hierarchy?.groups === byHost ? { ...document, hierarchy: { groups: groupsByHost(hosts) } } : document;
}

/** What a run may say beside its topology that groups do not bear. */
interface Beside {
  readonly robust?: unknown;
  readonly faults?: { readonly liars?: unknown } | undefined;
}

/**
 * Refuses what looks at single rows: messages in code (a group's mean is none of the rows that were encoded), defences and
 * liars (inside a group rows are added up before anybody could look at them).
 */
export function requireGroupable({ name, hierarchy }: Topology, { sends, spec }: Optimiser, beside: Beside): void {
  if (hierarchy === undefined) return;
  const refuse = (what: string, value: unknown, remedy: string) => {
    throw new InputError(`over ${name} ${what}`, value, remedy);
  };
  if (sends.compressed !== undefined) refuse("messages go as they are", spec.name, "leave out the compressor");
  if (beside.robust !== undefined) refuse("rows of a group are added up unseen", "robust", "leave it out");
  if (beside.faults?.liars !== undefined) refuse("nobody lies on purpose", "liars", "leave them out");
}
