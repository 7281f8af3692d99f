/**
 * What it takes to build a topology and to find its rate, family by family. Beside the registry and not in it, so that a
 * page which only draws or runs topologies does not carry it; a plug-in's family brings its own (`Family.work`).
 */

import { nodes } from "../input/input.ts";
import { settle } from "../input/option.ts";
import { arrayWork, listedWork, PLAIN, type RateWork, randomSteps } from "../rate/work.ts";
import { baseWork } from "./base.ts";
import { cecaWork } from "./ceca.ts";
import { dCliquesWork } from "./d-cliques.ts";
import { dEquiStaticWork } from "./d-equistatic.ts";
import { erdosRenyiWork } from "./erdos-renyi.ts";
import { geometricWork } from "./geometric.ts";
import { gridWork } from "./grid.ts";
import { hypercubeWork } from "./hypercube.ts";
import { margulisWork } from "./margulis.ts";
import { matchaWork } from "./matcha-work.ts";
import { odEquiDynWork } from "./od-equidyn.ts";
import { onePeerExpWork } from "./one-peer-exp.ts";
import { ouEquiDynWork } from "./ou-equidyn.ts";
import { randomPermutationsWork } from "./random-permutations.ts";
import { randomRegularWork } from "./random-regular.ts";
import { createTopology, optionsOf, topologies } from "./registry.ts";
import { simpleBaseWork } from "./simple-base.ts";
import { starWork } from "./star.ts";
import { staticExpWork } from "./static-exp.ts";
import type { Family, TopologySpec } from "./topology.ts";
import { torusWork } from "./torus.ts";
import { uEquiStaticWork } from "./u-equistatic.ts";

/** n and an option that is a number. */
type With<K extends string> = Readonly<Record<K | "n", number>>;

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
  "random-permutations": randomPermutationsWork,
  "ceca-1p": cecaWork,
  "ceca-2p": cecaWork,
  base: baseWork,
  "simple-base": simpleBaseWork,
  matcha: ({ n, graph }: { readonly n: number; readonly graph: string }) => matchaWork(n, graph, createTopology),
  // Their rates have closed forms: what is left is a round of theirs, in lists or in arrays.
  "hyper-hypercube": ({ n }) => arrayWork(n, 0, 30),
  "de-bruijn": ({ n, p }: With<"p">) => listedWork({ n, edges: n * p, steps: 0, lists: "none" }),
  "designed-one-peer": ({ n }) => arrayWork(n, 900, 60),
  "random-matching": ({ n }) => arrayWork(n, 0, 30),
  "el-oracle": ({ n, s }: With<"s">) => listedWork({ n, edges: n * s, steps: 0, lists: "none" }),
  "el-local": ({ n, s }: With<"s">) => listedWork({ n, edges: n * s, steps: 0, lists: "drawn" }),
  "random-groups": ({ n, size }: With<"size">) => listedWork({ n, edges: 2 * n * (size - 1), steps: 0, lists: "none" }),
  paley: ({ n }) =>
    Number.isInteger(Math.sqrt(n))
      ? listedWork({ n, edges: (n * (n - 1)) / 2, steps: 0, lists: "none" })
      : arrayWork(n, 50, 60),
  lps: ({ n, p = 5 }: Partial<With<"p">> & With<never>) =>
    listedWork({ n, edges: n * (p + 1), steps: 1.5 * randomSteps(n), lists: "none" }),
  hierarchy: ({ n }) => listedWork({ n, edges: 0, steps: 0, lists: "made" }),
};

/**
 * What it takes to build the topology that a spec describes and to find its rate, before either is begun: undefined where
 * nobody has measured it, and where next to nothing is to be done. O(1); for matcha the base graph is made.
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
  const work = (family.work ?? works[name])?.({ ...given, n });
  return given["relabel"] === true && work !== undefined ? underFreshLabels(work) : work;
}

/** The graph, and a round of it under other labels; its rate has a closed form then. */
function underFreshLabels({ building, bytes, heap }: RateWork): RateWork {
  const operations = 2 * building;
  return { operations, building: operations, seconds: PLAIN * operations, bytes: 2 * bytes, heap };
}
