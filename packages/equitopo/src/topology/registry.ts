/** Every family by name. A new one is one file and one line here; the law suite then runs on it by itself. */

import { nodes } from "../input/input.ts";
import { settle } from "../input/option.ts";
import { Registry } from "../input/registry.ts";
import { baseFamily } from "./base.ts";
import { completeFamily } from "./complete.ts";
import { dEquiStaticFamily } from "./d-equistatic.ts";
import { deBruijnFamily } from "./de-bruijn.ts";
import { doublingFamily } from "./doubling.ts";
import { erdosRenyiFamily } from "./erdos-renyi.ts";
import { geometricFamily } from "./geometric.ts";
import { gridFamily } from "./grid.ts";
import { hyperHypercubeFamily } from "./hyper-hypercube.ts";
import { hypercubeFamily } from "./hypercube.ts";
import { kPeerExpFamily } from "./k-peer-exp.ts";
import { odEquiDynFamily } from "./od-equidyn.ts";
import { onePeerExpFamily } from "./one-peer-exp.ts";
import { ouEquiDynFamily } from "./ou-equidyn.ts";
import { ringFamily } from "./ring.ts";
import { simpleBaseFamily } from "./simple-base.ts";
import { starFamily } from "./star.ts";
import { staticExpFamily } from "./static-exp.ts";
import type { Family, Topology, TopologySpec } from "./topology.ts";
import { torusFamily } from "./torus.ts";
import { uEquiStaticFamily } from "./u-equistatic.ts";

/** All of them, in the order of `equitopo list`; open to others. */
export const topologies = new Registry<Family>("topology", [
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
  hyperHypercubeFamily,
  simpleBaseFamily,
  baseFamily,
  kPeerExpFamily,
  deBruijnFamily,
  doublingFamily,
]);

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
export function createTopology(spec: TopologySpec): Topology {
  return buildTopology(topologies.get(spec.name), spec);
}

/** The topology that a spec describes as one of this family, registered or not. */
export function buildTopology(family: Family, { name, ...options }: TopologySpec): Topology {
  const n = nodes(options["n"]);
  return family.create({ ...settle(name, family.options, options, ["n"]), n });
}
