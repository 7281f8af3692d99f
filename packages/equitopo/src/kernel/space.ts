/**
 * Spaces: memory whose rows the combining kernel reads and writes where they lie (round/combine.ts). A space begins with desks,
 * where a call's weights and the addresses of its rows are laid down; of a space that threads share, each has a desk of its own.
 *
 * Rows of one length lie together, up to `most`, in a space that is made when the first is taken; the system gives it memory
 * as it is written to. What is taken and not given back is lost to the space, which goes when its last row does. Where there
 * is no wasm SIMD, or no room, nobody is handed a row, and rows lie anywhere.
 */

import { createKernels, type Kernels } from "./instance.ts";

type Row = Float32Array | Float64Array;
type Type = "float32" | "float64";

/** Rows that a kernel combines at most, and bytes of a desk. */
export const kernelRows = 15;
export const deskBytes = 256;

export type Space = ReturnType<typeof spaceIn>;

/** Memory as a space, with the desk at that place. */
export function spaceIn({ call, memory: { buffer } }: Kernels<ArrayBufferLike>, desk: number) {
  const weights = new Float64Array(buffer, desk, kernelRows);
  const places = new Uint32Array(buffer, desk + weights.byteLength, kernelRows);
  return {
    buffer,
    /** y = sum_j weights[j] rows_j of the rows at those addresses; true where all of y is finite. */
    combine(
      type: Type,
      y: number,
      self: number,
      others: readonly number[],
      rows: readonly number[],
      count: number,
    ): boolean {
      weights[0] = self;
      weights.set(others, 1);
      places.set(rows);
      const kernel = type === "float32" ? call.combineRows32 : call.combineRows64;
      return kernel(y, places.byteOffset, weights.byteOffset, rows.length, count) === 1;
    },
  };
}

const spaces = new WeakMap<ArrayBufferLike, Space>();

/** Makes memory known as a space. */
export function openSpace(space: Space): void {
  spaces.set(space.buffer, space);
}

export function spaceOf({ buffer }: Row): Space | undefined {
  return spaces.get(buffer);
}

/** Shorter rows gain nothing. A space has room for three at least: what is sent, what comes, and what is made of both. */
const [shortest, least, most] = [64, 3, 12];
const [spaceBytes, lengths] = [2 ** 31, 8];

interface Shelf {
  readonly memory: ArrayBuffer;
  readonly free: number[];
}
const shelves = new Map<string, Shelf | undefined>();

/** A place for each row is a multiple of 64 bytes. */
const place = (type: Type, length: number) => Math.ceil(((type === "float32" ? 4 : 8) * length) / 64) * 64;

function newShelf(stride: number): Shelf | undefined {
  const count = Math.min(most, Math.floor((spaceBytes - deskBytes) / stride));
  try {
    const kernels = count < least ? null : createKernels(deskBytes + count * stride);
    if (kernels === null) return undefined;
    openSpace(spaceIn(kernels, 0));
    return { memory: kernels.memory.buffer, free: Array.from({ length: count }, (_, j) => deskBytes + j * stride) };
  } catch {
    return undefined; // no room for so much
  }
}

/**
 * The row of that length that was given back last: it is in the cache, and what was never taken costs no memory. What is in it is
 * old. Undefined where there is none.
 */
export function takeRow(type: Type, length: number): Row | undefined {
  if (length < shortest) return undefined;
  const name = `${type} ${length}`;
  if (!shelves.has(name)) {
    if (shelves.size >= lengths) shelves.clear();
    shelves.set(name, newShelf(place(type, length)));
  }
  const shelf = shelves.get(name);
  const at = shelf?.free.pop();
  if (shelf === undefined || at === undefined) return undefined;
  return type === "float32" ? new Float32Array(shelf.memory, at, length) : new Float64Array(shelf.memory, at, length);
}

/** Gives a row back that nobody uses any more. False where rows of its length have no space: then it may be worth keeping. */
export function giveRow(row: Row): boolean {
  const shelf = shelves.get(`${row instanceof Float32Array ? "float32" : "float64"} ${row.length}`);
  if (shelf?.memory === row.buffer && !shelf.free.includes(row.byteOffset)) shelf.free.push(row.byteOffset);
  return shelf !== undefined;
}
