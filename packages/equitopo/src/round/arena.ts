/**
 * Rows in wasm memory. Growing a memory detaches every view of it, so none is ever grown: an arena is made with room
 * for several sets of rows, their spare and the kernels' scratch, and when it is full the mixer makes another one.
 * Memory that nobody touches costs address space only.
 *
 *   0        64           rowsAt
 *   nothing | scratch     | rows, rows, ..., one spare a width
 */

import { type Kernels, PAGE } from "../kernel/instance.ts";
import type { Rows } from "./round.ts";

/** Room for up to this many sets of rows, while they take less than ROOM_BYTES. */
const ROOM = 8;
const ROOM_BYTES = 2 ** 26;
const MAX_BYTES = 65535 * PAGE;

/** Edges of a sparse round that fit into the scratch, per node; longer lists go through it in slabs. */
const EDGES_PER_NODE = 32;

export const align = (bytes: number) => Math.ceil(bytes / 64) * 64;

export interface Layout {
  readonly bytes: number;
  readonly rowsAt: number;
}

/** How much an arena for rows of this width takes; undefined where 4 GiB are not enough. */
export function arenaLayout(n: number, width: number, size: 8 | 4, threads: number): Layout | undefined {
  // Distances, mean and average rows; then tables of edges, or shifts with packed columns (twice 8 columns per thread, or
  // better twice all of them).
  const rowsOnTheSide = 8 * n + 16 * width;
  const edges = 12 * n + 12 * edgeRoom(n) + threads * (8 * width + 64);
  const least = threads * Math.max(128 * n, 2 ** 16, 8 * width);
  const shifts = (12 + 4 * threads) * n + Math.max(least, Math.min(16 * n * width, ROOM_BYTES));
  const rowsAt = align(64 + rowsOnTheSide + Math.max(edges, shifts) + 1024);
  const one = align(n * width * size);
  const room = Math.max(2, Math.min(ROOM, Math.floor(ROOM_BYTES / one)));
  const bytes = rowsAt + room * one;
  return bytes <= MAX_BYTES ? { bytes, rowsAt } : undefined;
}

export const edgeRoom = (n: number) => Math.max(EDGES_PER_NODE * n, 4096);

export type Arena = ReturnType<typeof createArena>;

/** An arena for n rows of up to `width` numbers. */
export function createArena(
  kernels: Kernels<ArrayBufferLike>,
  n: number,
  width: number,
  type: "float64" | "float32",
  { rowsAt }: Layout,
) {
  const { buffer } = kernels.memory;
  const size = type === "float64" ? 8 : 4;
  const bytesOf = (count: number) => align(n * count * size);
  const spares = new Map<number, Rows>();
  let free = rowsAt;

  function take(count: number): Rows {
    const at = free;
    free += bytesOf(count);
    return type === "float64" ? new Float64Array(buffer, at, n * count) : new Float32Array(buffer, at, n * count);
  }

  return {
    kernels,
    n,
    type,
    scratch: { at: 64, end: rowsAt },

    /** Zeroed rows of `count` numbers, with a spare of the same width kept back; undefined where there is no room. */
    rows(count: number): Rows | undefined {
      const sets = spares.has(count) ? 1 : 2;
      if (count > width || free + sets * bytesOf(count) > buffer.byteLength) return undefined;
      if (sets === 2) spares.set(count, take(count));
      return take(count);
    },

    holds: (x: Rows) => x.buffer === buffer && x.BYTES_PER_ELEMENT === size,

    /** The spare rows of this width in exchange for others. */
    swap(count: number, rows: Rows): Rows {
      const spare = spares.get(count);
      if (spare === undefined) throw new Error(`no rows of width ${count} came from here`);
      spares.set(count, rows);
      return spare;
    },
  };
}
