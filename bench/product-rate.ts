/** The rate of a large matrix product with the kernels of networks: the limit of every step of training. */

import { createNnKernels } from "@equitopo/nn/internal";
import { best } from "./measure.ts";

/** Billions of products a second of a 384 x 384 x 384 matrix product: a 1 x 1 convolution of a line of n pixels. */
export function productRate(): number {
  const n = 384;
  const { call, memory } = createNnKernels(6 * 4 * n * n);
  new Float32Array(memory.buffer).fill(0.5);
  const at = (k: number) => 4 * n * n * k;
  const run = () => call.convolve(at(0), 1, 1, n, n, n, 0, 1, 1, 1, at(1), 0, at(2), 1, n, n, n, 0, at(3));
  return n ** 3 / best(30, run) / 1e6;
}
