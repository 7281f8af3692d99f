/**
 * Standard normal numbers in bulk, by Box and Muller's transform of Philox words:
 *
 *   z = sqrt(-2 ln u) (cos 2 pi v, sin 2 pi v),   u = (a + 1/2) / 2^32,   v = b / 2^32,
 *
 * with words (a, b) = (w0, w1), (w2, w3) of each block, so element 4 k + l of a stream needs block k only.
 * ln, sin and cos are elementary.ts's, not Math's: additions, multiplications, one division and one square root, each
 * exact to IEEE 754, so every engine and the SIMD kernel give the same bits. |z| <= 6.77.
 */

import { scratchKernels } from "../kernel/instance.ts";
import { cosSinTurn, log } from "../number/elementary.ts";
import { block, high32 } from "./philox.ts";

type Out = Float64Array | Float32Array;

/** Numbers that the kernel makes at once: 64 KiB of doubles, which stay in the cache on their way to `out`. */
const CHUNK = 8192;

/**
 * Fills `out` with elements offset, offset + 1, ... of the normal stream (seed, stream, round).
 * `offset` lets a node compute its own row alone. About 5 ns a number through the kernel, 35 ns without.
 *
 * @example
 * ```ts
 * import { fillNormal } from "equitopo/random";
 * const whole = fillNormal(new Float64Array(100), 1, 100, 0);
 * const part = fillNormal(new Float64Array(10), 1, 100, 0, 37);
 * part[0] === whole[37] // => true
 * ```
 */
export function fillNormal<T extends Out>(out: T, seed: number, stream: number, round: number, offset = 0): T {
  if (!normalKernel(out, seed, stream, round, offset)) fillNormalReference(out, seed, stream, round, offset);
  return out;
}

/** The same by the SIMD kernel; false where there is no wasm SIMD. */
export function normalKernel(out: Out, seed: number, stream: number, round: number, offset: number): boolean {
  const kernels = scratchKernels(8 * (CHUNK + 32));
  if (kernels === null) return false;
  for (let at = 0; at < out.length; at += CHUNK) {
    const first = offset + at;
    const skip = first % 4;
    const count = Math.min(CHUNK, out.length - at);
    const groups = Math.ceil((skip + count) / 16);
    const words = [seed | 0, high32(seed), stream | 0, round | 0, high32(round)] as const;
    kernels.call.fillNormal(0, groups, Math.floor(first / 4) | 0, ...words);
    out.set(new Float64Array(kernels.memory.buffer, 8 * skip, count), at);
  }
  return true;
}

/** The plain version that the kernel is tested against, bit for bit. */
export function fillNormalReference<T extends Out>(out: T, seed: number, stream: number, round: number, offset = 0): T {
  const words = new Uint32Array(4);
  const four = new Float64Array(4);
  const first = four.subarray(0, 2);
  const second = four.subarray(2, 4);
  let at = 0;
  for (let index = Math.floor(offset / 4); at < out.length; index++) {
    block(seed, stream, round, index, words);
    boxMuller(words[0], words[1], first);
    boxMuller(words[2], words[3], second);
    for (let lane = at === 0 ? offset % 4 : 0; lane < 4 && at < out.length; lane++) out[at++] = four[lane];
  }
  return out;
}

function boxMuller(a: number, b: number, out: Float64Array): void {
  const radius = Math.sqrt(-2 * log((a + 0.5) / 4294967296));
  cosSinTurn(b, out);
  out[0] *= radius;
  out[1] *= radius;
}
