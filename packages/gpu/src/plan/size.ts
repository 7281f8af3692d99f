/** How many replicas of a network fit: the largest of a replica's buffers must fit as often into the largest of the device's. */

import type { Model } from "@equitopo/nn";
import type { Gpu } from "../device/adapter.ts";
import { type Precision, planFor } from "./precision.ts";

/** Replicas that can be trained together, by planning one with memory that is only counted. */
export function mostReplicas(gpu: Gpu, model: Model, batch: number, precision: Precision): number {
  let largest = 16;
  const createBuffer = ({ size }: GPUBufferDescriptor) => {
    largest = Math.max(largest, size);
    return { size, destroy() {} } as GPUBuffer;
  };
  const counting = { ...gpu, held: [], device: { createBuffer, queue: { writeBuffer() {} } } as unknown as GPUDevice };
  const replicaTable = createBuffer({ size: 32, usage: 0 });
  planFor(precision, { gpu: counting, model, replicas: 1, batch, replicaTable });
  const { maxStorageBufferBindingSize, maxBufferSize } = gpu.limits;
  return Math.floor(Math.min(maxStorageBufferBindingSize, maxBufferSize) / largest);
}
