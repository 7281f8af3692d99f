/** Your own graph from a file: its content decides the format, and its weights are checked where the graph is made. */

import { dirname, resolve } from "node:path";
import type { Topology } from "equitopo";
import { defined, inside, isNpy, oneOf } from "equitopo/internal/input";
import { graphOf } from "equitopo/internal/topology";
import { withGraphs } from "equitopo/run";
import { readGraph } from "equitopo/topology";
import { readNamed } from "../input/file.ts";
import { type Memory, type Meter, requireHeap, roomHere } from "../terminal/cost.ts";

interface GraphFileOptions {
  readonly meter?: Meter;
  /** What --weights says: its edges only are taken. */
  readonly weights?: unknown;
  readonly room?: Memory;
}

/** The graph in a file, or on stdin for the name "-". */
export async function readGraphFile(
  path: string,
  { meter, weights, room = roomHere() }: GraphFileOptions = {},
): Promise<Topology> {
  const kind =
    weights === undefined ? undefined : oneOf("--weights of a file", weights, ["metropolis", "best-constant"]);
  const bytes = path === "-" ? await readStdin() : readNamed(path, "the file must be readable");
  const make = () => {
    const graph = readGraph(bytes);
    return graphOf(graph, { name: "custom", n: graph.n, ...defined({ weights: kind }) });
  };
  return inside(path === "-" ? "stdin" : path, () => {
    requireRoomFor(bytes, room);
    return meter === undefined ? make() : meter.run(make);
  });
}

/** The engine would end the program for a text whose edges do not fit. */
function requireRoomFor(bytes: Uint8Array, room: Memory): void {
  if (!isNpy(bytes)) requireHeap("a graph", PER_BYTE * bytes.length, "", room);
}

/** The document of a spec with the graphs that it names, paths counting from its folder. */
export function withGraphFiles<D extends object>(document: D, spec: string, room = roomHere()): D {
  return withGraphs(document, (path) => {
    const bytes = readNamed(resolve(dirname(spec), path), "the graph of a spec must be a file that can be read");
    inside(path, () => requireRoomFor(bytes, room));
    return bytes;
  });
}

/** Bytes of lists for a byte of text, as measured. */
const PER_BYTE = 20;

async function readStdin(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks);
}
