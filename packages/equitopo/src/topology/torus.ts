/**
 * 2-D torus of r x c nodes: the grid with wrap-around. A side of 2 gives one neighbour, a side of 1 none.
 * lambda_kl = (1 + a_r(k) + a_c(l)) / (1 + degree), a_s(k) = 2 cos(2 pi k / s) (half of it for s = 2, 0 for s = 1).
 * Degree 4; rate 1 - Theta(1/n) (paper, Table 1).
 */

import { cosine, versine } from "../number/roots.ts";
import { graphTopology } from "./graph.ts";
import { type LatticeOptions, latticeNote, latticeOptions, latticeShape } from "./lattice.ts";
import { checkOptions, defineTopology, noted, type Topology } from "./topology.ts";
import { baselineSpec } from "./weights.ts";

/**
 * @example
 * ```ts
 * import { torus } from "equitopo";
 * torus({ n: 300, rows: 15, cols: 20 }).rate().rate.toFixed(6) // => "0.980423"
 * torus({ n: 17 }).note // => "torus of 1 x 17 is a ring: try n = 16 or 18 for two sides"
 * ```
 */
export function torus(options: LatticeOptions): Topology {
  const { rows, cols } = latticeShape(checkOptions(torusFamily, options));
  const side = (s: number) => Math.min(2, s - 1);
  const degree = side(rows) + side(cols);
  const part = (s: number, k: number) => side(s) * cosine(k % s, s);
  const eigenvalue = (k: number, l: number) => (1 + part(rows, k) + part(cols, l)) / (1 + degree);
  const around = (i: number) => {
    const [row, column] = [Math.floor(i / cols), i % cols];
    const at = (r: number, c: number) => ((r + rows) % rows) * cols + ((c + cols) % cols);
    const found = [at(row, column - 1), at(row, column + 1), at(row - 1, column), at(row + 1, column)];
    return [...new Set(found)].filter((j) => j !== i);
  };
  const candidates = [...(rows > 1 ? [eigenvalue(1, 0)] : []), ...(cols > 1 ? [eigenvalue(0, 1)] : [])];
  const smallest = eigenvalue(Math.floor(rows / 2), Math.floor(cols / 2));
  // The longer side turns most slowly.
  const longer = Math.max(rows, cols);
  const gap = (side(longer) * versine(1, longer)) / (1 + degree);
  const ends = { largest: Math.max(...candidates), smallest, gap };
  return noted(
    graphTopology(baselineSpec("torus", options, { rows, cols }), around, () => ends),
    note(options),
  );
}

const note = latticeNote("torus", "ring", 3);

export const torusFamily = defineTopology({
  name: "torus",
  layout: "wrapped",
  summary: "undirected, static, degree up to 4: the grid with wrap-around",
  source: "paper, Table 1",
  group: "baseline",
  options: latticeOptions,
  note,
  work: ({ n }) => ({ edges: 4 * n, lists: "made" }),
  create: torus,
});
