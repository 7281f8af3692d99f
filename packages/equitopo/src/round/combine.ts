/**
 * A peer's share of a round:  y = self x + sum_k weights[k] rows[k],  numbers added in that order, in double, and rounded
 * once to the rows' type: to the last bit what round/apply.ts does for the whole network.
 *
 * Rows may lie anywhere (shared memory, a socket's buffer), so they pass through the kernel's own memory in pieces that
 * stay in the cache: three copies and the SIMD loop still take a third of the time of a plain loop.
 */

import { createKernels } from "../kernel/instance.ts";
import type { Rows } from "./round.ts";

/** Numbers in a piece, and bytes of a row's place: room for a piece of float64. */
const piece = 4096;
const stride = 8 * piece;
/** Rows that the kernel's memory has room for; more are summed by the plain loop. */
const kernelRows = 14;

/** y may be x, never one of the rows. */
export function combine(y: Rows, self: number, x: Rows, weights: readonly number[], rows: readonly Rows[]): void {
  if (rows.length === 0 && self === 1) {
    if (y !== x) y.set(x);
  } else if (y.length < 64 || rows.length > kernelRows || !combineByKernel(y, self, x, weights, rows)) {
    combineRow(y, self, x, weights, rows);
  }
}

let bench: ReturnType<typeof makeBench> | undefined;

/** The kernel, and views of its memory: the weights, y, then x and the rows. Null where there is no wasm SIMD. */
function makeBench() {
  const kernels = createKernels(stride * (kernelRows + 3));
  if (kernels === null) return null;
  const { buffer } = kernels.memory;
  const offsets = Array.from({ length: kernelRows + 2 }, (_, j) => stride * (j + 1));
  return {
    kernels,
    weights: new Float64Array(buffer, 0, kernelRows + 1),
    places32: offsets.map((offset) => new Float32Array(buffer, offset, piece)),
    places64: offsets.map((offset) => new Float64Array(buffer, offset, piece)),
  };
}

/** False where there is no wasm SIMD. */
function combineByKernel(y: Rows, self: number, x: Rows, weights: readonly number[], rows: readonly Rows[]): boolean {
  bench ??= makeBench();
  if (bench === null) return false;
  const { kernels, places32, places64 } = bench;
  const single = y instanceof Float32Array;
  const places = single ? places32 : places64;
  const call = single ? kernels.call.combineRows32 : kernels.call.combineRows64;
  bench.weights[0] = self;
  bench.weights.set(weights, 1);
  const sources = rows.length + 1;
  for (let at = 0; at < y.length; at += piece) {
    const count = Math.min(piece, y.length - at);
    places[1].set(x.subarray(at, at + count));
    for (let j = 1; j < sources; j++) places[j + 1].set(rows[j - 1].subarray(at, at + count));
    call(stride, 2 * stride, stride, sources, 0, count);
    y.set(count === piece ? places[0] : places[0].subarray(0, count), at);
  }
  return true;
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
