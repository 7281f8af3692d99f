/** Graphs as NumPy arrays: the dense n x n matrix, of whole numbers, booleans or floats. */

import { InputError } from "../../input/input.ts";
import { parseNpy } from "../../input/npy.ts";
import { fromMatrix, type GraphData } from "./graph-data.ts";

/** The matrix in an .npy file. */
export function readNpyGraph(bytes: Uint8Array): GraphData {
  const { shape, values } = parseNpy({ name: "the array", bytes });
  const [n] = shape;
  if (shape.length !== 2 || shape[1] !== n) {
    throw new InputError("a weight matrix must be square", `(${shape.join(", ")})`, "save W itself with numpy.save");
  }
  const graph = fromMatrix(n, values);
  // A row of n float32 numbers sums to 1 only as far as their precision reaches.
  return values instanceof Float32Array ? { ...graph, tolerance: 1e-6 } : graph;
}
