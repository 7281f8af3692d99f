/** Buffers on the device: asked for by their size in numbers of four bytes, refused in words where they cannot be had. */

import { InputError } from "equitopo/internal/input";
import type { Rows } from "equitopo/internal/round";
import type { Gpu } from "./adapter.ts";

/** A zeroed buffer of so many 4-byte numbers that kernels read and write and that can be copied both ways. */
export function storage({ device, limits, held }: Gpu, what: string, numbers: number): GPUBuffer {
  const size = Math.max(16, 4 * Math.ceil(numbers / 4) * 4);
  const most = Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize);
  if (size > most) {
    const rule = `${what} must fit into one buffer of this GPU, ${most} bytes (maxStorageBufferBindingSize)`;
    throw new InputError(rule, size, "train fewer replicas at a time, or with smaller batches");
  }
  const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
  const buffer = device.createBuffer({ label: what, size, usage: STORAGE | COPY_SRC | COPY_DST });
  held?.push(buffer);
  return buffer;
}

/** A copy of `numbers` 4-byte numbers from `from` on, in new memory. Waits for all work that was handed in before. */
export async function readBack({ device }: Gpu, buffer: GPUBuffer, from = 0, numbers = buffer.size / 4 - from) {
  const size = 4 * numbers;
  const { MAP_READ, COPY_DST } = GPUBufferUsage;
  const read = device.createBuffer({ size: Math.max(4, size), usage: MAP_READ | COPY_DST });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 4 * from, read, 0, size);
  device.queue.submit([encoder.finish()]);
  await read.mapAsync(GPUMapMode.READ);
  const copy = read.getMappedRange().slice(0);
  read.destroy();
  return copy;
}

/** Rows of `width` numbers in a buffer that has them `stride` apart, from row `first` on. */
export interface PlacedRows {
  readonly buffer: GPUBuffer;
  readonly stride: number;
  readonly width: number;
  readonly first: number;
}

/** Rows in ordinary memory, one directly after another, to the device. */
export function writeRows({ device }: Gpu, { buffer, stride, width, first }: PlacedRows, rows: Rows): void {
  const padded = new Float32Array((rows.length / width) * stride);
  for (let k = 0; k * width < rows.length; k++) padded.set(rows.subarray(k * width, (k + 1) * width), k * stride);
  device.queue.writeBuffer(buffer, 4 * first * stride, padded);
}

/** `count` rows from the device, one directly after another. */
export async function readRows(gpu: Gpu, { buffer, stride, width, first }: PlacedRows, count: number) {
  const padded = new Float32Array(await readBack(gpu, buffer, first * stride, count * stride));
  const rows = new Float32Array(count * width);
  for (let k = 0; k < count; k++) rows.set(padded.subarray(k * stride, k * stride + width), k * width);
  return rows;
}
