/**
 * One round as calls of the kernels: the round's tables are written to the arena's scratch, and each call says how many
 * items (rows, pairs, columns) it does, so that threads can share them.
 */

import { InputError } from "../input/input.ts";
import { callGossip, type GossipCall } from "../kernel/gossip-calls.ts";
import { applyGrouped } from "./apply.ts";
import { type Arena, align, edgeRoom } from "./arena.ts";
import type { Distance } from "./distance.ts";
import type { CirculantRound, MatchingRound, MeanRound, Round, Rows, SparseRound } from "./round.ts";

/** A call with the items to share out, and how many numbers there are in all. */
export type Step = GossipCall & { readonly items: number; readonly numbers: number };

/** Runs a step, on one thread or on many, and returns when it is done. */
export interface Runner {
  readonly threads: number;
  run(arena: Arena, step: Step): void;
}

export const oneThread: Runner = {
  threads: 1,
  run({ kernels, type }, step) {
    callGossip(kernels.call, type, step, 0, 0, step.items);
  },
};

/** Columns in a block of shiftsBlocks: the packed block of 10,000 nodes takes 640 kB, most of a second cache. */
const COLUMNS = 8;
/** Sums that stay in the first cache: 24 KiB of doubles straight from rows, 128 rows of a packed block. */
const SUM_BYTES = 24576;
const PACKED_ROWS = 128;
/** So many equal weights are worth a pass that multiplies beforehand. */
const SCALED_SHIFTS = 24;
/** By columns where at least FAR_SHIFTS shifts would find their rows gone from a third cache of this size. */
const FAR_SHIFTS = 6;
export const THIRD_CACHE = 2 ** 24;

/**
 * How many of the shifts come too late: a row is read by one shift after another, and in between, while the gap between
 * the two is worked through, each of the m + 1 streams brings in as many other rows.
 */
function farShifts(shifts: Int32Array, rowBytes: number, cache: number): number {
  let far = 0;
  for (let j = 0; j < shifts.length; j++) {
    const gap = shifts[j] - (j === 0 ? 0 : shifts[j - 1]);
    if (gap * rowBytes * (shifts.length + 1) > cache) far++;
  }
  return far;
}

/** Rows at x, to be mixed into rows at y, and measured against the row at `mean` into `out` unless it is 0: bytes of the memory. */
interface Job {
  readonly arena: Arena;
  readonly runner: Runner;
  readonly numbers: number;
  readonly x: number;
  readonly y: number;
  readonly d: number;
  readonly mean: number;
  readonly out: number;
  /** Where a round's tables go. They are written anew every time: copying them is little beside mixing. */
  readonly tables: number;
}

function run({ arena, runner, numbers }: Job, call: GossipCall, items: number): void {
  runner.run(arena, { ...call, items, numbers });
}

const doubles = ({ kernels }: Arena, at: number, length: number) => new Float64Array(kernels.memory.buffer, at, length);
const integers = ({ kernels }: Arena, at: number, length: number) => new Int32Array(kernels.memory.buffer, at, length);

/** W x for rows x of the arena: in place for matchings, means and groups, otherwise into the spare rows. */
export function mixInArena(arena: Arena, runner: Runner, cache: number, round: Round, x: Rows, distance?: Distance) {
  const d = x.length / arena.n;
  const { at } = arena.scratch;
  const inPlace = round.kind === "matching" || round.kind === "mean" || round.kind === "grouped";
  const y = inPlace ? x : arena.swap(d, x);
  const mean = distance === undefined ? 0 : at;
  if (distance !== undefined) doubles(arena, at, d).set(distance.mean);
  // The mean row, the average of a mean round, the distances; then tables.
  const out = align(at + 16 * d);
  const tables = align(out + 8 * arena.n);
  const job = { arena, runner, numbers: x.length, x: x.byteOffset, y: y.byteOffset, d, mean, out, tables };
  if (round.kind === "circulant") mixCirculant(job, round, cache);
  else if (round.kind === "matching") mixMatching(job, round);
  else if (round.kind === "sparse") mixSparse(job, round);
  else if (round.kind === "mean") mixMean(job, round, at + 8 * d);
  else {
    // Sums and copies of whole rows, which plain loops do as fast as memory gives them.
    applyGrouped(round, x, x, d);
    if (mean !== 0) run(job, { kernel: "measureRows", args: [job.y, d, mean, out] }, round.n);
  }
  if (distance !== undefined) distance.square = doubles(arena, out, arena.n).reduce((sum, part) => sum + part, 0);
  return y;
}

function mixCirculant(job: Job, { n, self, shifts, weights }: CirculantRound, cache: number): void {
  const { arena, x, y, d, mean, out, tables } = job;
  const { threads } = job.runner;
  const m = shifts.length;
  if (m === 1) {
    run(job, { kernel: "shiftRows", args: [x, y, n, d, self, shifts[0], weights[0], mean, out] }, n);
    return;
  }
  const shares = align(tables + 4 * m);
  const places = align(shares + 8 * m);
  const scratch = align(places + 4 * m * threads);
  integers(arena, tables, m).set(shifts);
  doubles(arena, shares, m).set(weights);
  const equal = weights.every((w) => w === weights[0]) ? 1 : 0;
  const head = [x, y, n, d, self, tables, shares, m, equal, places] as const;
  const rowBytes = d * (arena.type === "float64" ? 8 : 4);
  if (d < COLUMNS || farShifts(shifts, rowBytes, cache) < FAR_SHIFTS) {
    const block = Math.max(1, Math.floor(SUM_BYTES / (8 * d)));
    const scaled = align(scratch + 8 * block * d * threads);
    const scale = equal === 1 && m >= SCALED_SHIFTS && scaled + 8 * n * d <= arena.scratch.end;
    if (scale) run(job, { kernel: "scaleRows", args: [x, scaled, d, weights[0]] }, n);
    run(job, { kernel: "shiftsRows", args: [...head, scale ? scaled : 0, block, scratch, mean, out] }, n);
    return;
  }
  // Panels as wide as there is scratch for, but the same number of them, of an even width, for every thread.
  const room = 2 * Math.floor((arena.scratch.end - scratch) / (32 * n * threads));
  const panels = threads * Math.ceil(d / (threads * room));
  const panel = 2 * Math.ceil(d / panels / 2);
  run(job, { kernel: "shiftsBlocks", args: [...head, COLUMNS, panel, PACKED_ROWS, scratch] }, Math.ceil(d / panel));
  if (mean !== 0) run(job, { kernel: "measureRows", args: [y, d, mean, out] }, n);
}

function mixMatching(job: Job, { n, weight, partner }: MatchingRound): void {
  const { arena, x, d, mean, out, tables } = job;
  const pairs = integers(arena, tables, 2 * n);
  let count = 0;
  for (let i = 0; i < n; i++) {
    const j = partner[i];
    // Idle rows only matter where they are measured.
    if (i < j || (i === j && mean !== 0)) {
      pairs[count++] = i;
      pairs[count++] = j;
    }
  }
  run(job, { kernel: "matchRows", args: [x, tables, d, 1 - weight, weight, mean, out] }, count / 2);
}

function mixSparse(job: Job, { n, self, start, from, weights }: SparseRound): void {
  const { arena, x, y, d, mean, out, tables } = job;
  const room = edgeRoom(n);
  const starts = align(tables + 8 * n);
  const froms = align(starts + 4 * (n + 1));
  const shares = align(froms + 4 * room);
  const sums = align(shares + 8 * room);
  for (let first = 0, end = 0; first < n; first = end) {
    // As many rows as have room for their edges, and one at least.
    end = start[n] - start[first] <= room ? n : first + 1;
    while (end < n && start[end + 1] - start[first] <= room) end++;
    const edges = start[end] - start[first];
    if (edges > room) throw new InputError(`a node may have ${room} in-edges here`, edges, "merge repeated ones");
    doubles(arena, tables, n).set(self.subarray(first, end));
    integers(arena, starts, n + 1).set(start.subarray(first, end + 1));
    integers(arena, froms, room).set(from.subarray(start[first], start[end]));
    doubles(arena, shares, room).set(weights.subarray(start[first], start[end]));
    const args = [x, y, d, tables, starts, froms, shares, first, sums, mean, out] as const;
    run(job, { kernel: "sparseRows", args }, end - first);
  }
}

function mixMean(job: Job, { n, keep }: MeanRound, average: number): void {
  const { x, d, mean, out } = job;
  run(job, { kernel: "columnMeans", args: [x, n, d, average] }, d);
  run(job, { kernel: "meanRows", args: [x, d, keep, average, mean, out] }, n);
}
