/**
 * Geometric random graph G(n, r): n uniform points in the unit square, joined within distance r,
 * r^2 = (1 + a) ln n / n (paper, Table 1), drawn anew until it is connected; Metropolis weights.
 * Degree Theta(ln n); rate 1 - Theta(ln n / n).
 */

import { log } from "../number/elementary.ts";
import { PER_DRAWN_EDGE, worked } from "../rate/watch.ts";
import { randomSteps } from "../rate/work.ts";
import { drawConnectedGraph, type RandomGraphOptions, randomGraphOptions } from "./erdos-renyi.ts";
import { defineTopology, type Topology } from "./topology.ts";

/**
 * @example
 * ```ts
 * import { geometric } from "equitopo";
 * geometric({ n: 100, seed: 1 }).symmetric // => true
 * ```
 */
export function geometric(options: RandomGraphOptions): Topology {
  return drawConnectedGraph(geometricFamily, options, (n, square, random) => {
    const [x, y] = [0, 1].map(() => new Float64Array(n).map(() => random.uniform()));
    // Cells of side at least r: neighbours are in the same or an adjacent cell.
    const side = Math.max(1, Math.floor(1 / Math.sqrt(square)));
    const cellOf = (i: number) => Math.floor(y[i] * side) * side + Math.floor(x[i] * side);
    const cells: number[][] = Array.from({ length: side * side }, () => []);
    const lists: number[][] = Array.from({ length: n }, () => []);
    for (let i = 0; i < n; i++) {
      const cell = cellOf(i);
      const column = cell % side;
      const row = (cell - column) / side;
      for (let r = Math.max(0, row - 1); r <= Math.min(side - 1, row + 1); r++) {
        for (let c = Math.max(0, column - 1); c <= Math.min(side - 1, column + 1); c++) {
          for (const j of cells[r * side + c]) {
            if ((x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2 > square) continue;
            lists[i].push(j);
            lists[j].push(i);
          }
        }
      }
      cells[cell].push(i);
      worked(2 * lists[i].length * PER_DRAWN_EDGE);
    }
    return { lists, points: { x, y } };
  });
}

export const geometricFamily = defineTopology({
  name: "geometric",
  summary: "undirected, static, random: points in a square within r, r^2 = (1 + a) ln n / n",
  source: "paper, Table 1",
  group: "baseline",
  options: randomGraphOptions,
  work({ n, a }) {
    // Points within r: pi r^2 n of them, and somewhat fewer at the border.
    const edges = Math.min(n, Math.PI * (1 + a) * log(n)) * n;
    return { edges, steps: randomSteps(n), lists: "drawn" };
  },
  create: geometric,
});
