/** Undirected edges without weights: each gets 1 / (1 + max(d_i, d_j)), so that every W is doubly stochastic. */

import type { CustomOptions, Edge } from "equitopo";

/** The graph of these pairs of labels 0 .. n - 1; a pair that stands twice, or both ways, counts once. */
export function metropolis(n: number, pairs: Iterable<readonly [number, number]>): CustomOptions {
  const neighbours = new Map<number, Set<number>>();
  const add = (a: number, b: number) => neighbours.set(a, (neighbours.get(a) ?? new Set()).add(b));
  for (const [a, b] of pairs) {
    add(a, b);
    add(b, a);
  }
  const degree = (i: number) => neighbours.get(i)?.size ?? 0;
  const self = new Float64Array(n).fill(1);
  const edges: Edge[] = [];
  for (const [to, others] of neighbours) {
    for (const from of others) {
      const weight = 1 / (1 + Math.max(degree(from), degree(to)));
      edges.push([from, to, weight]);
      self[to] -= weight;
    }
  }
  // 1 - d/(d+1) may come out as -1e-17 on a node that keeps nothing.
  return { n, self: self.map((weight) => Math.max(0, weight)), edges };
}
