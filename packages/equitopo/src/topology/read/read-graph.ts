/** Your own graph from the bytes of a file, whose content decides the format. */

import { InputError } from "../../input/input.ts";
import { isNpy } from "../../input/npy.ts";
import { utf8Text } from "../../input/text.ts";
import { claimsPlan } from "../plan/plan.ts";
import { asPairs, type GraphFile } from "./graph-data.ts";
import { readGraphml } from "./graphml.ts";
import { readJson } from "./json.ts";
import { readNpyGraph } from "./npy.ts";
import { readTable } from "./table.ts";

/**
 * The graph in a file: GraphML, an edge list or a matrix as text, a NumPy array (.npy), JSON, or a plan. A symmetric matrix of zeros
 * and ones, nothing on its diagonal, is taken as edges. O(bytes).
 *
 * @example
 * ```ts
 * import { createTopology } from "equitopo";
 * import { readGraph } from "equitopo/topology";
 * const graph = readGraph(new TextEncoder().encode("source,target\n0,1\n1,2\n2,3\n"));
 * const path = createTopology({ name: "file", graph });
 * path.rate().rate.toFixed(4) // => "0.8047"
 * ```
 */
export function readGraph(bytes: Uint8Array): GraphFile {
  const graph = isNpy(bytes) ? readNpyGraph(bytes) : readText(utf8Text(bytes));
  return claimsPlan(graph) ? graph : (asPairs(graph) ?? graph);
}

function readText(text: string): GraphFile {
  const start = text.trimStart()[0];
  if (/<([\w.]+:)?graphml\b/.test(text)) return readGraphml(text);
  if (start === "<" || /^\s*(strict\s+)?(di)?graph\b/.test(text)) {
    const rule = "a graph is read from csv, npy, json or GraphML";
    throw new InputError(rule, text.trim().slice(0, 20), "write it in one of them");
  }
  return start === "{" || start === "[" ? readJson(text) : readTable(text);
}
