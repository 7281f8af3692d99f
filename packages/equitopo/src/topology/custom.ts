/**
 * Your own graph: a weight matrix given by its self weights and edges, checked to be nonnegative and doubly stochastic
 * before anything is computed from it.
 */

import { InputError, integer, nodes } from "../input/input.ts";
import type { Edge } from "../round/round.ts";
import { sparseRound, sparseTopology } from "./graph.ts";
import type { Neighbour, Topology } from "./topology.ts";

export interface CustomOptions {
  readonly n: number;
  /** w_ii. */
  readonly self: ArrayLike<number>;
  /** [from, to, w_to,from]; several edges between the same two nodes add up. */
  readonly edges: Iterable<Edge>;
  readonly name?: string;
  /** Sums may miss 1 by this much; by default 1e-8, nine digits of a text file. */
  readonly tolerance?: number;
}

/**
 * A static topology from weights that the caller brings. Throws where a row or column does not sum to 1.
 *
 * @example
 * ```ts
 * import { customGraph } from "equitopo";
 * const pair = customGraph({ n: 2, self: [0.5, 0.5], edges: [[0, 1, 0.5], [1, 0, 0.5]] });
 * pair.rate().rate < 1e-12 // => true
 * ```
 */
export function customGraph({ n, self, edges, name = "custom", tolerance = 1e-8 }: CustomOptions): Topology {
  nodes(n);
  if (self.length !== n) throw new InputError(`self must hold n = ${n} weights`, self.length, "give one per node");
  const weights = Float64Array.from({ length: n }, (_, i) => nonnegative(self[i], i, i));
  const incoming: Map<number, number>[] = Array.from({ length: n }, () => new Map());
  for (const [from, to, weight] of edges) {
    integer("the from of an edge", from, 0, n - 1);
    integer("the to of an edge", to, 0, n - 1);
    nonnegative(weight, to, from);
    if (from === to) weights[to] += weight;
    else if (weight > 0) incoming[to].set(from, (incoming[to].get(from) ?? 0) + weight);
  }
  const [rows, columns] = [weights.slice(), weights.slice()];
  let symmetric = true;
  incoming.forEach((row, to) => {
    for (const [from, weight] of row) {
      rows[to] += weight;
      columns[from] += weight;
      if (Math.abs((incoming[from].get(to) ?? 0) - weight) > 1e-15) symmetric = false;
    }
  });
  for (let i = 0; i < n; i++) {
    checkSum("row", i, rows[i], tolerance);
    checkSum("column", i, columns[i], tolerance);
  }
  const links = incoming.map((row) => Array.from(row, ([node, weight]): Neighbour => ({ node, weight })));
  const round = sparseRound(n, (i) => links[i], weights);
  return sparseTopology({ name, n }, round, symmetric);
}

function nonnegative(weight: number, to: number, from: number): number {
  if (!(weight >= 0) || weight === Number.POSITIVE_INFINITY) {
    throw new InputError(`weight w[${to}][${from}] must be a nonnegative number`, weight, "gossip weights are shares");
  }
  return weight;
}

function checkSum(kind: "row" | "column", i: number, sum: number, tolerance: number): void {
  if (Math.abs(sum - 1) <= tolerance) return;
  const rule = `every row and column of a weight matrix must sum to 1, but ${kind} ${i} does not`;
  const row = `lower or raise w[${i}][*], or take its edges only (of a file: weights metropolis)`;
  throw new InputError(
    rule,
    sum,
    kind === "row" ? row : `what node ${i} sends out, w[*][${i}], must sum to 1 with its own`,
  );
}
