/**
 * What `equitopo graph` says before it writes: the size of the file if that is large, and a refusal if the disk or the
 * memory has no room for it.
 */

import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { InputError, type Round } from "equitopo";
import { forEachEdgeInto, selfWeight } from "equitopo/internal/round";
import type { Drawing } from "../../format/drawing.ts";
import type { Format } from "../../format/formats.ts";
import { roomHere } from "../../terminal/cost.ts";
import { showBytes, showCount } from "../../terminal/numbers.ts";
import { note } from "../../terminal/output.ts";

const WORTH_BYTES = 1e9;
/** Nodes that are looked at for what is usual. */
const SAMPLE = 64;
/** Bytes of one link in the list of a node's links. */
const LINK = 64;

/** Says how much writing the drawing is, or refuses it; the bytes to be written, undefined where nobody knows. */
export function tellGraph(
  drawing: Drawing,
  format: Format,
  file: { readonly out?: string; readonly quiet?: true },
): number | undefined {
  const [{ round }] = drawing.rounds;
  requireListRoom(round);
  const bytes = graphBytes(drawing, round, format);
  if (bytes === undefined) return undefined;
  if (file.out !== undefined) requireDisk(file.out, bytes);
  if (bytes > WORTH_BYTES) {
    const left = file.out === undefined ? "" : ", and leaves nothing";
    note(`this writes about ${showBytes(bytes)}; Ctrl-C stops it${left}`, file);
  }
  return bytes;
}

/** The size of the file, from the first of its rounds; undefined for pictures, which are small. */
export function graphBytes(drawing: Drawing, round: Round, { name, line }: Format): number | undefined {
  const { rounds, isRange, symmetric } = drawing;
  const { n } = round;
  if (name === "npy") return 8 * n * n;
  if (line === undefined) return undefined;
  const { edges, weight, self } = sampled(round);
  // Of the labels below n, nine in ten have all digits, and so on.
  const label = String(n - 1).length - 0.1;
  const numbers = rounds.map(({ number }) => String(number).length + 1);
  const number = isRange && name === "csv" ? mean(numbers) : 0;
  const written = line.pairsOnce && symmetric ? edges / 2 : edges;
  const node = line.node + line.nodeLabels * label + self + number;
  return rounds.length * (n * node + written * (line.edge + 2 * label + weight + number));
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
  // All links are alike, and too many to look at.
  if (round.kind === "mean") return { edges: n * (n - 1), weight: length((1 - round.keep) / n), self };
  const found: number[] = [];
  for (const i of nodes) forEachEdgeInto(round, i, (_from, _to, weight) => found.push(length(weight)));
  const edges = round.kind === "sparse" ? round.from.length : (n * found.length) / nodes.length;
  return { edges, weight: mean(found), self };
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
    // If the folder does not exist, opening the file reports it.
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
