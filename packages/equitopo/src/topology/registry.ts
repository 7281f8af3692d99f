/** Every family by name. A new one is one file and one line here; the law suite then runs on it by itself. */

import { nodes } from "../input/input.ts";
import { type Options, seed, settle } from "../input/option.ts";
import { type ByName, type Choice, Registry, type Unwritten } from "../input/registry.ts";
import { baseFamily } from "./base.ts";
import { ceca1pFamily } from "./ceca-1p.ts";
import { ceca2pFamily } from "./ceca-2p.ts";
import { completeFamily } from "./complete.ts";
import { dCliquesFamily } from "./d-cliques.ts";
import { dEquiStaticFamily } from "./d-equistatic.ts";
import { deBruijnFamily } from "./de-bruijn.ts";
import { designedOnePeerFamily } from "./designed-one-peer.ts";
import { designedStaticFamily } from "./designed-static.ts";
import { doublingFamily } from "./doubling.ts";
import { elLocalFamily } from "./el-local.ts";
import { elOracleFamily } from "./el-oracle.ts";
import { erdosRenyiFamily } from "./erdos-renyi.ts";
import { type FileSpec, fileFamily } from "./file.ts";
import { geometricFamily } from "./geometric.ts";
import { gridFamily } from "./grid.ts";
import { hierarchyFamily } from "./hierarchy.ts";
import { hyperHypercubeFamily } from "./hyper-hypercube.ts";
import { hypercubeFamily } from "./hypercube.ts";
import { kPeerExpFamily } from "./k-peer-exp.ts";
import { lpsFamily } from "./lps.ts";
import { margulisFamily } from "./margulis.ts";
import { matchaFamily } from "./matcha.ts";
import { odEquiDynFamily } from "./od-equidyn.ts";
import { onePeerExpFamily } from "./one-peer-exp.ts";
import { ouEquiDynFamily } from "./ou-equidyn.ts";
import { paleyFamily } from "./paley.ts";
import { randomGroupsFamily } from "./random-groups.ts";
import { randomMatchingFamily } from "./random-matching.ts";
import { randomPermutationsFamily } from "./random-permutations.ts";
import { randomRegularFamily } from "./random-regular.ts";
import { refuseRelabel, relabel, relabelled } from "./relabel.ts";
import { ringFamily } from "./ring.ts";
import { simpleBaseFamily } from "./simple-base.ts";
import { starFamily } from "./star.ts";
import { staticExpFamily } from "./static-exp.ts";
import type { Topology, TopologyFamily, TopologySpec } from "./topology.ts";
import { torusFamily } from "./torus.ts";
import { uEquiStaticFamily } from "./u-equistatic.ts";

const members = [
  dEquiStaticFamily,
  uEquiStaticFamily,
  odEquiDynFamily,
  ouEquiDynFamily,
  ringFamily,
  starFamily,
  completeFamily,
  gridFamily,
  torusFamily,
  hypercubeFamily,
  staticExpFamily,
  onePeerExpFamily,
  erdosRenyiFamily,
  geometricFamily,
  designedStaticFamily,
  designedOnePeerFamily,
  hyperHypercubeFamily,
  simpleBaseFamily,
  baseFamily,
  kPeerExpFamily,
  deBruijnFamily,
  doublingFamily,
  randomPermutationsFamily,
  randomRegularFamily,
  paleyFamily,
  margulisFamily,
  lpsFamily,
  dCliquesFamily,
  matchaFamily(inner),
  ceca1pFamily,
  ceca2pFamily,
  randomMatchingFamily,
  elOracleFamily,
  elLocalFamily,
  randomGroupsFamily,
  hierarchyFamily((spec, seed) =>
    inner("seed" in optionsOf(topologies.get(spec.name), spec) ? { seed, ...spec } : spec),
  ),
];

/** All of them, in the order of `equitopo list`; open to others. */
export const topologies: Registry<TopologyFamily> = new Registry<TopologyFamily>("topology", members);
// Found by its name only.
topologies.add(fileFamily, "unlisted");

/** The families by name, for the compiler; a plug-in may declare its own. */
export interface TopologyMembers extends ByName<(typeof members)[number]> {}

/** What a program writes: the name of a family, n, and that family's options. */
export type TopologyChoice = Choice<
  TopologyMembers,
  { readonly n: number; readonly relabel?: boolean; readonly seed?: number }
>;

/** The topology inside another. */
function inner(spec: TopologySpec): Topology {
  return buildTopology(topologies.get(spec.name), spec);
}

/**
 * The topology that a spec describes: `{ name, n }` and that family's options.
 *
 * @example
 * ```ts
 * import { createTopology } from "equitopo";
 * const graph = createTopology({ name: "ou-equidyn", n: 17, construction: "euclid" });
 * createTopology(graph.spec).rate().rate === graph.rate().rate // => true
 * ```
 */
export function createTopology(spec: TopologyChoice | FileSpec): Topology;
export function createTopology<N extends string>(spec: Unwritten<TopologySpec, N>): Topology;
export function createTopology(spec: TopologySpec | FileSpec): Topology {
  return buildTopology(topologies.get(spec.name), spec as TopologySpec);
}

/** The topology that a spec describes as one of this family, registered or not; under fresh labels where it says so. */
export function buildTopology(family: TopologyFamily, spec: TopologySpec): Topology {
  const { own, labels } = settledOptions(family, spec);
  const topology = family.create(own);
  return labels === undefined ? topology : relabelled(topology, labels);
}

/** A spec's options, settled: n and those of the family itself, and the seed of fresh labels where it asks for them. */
export function settledOptions(family: TopologyFamily, { name, ...options }: TopologySpec) {
  const n = nodes(options["n"] ?? family.nodesOf?.(options), family.fewest);
  if (family.random && options["relabel"] !== undefined) refuseRelabel(name);
  const given = settle(name, optionsOf(family, options), options, ["n"]);
  const own = Object.fromEntries(Object.entries(given).filter(([key]) => key in family.options));
  return { own: { ...own, n }, labels: given["relabel"] === true ? (given["seed"] as number) : undefined };
}

/**
 * What is worth knowing of the topology that a spec describes, before it is built; undefined for most. O(1) to O(sqrt n).
 *
 * @example
 * ```ts
 * import { topologyNote } from "equitopo/topology";
 * topologyNote({ name: "grid", n: 13 }) // => "grid of 1 x 13 is a path: try n = 12 or 14 for two sides"
 * topologyNote({ name: "grid", n: 12 }) // => undefined
 * ```
 */
export function topologyNote({ name, ...options }: TopologySpec): string | undefined {
  return topologies.get(name).note?.(options);
}

/**
 * The options that a family takes beside n: its own and, unless its rounds are drawn anyway, `relabel`, which brings a
 * seed with it.
 */
export function optionsOf(family: TopologyFamily, given: Readonly<Record<string, unknown>> = {}): Options {
  if (family.random) return family.options;
  return { ...(given["relabel"] === true ? { seed } : {}), ...family.options, relabel };
}
