/**
 * What matcha takes when it is made: its probabilities and its step come from iterations over the base graph, a few where
 * all edges are alike and many where they are not. Fitted to what was counted; the test holds it to a factor of 3.
 */

import { PLAIN, type RateWork } from "../rate/work.ts";
import type { Round } from "../round/round.ts";
import { MOST_NODES } from "./matcha.ts";
import type { Topology, TopologySpec } from "./topology.ts";

/** Over the base graph, which `create` makes; undefined where there are more nodes than matcha takes. */
export function matchaWork(
  n: number,
  graph: string | { readonly name: string },
  create: (spec: TopologySpec) => Topology,
): RateWork | undefined {
  if (n > MOST_NODES) return undefined;
  const base = create({ ...(typeof graph === "string" ? { name: graph } : graph), n });
  const edges = edgesOf(base.round(0)) / 2;
  // Three products with the edges' matrix a step, and every iteration goes through its steps twice.
  const operations = 2 * stepsOn(base) * (6 * edges + 10 * n);
  const bytes = 200 * n + 250 * edges;
  return { operations, building: operations, seconds: PLAIN * operations, bytes, heap: bytes / 2 };
}

/** Of all iterations together. Their number grows as the ends of the spectrum come closer to each other. */
function stepsOn({ name, n }: Topology): number {
  if (name === "ring") return 2 * n;
  if (name === "grid") return 200 * Math.sqrt(n);
  return (name === "complete" ? 80 : 190) * Math.cbrt(n);
}

function edgesOf(round: Round): number {
  switch (round.kind) {
    case "sparse":
      return round.from.length;
    case "circulant":
      return round.n * round.shifts.length;
    default:
      return round.n * (round.n - 1);
  }
}
