/**
 * What it takes to build a topology and to find its rate, family by family. Beside the registry and not in it, so that a
 * page which only draws or runs topologies does not carry it; a plug-in's family brings its own (`Family.work`).
 */

import { nodes } from "../input/input.ts";
import { settle } from "../input/option.ts";
import type { RateWork } from "../rate/work.ts";
import { dCliquesWork } from "./d-cliques.ts";
import { dEquiStaticWork } from "./d-equistatic.ts";
import { erdosRenyiWork } from "./erdos-renyi.ts";
import { geometricWork } from "./geometric.ts";
import { gridWork } from "./grid.ts";
import { hypercubeWork } from "./hypercube.ts";
import { margulisWork } from "./margulis.ts";
import { odEquiDynWork } from "./od-equidyn.ts";
import { onePeerExpWork } from "./one-peer-exp.ts";
import { ouEquiDynWork } from "./ou-equidyn.ts";
import { randomRegularWork } from "./random-regular.ts";
import { optionsOf, topologies } from "./registry.ts";
import { starWork } from "./star.ts";
import { staticExpWork } from "./static-exp.ts";
import type { Family, TopologySpec } from "./topology.ts";
import { torusWork } from "./torus.ts";
import { uEquiStaticWork } from "./u-equistatic.ts";

const works: Readonly<Record<string, NonNullable<Family["work"]>>> = {
  grid: gridWork,
  torus: torusWork,
  star: starWork,
  hypercube: hypercubeWork,
  "erdos-renyi": erdosRenyiWork,
  geometric: geometricWork,
  "random-regular": randomRegularWork,
  "d-equistatic": dEquiStaticWork,
  "u-equistatic": uEquiStaticWork,
  "static-exp": staticExpWork,
  "od-equidyn": odEquiDynWork,
  "ou-equidyn": ouEquiDynWork,
  "one-peer-exp": onePeerExpWork,
  margulis: margulisWork,
  "d-cliques": dCliquesWork,
};

/**
 * What it takes to build the topology that a spec describes and to find its rate, before either is begun: undefined where
 * nobody has measured it. O(1).
 *
 * @example
 * ```ts
 * import { rateWork } from "equitopo/topology";
 * const { operations, bytes } = rateWork({ name: "grid", n: 1_000_000 })!;
 * operations > 1e11 // => true
 * bytes < 1e9 // => true
 * ```
 */
export function rateWork({ name, ...options }: TopologySpec): RateWork | undefined {
  const family = topologies.get(name);
  const n = nodes(options["n"]);
  const given = settle(name, optionsOf(family, options), options, ["n"]);
  // Under fresh labels the rate has a closed form.
  if (given["relabel"] === true) return undefined;
  return (family.work ?? works[name])?.({ ...given, n });
}
