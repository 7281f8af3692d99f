/**
 * What `equitopo graph` says before it writes: how large the file becomes and how long it takes, where either is worth a
 * word; and a refusal where the disk or the memory has no room for it.
 */

import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { InputError, type Round } from "equitopo";
import { forEachEdgeInto, selfWeight } from "equitopo/round";
import { showDuration } from "./duration.ts";
import { timed } from "./foresee.ts";
import type { Drawing } from "./format/drawing.ts";
import type { Format } from "./format/formats.ts";
import { showBytes, showCount } from "./numbers.ts";
import { type Chunk, note } from "./output.ts";
import { roomHere } from "./rate-work.ts";

const [WORTH_SECONDS, WORTH_BYTES] = [3, 1e9];
/** Smaller ones are written in about a second, and not worth a trial. */
const SMALL = 2e7;
/** Milliseconds of a trial, and lines between two looks at the clock. */
const [TRIAL, LOOK] = [100, 200];
/** Nodes that are looked at for what is usual. */
const SAMPLE = 64;
/** Bytes of one link in the list of a node's links. */
const LINK = 64;

export interface GraphFile {
  readonly out?: string;
  readonly quiet?: true;
}

/** Says what writing the drawing takes, or refuses it; the bytes to be written, undefined where nobody knows. */
export function tellGraph(
  drawing: Drawing,
  format: Format,
  write: (drawing: Drawing) => Iterable<Chunk> | Promise<Iterable<Chunk>>,
  file: GraphFile,
): number | undefined {
  const { rounds } = drawing;
  const [{ round }] = rounds;
  requireListRoom(round);
  const size = graphSize(drawing, round, format);
  if (size === undefined) return undefined;
  const { bytes, chunks } = size;
  if (file.out !== undefined) requireDisk(file.out, bytes);
  if (bytes < SMALL && rounds.length === 1) return bytes;
  const making = rounds.length === 1 ? 0 : timed(() => rounds[1].round) * (rounds.length - 1);
  const seconds = making + (bytes < SMALL ? 0 : chunks * secondsPerChunk(write(drawing)));
  if (seconds > WORTH_SECONDS || bytes > WORTH_BYTES) {
    const words = `this takes about ${showDuration(seconds)} and writes about ${showBytes(bytes)}`;
    note(`${words}; Ctrl-C stops it${file.out === undefined ? "" : ", and leaves nothing"}`, file);
  }
  return bytes;
}

export interface GraphSize {
  readonly bytes: number;
  /** Lines of a text, rows of a matrix: what its writer makes in one go. */
  readonly chunks: number;
}

/** The size of the file, from the first of its rounds; undefined for pictures, which are small. */
export function graphSize(drawing: Drawing, round: Round, { name, line }: Format): GraphSize | undefined {
  const { rounds, isRange, symmetric } = drawing;
  const { n } = round;
  if (name === "npy") return { bytes: 8 * n * n, chunks: n };
  if (line === undefined) return undefined;
  const { edges, weight, self } = sampled(round);
  // Of the labels below n, nine in ten have all digits, and so on.
  const label = String(n - 1).length - 0.1;
  const numbers = rounds.map(({ number }) => String(number).length + 1);
  const number = isRange && name === "csv" ? mean(numbers) : 0;
  const written = line.pairsOnce && symmetric ? edges / 2 : edges;
  const node = line.node + line.nodeLabels * label + self + number;
  const bytes = n * node + written * (line.edge + 2 * label + weight + number);
  return { bytes: rounds.length * bytes, chunks: rounds.length * (n + written) };
}

function mean(lengths: readonly number[]): number {
  return lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
}

/** All edges, and the length of a usual weight in words, of links and of nodes' own. */
function sampled(round: Round): { edges: number; weight: number; self: number } {
  const { n } = round;
  const nodes = Array.from({ length: Math.min(n, SAMPLE) }, (_, k) => Math.floor((k * n) / Math.min(n, SAMPLE)));
  const length = (weight: number) => String(weight).length;
  const self = mean(nodes.map((i) => length(selfWeight(round, i))));
  switch (round.kind) {
    case "mean":
      return { edges: n * (n - 1), weight: length((1 - round.keep) / n), self };
    case "circulant":
      return { edges: n * round.shifts.length, weight: mean(Array.from(round.weights, length)), self };
    case "matching": {
      const edges = round.partner.reduce((count, partner, i) => count + (partner === i ? 0 : 1), 0);
      return { edges, weight: length(round.weight), self };
    }
    case "sparse": {
      const { from, weights } = round;
      const some = nodes.map((i) => weights[Math.floor((i / n) * from.length)]).filter((one) => one !== undefined);
      return { edges: from.length, weight: mean(some.map(length)), self };
    }
    case "grouped": {
      const found: number[] = [];
      for (const i of nodes) forEachEdgeInto(round, i, (_from, _to, weight) => found.push(length(weight)));
      return { edges: (n * found.length) / nodes.length, weight: mean(found), self };
    }
  }
}

/** From a trial of the writer itself: what is usual once the engine has got used to it, whatever else the machine does meanwhile. */
function secondsPerChunk(chunks: Iterable<Chunk> | Promise<Iterable<Chunk>>): number {
  if (chunks instanceof Promise) return 0;
  const start = performance.now();
  const times: number[] = [];
  let [seen, last, at] = [0, 0, start];
  for (const chunk of chunks) {
    seen++;
    // Rows of numbers are long, and lines of text short.
    if (typeof chunk === "string" && seen % LOOK !== 0) continue;
    const now = performance.now();
    times.push((now - at) / 1000 / (seen - last));
    [last, at] = [seen, now];
    if (now - start > TRIAL) break;
  }
  const later = times.slice(times.length >> 1).sort((a, b) => a - b);
  return later[later.length >> 1] ?? 0;
}

function requireDisk(out: string, bytes: number): void {
  const free = freeAt(dirname(out));
  if (bytes <= free) return;
  const rule = `the file must fit into the ${showBytes(free)} that are free on its disk`;
  throw new InputError(rule, `about ${showBytes(bytes)}`, "try a smaller n or fewer rounds, or another disk");
}

function freeAt(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    // A folder that is not there is told of when the file is opened.
    return Number.POSITIVE_INFINITY;
  }
}

/** The links of one node are a list, while they are written. */
function requireListRoom(round: Round): void {
  const degree = round.kind === "mean" ? round.n - 1 : round.kind === "circulant" ? round.shifts.length : 0;
  const { heap } = roomHere();
  if (degree * LINK <= heap) return;
  const rule = `the links of one node must fit into the ${showBytes(heap)} that Node grants to lists`;
  throw new InputError(rule, `${showCount(degree)} links, about ${showBytes(degree * LINK)}`, "try a smaller n");
}
