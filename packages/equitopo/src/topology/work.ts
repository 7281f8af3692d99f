/** What it takes to find rates, of specs and of graphs that somebody brings. Apart from the registry, so that a page does not carry the model. */

import { PLAIN, type RateWork, randomSteps, rateWorkOf } from "../rate/work.ts";
import type { SparseRound } from "../round/round.ts";
import { walkFrom } from "./graph.ts";
import { settledOptions, topologies } from "./registry.ts";
import type { Topology, TopologySpec } from "./topology.ts";
import { isConstant } from "./weights.ts";

/**
 * What it takes to build the topology that a spec describes and to find its rate, before either is begun: undefined where
 * next to nothing is to be done, or where nobody has measured it. O(1).
 *
 * @example
 * ```ts
 * import { rateWork } from "equitopo/topology";
 * const { operations, bytes } = rateWork({ name: "grid", n: 1_000_000 })!;
 * operations > 1e11 // => true
 * bytes < 1e9 // => true
 * ```
 */
export function rateWork(spec: TopologySpec): RateWork | undefined {
  const family = topologies.get(spec.name);
  const { own, labels } = settledOptions(family, spec);
  const work = family.work?.(own);
  if (work === undefined) return undefined;
  // Best weights ask for the ends of the spectrum before there are weights: the iteration is made twice.
  const twice = "edges" in work && work.steps !== undefined && isConstant(spec);
  const found = rateWorkOf(own.n, twice ? { ...work, steps: 2 * work.steps } : work);
  if (labels === undefined) return found;
  // The graph, and a round of it under other labels; the rate has a closed form then.
  const operations = 2 * found.building;
  return { ...found, operations, building: operations, seconds: PLAIN * operations, bytes: 2 * found.bytes };
}

/**
 * What the rate of a graph takes that somebody brought: nothing is known of it but its edges. How many steps the iteration
 * makes depends on how close the ends of its spectrum are, which is guessed from its shape: long ones (rings, lattices)
 * by their diameter, thin ones (trees, small worlds) and dense ones (random graphs) by their size. Within a factor of 3 for
 * these; far too much for trees in which all branches are alike, and for graphs with few eigenvalues, which a trial of
 * some steps tells apart.
 *
 * Of a static topology whose one round is a list of edges; undefined for others. O(edges).
 *
 * @example
 * ```ts
 * import { customGraph } from "equitopo";
 * import { staticWork } from "equitopo/topology";
 * const pair = customGraph({ n: 2, self: [0.5, 0.5], edges: [[0, 1, 0.5], [1, 0, 0.5]] });
 * staticWork(pair)!.operations > 0 // => true
 * ```
 */
export function staticWork(topology: Topology): RateWork | undefined {
  const { n, kind, symmetric } = topology;
  const round = topology.round(0);
  if (kind !== "static" || round.kind !== "sparse") return undefined;
  const edges = round.from.length;
  const steps = stepsOn(round, symmetric);
  if (symmetric) return rateWorkOf(n, { edges, steps });
  const d = Math.max(2, edges / n);
  return rateWorkOf(n, { edges, steps, rate: (2 * Math.sqrt(d)) / (d + 1) });
}

/** Links of a node up to which a graph is thin. */
const THIN = 5;

function stepsOn(round: SparseRound, symmetric: boolean): number {
  const { n, from } = round;
  const length = diameter(round);
  const side = Math.sqrt(n);
  if (length > 0.8 * side) return 1.9 * length;
  return symmetric && from.length < THIN * n ? 12 * side : randomSteps(n);
}

/** About: from the node that is farthest from node 0 to the one farthest from that. */
function diameter({ n, start, from }: SparseRound): number {
  const walk = (node: number) => walkFrom(n, node, (i) => from.subarray(start[i], start[i + 1]));
  const { reached, steps } = walk(walk(0).reached.at(-1) as number);
  return steps[reached.at(-1) as number];
}
