/**
 * A peer's share of a round:  y = self x + sum_k weights[k] rows[k],  numbers added in that order, in double, and rounded
 * once to the rows' type: to the last bit what round/apply.ts does for the whole network.
 *
 * Rows of one space (kernel/space.ts) are combined where they lie. Rows may lie anywhere, too (shared memory, a socket's
 * buffer): then they pass through the kernel's own memory in pieces that stay in the cache, and three copies and the SIMD loop
 * still take a third of the time of a plain loop.
 */

import { createKernels } from "../kernel/instance.ts";
import { deskBytes, kernelRows, spaceIn, spaceOf } from "../kernel/space.ts";
import type { Rows } from "./round.ts";

/** Numbers in a piece, and bytes of a row's place: room for a piece of float64. */
const piece = 4096;
const stride = 8 * piece;

/**
 * y may be x, never one of the rows. True where all of y was seen to be finite, and with it all that went into it: the kernel
 * sees that at no cost.
 */
export function combine(y: Rows, self: number, x: Rows, weights: readonly number[], rows: readonly Rows[]): boolean {
  if (rows.length === 0 && self === 1) {
    if (y !== x) y.set(x);
    return false;
  }
  if (rows.length > 0 && rows.length < kernelRows && y.length >= 64) {
    const space = spaceOf(y);
    if (space !== undefined && x.buffer === space.buffer && rows.every(({ buffer }) => buffer === space.buffer)) {
      const places = [x, ...rows].map(({ byteOffset }) => byteOffset);
      return space.combine(typeOf(y), y.byteOffset, self, weights, places, y.length);
    }
    bench ??= makeBench();
    if (bench !== null) return combinePieces(bench, y, self, x, weights, rows);
  }
  combineRow(y, self, x, weights, rows);
  return false;
}

const typeOf = (y: Rows) => (y instanceof Float32Array ? "float32" : "float64");

let bench: ReturnType<typeof makeBench> | undefined;
type Bench = NonNullable<ReturnType<typeof makeBench>>;

/** The kernel's own memory, and views of it: y, then x and the rows. Null where there is no wasm SIMD. */
function makeBench() {
  const kernels = createKernels(deskBytes + stride * (kernelRows + 1));
  if (kernels === null) return null;
  const { buffer } = kernels.memory;
  const places = Array.from({ length: kernelRows + 1 }, (_, j) => deskBytes + stride * j);
  return {
    space: spaceIn(kernels, 0),
    places,
    float32: places.map((place) => new Float32Array(buffer, place, piece)),
    float64: places.map((place) => new Float64Array(buffer, place, piece)),
  };
}

function combinePieces(
  { space, places, ...views }: Bench,
  y: Rows,
  self: number,
  x: Rows,
  weights: readonly number[],
  rows: readonly Rows[],
): boolean {
  const type = typeOf(y);
  const [out, own, ...theirs] = views[type];
  const sources = places.slice(1, rows.length + 2);
  let finite = true;
  for (let at = 0; at < y.length; at += piece) {
    const count = Math.min(piece, y.length - at);
    own.set(x.subarray(at, at + count));
    rows.forEach((row, j) => {
      theirs[j].set(row.subarray(at, at + count));
    });
    finite = space.combine(type, places[0], self, weights, sources, count) && finite;
    y.set(count === piece ? out : out.subarray(0, count), at);
  }
  return finite;
}

/** y = keep x + (1 - keep) mean of the rows, which are in the order of their labels, x among them. */
export function combineMean(y: Rows, keep: number, x: Rows, rows: readonly Rows[]): void {
  for (let k = 0; k < y.length; k++) {
    let sum = 0;
    for (let j = 0; j < rows.length; j++) sum += rows[j][k];
    y[k] = keep * x[k] + (1 - keep) * (sum / rows.length);
  }
}

/** The plain loop, which defines it; y may be x, never one of the rows. O(d rows). */
export function combineRow(y: Rows, self: number, x: Rows, weights: readonly number[], rows: readonly Rows[]): void {
  for (let k = 0; k < y.length; k++) {
    let sum = self * x[k];
    for (let j = 0; j < rows.length; j++) sum += weights[j] * rows[j][k];
    y[k] = sum;
  }
}
