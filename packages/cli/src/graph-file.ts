/** Your own graph from a file: the format is told by its content, the weights are checked by customGraph. */

import { readFileSync } from "node:fs";
import { customGraph, InputError, type Topology } from "equitopo";
import { readCsv } from "./format/csv.ts";
import { readJson } from "./format/json.ts";
import { isNpy, readNpy } from "./format/npy.ts";
import { readGraphml } from "./format/read-graphml.ts";
import { readingRemedy, utf8Text } from "./input-file.ts";
import { showBytes } from "./numbers.ts";
import { type Meter, type Room, roomHere } from "./rate-work.ts";

/** The graph in a file, or on stdin for the name "-". */
export async function readGraphFile(path: string, meter?: Meter, room = roomHere()): Promise<Topology> {
  const bytes = path === "-" ? await readStdin() : readBytes(path);
  const make = () => customGraph(parse(bytes));
  try {
    requireLists(bytes, room);
    return meter === undefined ? make() : meter.run(make);
  } catch (error) {
    if (error instanceof InputError) error.message = `${path === "-" ? "stdin" : path}: ${error.message}`;
    throw error;
  }
}

/** Bytes of lists for a byte of text, as measured. */
const PER_BYTE = 20;

/** Refuses a text whose edges would not fit into memory, which the engine would end the program for. */
function requireLists(bytes: Uint8Array, { heap }: Room): void {
  const needed = PER_BYTE * bytes.length;
  if (isNpy(bytes) || needed <= heap) return;
  const rule = `the lists of a graph must fit into the ${showBytes(heap)} that Node grants them`;
  const remedy = `set NODE_OPTIONS=--max-old-space-size=${Math.ceil((1.5 * needed) / 1e6)}`;
  throw new InputError(rule, `about ${showBytes(needed)}`, remedy);
}

function parse(bytes: Uint8Array) {
  if (isNpy(bytes)) return readNpy(bytes);
  const text = utf8Text(bytes);
  const start = text.trimStart()[0];
  if (/<([\w.]+:)?graphml\b/.test(text)) return readGraphml(text);
  if (start === "<" || /^\s*(strict\s+)?(di)?graph\b/.test(text)) {
    const rule = "a graph is read from csv, npy, json or GraphML";
    throw new InputError(rule, text.trim().slice(0, 20), "write it in one of them");
  }
  return start === "{" || start === "[" ? readJson(text) : readCsv(text);
}

function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(`the file must be readable (${code})`, path, readingRemedy(error));
  }
}

async function readStdin(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks);
}
