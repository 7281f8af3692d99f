/** Graphs as NumPy arrays: the dense n x n matrix, of whole numbers, booleans or floats. */

import { InputError } from "../../input/input.ts";
import { parseNpy } from "../../input/npy.ts";
import type { Edge } from "../../round/round.ts";
import type { GraphData } from "./graph-data.ts";

/** The matrix in an .npy file. */
export function readNpyGraph(bytes: Uint8Array): GraphData {
  const { shape, values } = parseNpy({ name: "the array", bytes });
  const [n] = shape;
  if (shape.length !== 2 || shape[1] !== n) {
    throw new InputError("a weight matrix must be square", `(${shape.join(", ")})`, "save W itself with numpy.save");
  }
  const self = new Array<number>(n).fill(0);
  const edges: Edge[] = [];
  values.forEach((weight, k) => {
    const [to, from] = [Math.floor(k / n), k % n];
    if (from === to) self[to] = weight;
    else if (weight !== 0) edges.push([from, to, weight]);
  });
  // A row of n float32 numbers sums to 1 only as far as their precision reaches.
  return values instanceof Float32Array ? { n, self, edges, tolerance: 1e-6 } : { n, self, edges };
}
