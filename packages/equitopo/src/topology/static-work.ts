/**
 * What the rate of a graph takes that somebody brought: nothing is known of it but its edges. How many steps the iteration
 * makes depends on how close the ends of its spectrum are, which is guessed from its shape: long ones (rings, lattices)
 * by their diameter, thin ones (trees, small worlds) and dense ones (random graphs) by their size. Within a factor of 3 for
 * these; far too much for trees in which all branches are alike, and for graphs with few eigenvalues, which a trial of
 * some steps tells apart.
 */

import { directedWork } from "../rate/search-work.ts";
import { listedWork, type RateWork, randomSteps } from "../rate/work.ts";
import type { SparseRound } from "../round/round.ts";
import type { Topology } from "./topology.ts";

/**
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
  if (symmetric) return listedWork({ n, edges, steps, lists: "none" });
  const d = Math.max(2, edges / n);
  return directedWork({ n, edges, steps, rate: (2 * Math.sqrt(d)) / (d + 1) });
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
function diameter(round: SparseRound): number {
  const { n, start, from } = round;
  const distance = new Int32Array(n);
  const queue = new Int32Array(n);
  const farthest = (node: number) => {
    distance.fill(-1);
    distance[node] = 0;
    queue[0] = node;
    let reached = 1;
    for (let head = 0; head < reached; head++) {
      const i = queue[head];
      for (let e = start[i]; e < start[i + 1]; e++) {
        if (distance[from[e]] >= 0) continue;
        distance[from[e]] = distance[i] + 1;
        queue[reached++] = from[e];
      }
    }
    return queue[reached - 1];
  };
  return distance[farthest(farthest(0))];
}
