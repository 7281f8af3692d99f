/**
 * Graphs from files in a spec: `{ name: "file", path: "mine.graphml" }` becomes
 *
 *   { name: "file", path: "mine.graphml", sha256: ..., graph: { n, edges, self } },
 *
 * which is all that threads, peers, rooms and a later `--resume` need: the graph travels with the spec, and whoever has read
 * another file has another spec. A hash that is written beside the path pins the file. Reading is left to the caller.
 */

import { InputError, inside } from "../input/input.ts";
import { sha256 } from "../number/hash.ts";
import type { FileSpec } from "../topology/file.ts";
import { readGraph } from "../topology/read/read-graph.ts";
import { isTopology } from "./own.ts";

/**
 * The document with every graph that it names put into it; `read` gives the bytes of a path as it is written there. O(bytes).
 *
 * @example
 * ```ts
 * import { expandSpec } from "equitopo";
 * import { withGraphs } from "equitopo/run";
 * const document = {
 *   topologies: [{ name: "file", path: "path.csv" }],
 *   algorithms: [{ name: "dsgt", learningRate: 0.01 }],
 *   problem: { name: "least-squares" },
 * } as const;
 * const bytes = new TextEncoder().encode("source,target\n0,1\n1,2\n2,3\n");
 * const [run] = expandSpec(withGraphs(document, () => bytes));
 * `${run.label} ${run.topology.n}` // => "path.csv 4"
 * ```
 */
export function withGraphs<D extends object>(document: D, read: (path: string) => Uint8Array): D {
  // What is no spec is refused by expandSpec.
  if (Array.isArray(document)) return document;
  const { topologies, runs } = document as { readonly topologies?: unknown; readonly runs?: unknown };
  const embedded = (entry: unknown, place: string) => inside(place, () => embed(entry, read));
  const inRun = (run: { readonly topology?: unknown } | null, k: number) =>
    isObject(run) ? { ...run, topology: embedded(run.topology, `runs[${k}].topology`) } : run;
  return {
    ...document,
    ...(Array.isArray(topologies) ? { topologies: topologies.map((one, k) => embedded(one, `topologies[${k}]`)) } : {}),
    ...(Array.isArray(runs) ? { runs: runs.map(inRun) } : {}),
  };
}

/** A topology's entry, and those inside it (between groups). What is no entry is refused by expandSpec. */
function embed(entry: unknown, read: (path: string) => Uint8Array): unknown {
  if (!isObject(entry) || isTopology(entry)) return entry;
  const { name, path, graph, sha256: pinned } = entry as Partial<FileSpec>;
  if (name !== "file") {
    const inner = Object.entries(entry).map(([key, value]) => [key, isNamed(value) ? embed(value, read) : value]);
    return Object.fromEntries(inner);
  }
  if (graph !== undefined || typeof path !== "string") return entry;
  const bytes = read(path);
  const found = sha256(bytes);
  if (pinned !== undefined && pinned !== found) {
    throw new InputError(`${path} must be the file of SHA-256 ${pinned}`, found, "get the same file as everybody else");
  }
  return { ...entry, sha256: found, graph: inside(path, () => readGraph(bytes)) };
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const isNamed = (value: unknown) => isObject(value) && typeof (value as { readonly name?: unknown }).name === "string";
