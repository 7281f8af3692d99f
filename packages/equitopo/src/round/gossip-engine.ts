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

/** Mixes rounds into rows of one arena. A round's tables are read anew every time: copying them is little beside mixing. */
export class GossipEngine {
  readonly #arena: Arena;
  readonly #runner: Runner;
  readonly #cache: number;
  #numbers = 0;

  constructor(arena: Arena, runner: Runner, cache: number) {
    this.#arena = arena;
    this.#runner = runner;
    this.#cache = cache;
  }

  holds(x: Rows): boolean {
    return this.#arena.holds(x);
  }

  rows(width: number): Rows | undefined {
    return this.#arena.rows(width);
  }

  /** W x: in place for matchings, means and groups, otherwise into the spare rows. */
  mix(round: Round, x: Rows, distance?: Distance): Rows {
    const d = x.length / this.#arena.n;
    this.#numbers = x.length;
    const inPlace = round.kind === "matching" || round.kind === "mean" || round.kind === "grouped";
    const y = inPlace ? x : this.#arena.spare(d);
    if (!inPlace) this.#arena.leave(d, x);
    const at = this.#arena.scratch.at;
    const mean = distance === undefined ? 0 : at;
    if (distance !== undefined) this.#doubles(at, d).set(distance.mean);
    // The mean row, the average of a mean round, the distances; then tables.
    const sides: Sides = { x: x.byteOffset, y: y.byteOffset, d, mean, out: align(at + 16 * d) };
    const tables = align(sides.out + 8 * this.#arena.n);
    switch (round.kind) {
      case "circulant":
        this.#circulant(round, sides, tables);
        break;
      case "matching":
        this.#matching(round, sides, tables);
        break;
      case "sparse":
        this.#sparse(round, sides, tables);
        break;
      case "mean":
        this.#mean(round, sides, at + 8 * d);
        break;
      case "grouped":
        // Sums and copies of whole rows, which plain loops do as fast as memory gives them.
        applyGrouped(round, x, x, d);
        if (mean !== 0) this.#run({ kernel: "measureRows", args: [sides.y, d, mean, sides.out] }, round.n);
        break;
    }
    if (distance !== undefined) {
      let square = 0;
      for (const part of this.#doubles(sides.out, this.#arena.n)) square += part;
      distance.square = square;
    }
    return y;
  }

  #run(call: GossipCall, items: number): void {
    this.#runner.run(this.#arena, { ...call, items, numbers: this.#numbers });
  }

  #doubles(at: number, length: number): Float64Array {
    return new Float64Array(this.#arena.kernels.memory.buffer, at, length);
  }

  #integers(at: number, length: number): Int32Array {
    return new Int32Array(this.#arena.kernels.memory.buffer, at, length);
  }

  #circulant(round: CirculantRound, { x, y, d, mean, out }: Sides, tables: number): void {
    const { n, self, shifts, weights } = round;
    const { threads } = this.#runner;
    const m = shifts.length;
    if (m === 1) {
      this.#run({ kernel: "shiftRows", args: [x, y, n, d, self, shifts[0], weights[0], mean, out] }, n);
      return;
    }
    const shares = align(tables + 4 * m);
    const places = align(shares + 8 * m);
    const scratch = align(places + 4 * m * threads);
    this.#integers(tables, m).set(shifts);
    this.#doubles(shares, m).set(weights);
    const equal = weights.every((w) => w === weights[0]) ? 1 : 0;
    const head = [x, y, n, d, self, tables, shares, m, equal, places] as const;
    const rowBytes = d * (this.#arena.type === "float64" ? 8 : 4);
    if (d < COLUMNS || farShifts(shifts, rowBytes, this.#cache) < FAR_SHIFTS) {
      const block = Math.max(1, Math.floor(SUM_BYTES / (8 * d)));
      const sums = scratch;
      const scaled = align(sums + 8 * block * d * threads);
      const scale = equal === 1 && m >= SCALED_SHIFTS && scaled + 8 * n * d <= this.#arena.scratch.end;
      if (scale) this.#run({ kernel: "scaleRows", args: [x, scaled, d, weights[0]] }, n);
      this.#run({ kernel: "shiftsRows", args: [...head, scale ? scaled : 0, block, sums, mean, out] }, n);
      return;
    }
    // Panels as wide as there is scratch for, but the same number of them, of an even width, for every thread.
    const room = 2 * Math.floor((this.#arena.scratch.end - scratch) / (32 * n * threads));
    const panels = threads * Math.ceil(d / (threads * room));
    const panel = 2 * Math.ceil(d / panels / 2);
    this.#run({ kernel: "shiftsBlocks", args: [...head, COLUMNS, panel, PACKED_ROWS, scratch] }, Math.ceil(d / panel));
    if (mean !== 0) this.#run({ kernel: "measureRows", args: [y, d, mean, out] }, n);
  }

  #matching({ n, weight, partner }: MatchingRound, { x, d, mean, out }: Sides, tables: number): void {
    const pairs = this.#integers(tables, 2 * n);
    let count = 0;
    for (let i = 0; i < n; i++) {
      const j = partner[i];
      // Idle rows only matter where they are measured.
      if (i < j || (i === j && mean !== 0)) {
        pairs[count] = i;
        pairs[count + 1] = j;
        count += 2;
      }
    }
    this.#run({ kernel: "matchRows", args: [x, tables, d, 1 - weight, weight, mean, out] }, count / 2);
  }

  #sparse(round: SparseRound, { x, y, d, mean, out }: Sides, tables: number): void {
    const { n, self, start, from, weights } = round;
    const room = edgeRoom(n);
    const starts = align(tables + 8 * n);
    const froms = align(starts + 4 * (n + 1));
    const shares = align(froms + 4 * room);
    const sums = align(shares + 8 * room);
    for (let first = 0; first < n; ) {
      let end = n;
      if (start[n] - start[first] > room) {
        end = first + 1;
        while (end < n && start[end + 1] - start[first] <= room) end++;
        const edges = start[end] - start[first];
        if (edges > room) throw new InputError(`a node may have ${room} in-edges here`, edges, "merge repeated ones");
      }
      this.#doubles(tables, n).set(self.subarray(first, end));
      this.#integers(starts, n + 1).set(start.subarray(first, end + 1));
      this.#integers(froms, room).set(from.subarray(start[first], start[end]));
      this.#doubles(shares, room).set(weights.subarray(start[first], start[end]));
      this.#run(
        { kernel: "sparseRows", args: [x, y, d, tables, starts, froms, shares, first, sums, mean, out] },
        end - first,
      );
      first = end;
    }
  }

  #mean({ n, keep }: MeanRound, { x, d, mean, out }: Sides, average: number): void {
    this.#run({ kernel: "columnMeans", args: [x, n, d, average] }, d);
    this.#run({ kernel: "meanRows", args: [x, d, keep, average, mean, out] }, n);
  }
}

interface Sides {
  readonly x: number;
  readonly y: number;
  readonly d: number;
  readonly mean: number;
  readonly out: number;
}
