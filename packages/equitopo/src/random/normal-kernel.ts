/** The SIMD kernel behind random/normal.ts. */

import { scratchKernels } from "../kernel/instance.ts";
import { high32 } from "./philox.ts";

/** Numbers made at once: 64 KiB of doubles, which stay in the cache on their way to `out`. */
const CHUNK = 8192;

/** Fills `out` like fillNormalReference does; false where there is no wasm SIMD. */
export function normalKernel(
  out: Float64Array | Float32Array,
  seed: number,
  stream: number,
  round: number,
  offset: number,
): boolean {
  const kernels = scratchKernels(8 * (CHUNK + 32));
  if (kernels === null) return false;
  let at = 0;
  while (at < out.length) {
    const first = offset + at;
    const skip = first % 4;
    const count = Math.min(CHUNK, out.length - at);
    const groups = Math.ceil((skip + count) / 16);
    kernels.call.fillNormal(
      0,
      groups,
      Math.floor(first / 4) | 0,
      seed | 0,
      high32(seed),
      stream | 0,
      round | 0,
      high32(round),
    );
    out.set(new Float64Array(kernels.memory.buffer, 8 * skip, count), at);
    at += count;
  }
  return true;
}
