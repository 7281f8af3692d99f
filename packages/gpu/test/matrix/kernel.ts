/** One kernel over halves on the tests' adapter, its products written out in float32, and what its buffers hold afterwards. */

import type { Shape } from "@equitopo/nn";
import type { Gpu } from "../../src/device/adapter.ts";
import { readBack, storage } from "../../src/device/memory.ts";
import { compilerOf, type Kernel } from "../../src/device/program.ts";
import type { Norms } from "../../src/shader/value.ts";
import { stepsOf } from "../../src/train/steps.ts";
import { writtenOut } from "./written-out.ts";

export const matrices = writtenOut;
export const replicas = 2;
export const batch = 2;

/** Numbers that are never zero, the same every time. */
export const numbers = (count: number, seed: number): Float32Array =>
  Float32Array.from({ length: count }, (_, k) => Math.sin(1.7 * k + seed) + 0.01 * ((k % 7) - 3) + 0.003);

export function buffer(gpu: Gpu, values: Float32Array): GPUBuffer {
  const made = storage(gpu, "a test's numbers", values.length);
  gpu.device.queue.writeBuffer(made, 0, values);
  return made;
}

/** Tables of `width` channels for every replica, and what stands in them. */
export function tables(gpu: Gpu, width: number): Norms & { readonly norm: Float32Array; readonly slope: Float32Array } {
  const [norm, slope] = [numbers(4 * width * replicas, 0.3), numbers(4 * width * replicas, 0.9)];
  return { width, norms: buffer(gpu, norm), slopes: buffer(gpu, slope), norm, slope };
}

/** Runs the kernel over `count` images of a batch, and reads one buffer back. */
export async function run(gpu: Gpu, kernel: Kernel, count: number, out: GPUBuffer): Promise<Float32Array> {
  const steps = stepsOf(gpu, 1);
  steps.write([{ t: 0, count, row: 0, momentum: 0 }]);
  const program = await compilerOf(gpu).program([kernel], steps.buffer);
  const encoder = gpu.device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  program.encode(pass, 0);
  pass.end();
  gpu.device.queue.submit([encoder.finish()]);
  return new Float32Array(await readBack(gpu, out));
}

/** An array as [replica][image][row][column][channel], zero outside the image. */
export function imagesOf({ height, width, channels }: Shape, values: ArrayLike<number>) {
  return (replica: number, image: number, y: number, x: number, c: number): number =>
    y < 0 || y >= height || x < 0 || x >= width
      ? 0
      : values[(((replica * batch + image) * height + y) * width + x) * channels + c];
}

/** Entry c of a replica's table. */
export const entryOf = (table: Float32Array, width: number) => (replica: number, c: number) =>
  table.subarray(4 * (replica * width + c), 4 * (replica * width + c) + 4);

/** ||a - b|| / ||b||, over the places that `b` knows. */
export function distance(a: ArrayLike<number>, b: readonly (number | undefined)[]): number {
  let [difference, square] = [0, 0];
  b.forEach((value, k) => {
    if (value === undefined) return;
    difference += (a[k] - value) ** 2;
    square += value ** 2;
  });
  return Math.sqrt(difference / square);
}
