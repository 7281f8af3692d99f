/**
 * 2-D grid of r x c nodes without wrap-around, Metropolis weights (nodes on the border have fewer neighbours).
 * Degree 4; rate 1 - Theta(1/n) (errata: not 1/(n ln n)).
 */

import { graphTopology } from "./graph.ts";
import { type LatticeOptions, latticeNote, latticeOptions, latticeShape } from "./lattice.ts";
import { checkOptions, defineTopology, noted, type Topology } from "./topology.ts";
import { baselineSpec } from "./weights.ts";

/**
 * @example
 * ```ts
 * import { grid } from "equitopo";
 * grid({ n: 16 }).rate().rate.toFixed(6) // => "0.868641"
 * ```
 */
export function grid(options: LatticeOptions): Topology {
  const { n } = checkOptions(gridFamily, options);
  const { rows, cols } = latticeShape(options);
  const topology = graphTopology(baselineSpec("grid", options, { rows, cols }), (i) => {
    const column = i % cols;
    const inside = [column > 0, column < cols - 1, i >= cols, i < n - cols];
    return [i - 1, i + 1, i - cols, i + cols].filter((_, k) => inside[k]);
  });
  return noted(topology, note(options));
}

const note = latticeNote("grid", "path", 2);

export const gridFamily = defineTopology({
  name: "grid",
  layout: "lattice",
  summary: "undirected, static, degree up to 4",
  source: "paper, Table 1",
  group: "baseline",
  options: latticeOptions,
  note,
  work(options) {
    const { n } = options;
    const { rows, cols } = latticeShape(options);
    // Square ones take 5 steps a row; the longer side beyond that counts less.
    const side = Math.sqrt(n);
    const steps = 5 * side + 1.5 * (Math.max(rows, cols) - side);
    return { edges: 4 * n, steps, lists: "made" };
  },
  create: grid,
});
