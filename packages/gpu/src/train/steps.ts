/** The numbers of a step, as kernels see them (device/program.ts), slot by slot. */

import type { Gpu } from "../device/adapter.ts";
import { SLOT } from "../device/program.ts";

export interface StepNumbers {
  /** The iteration, which random words depend on. */
  readonly t: number;
  /** Images of the batch that count. */
  readonly count: number;
  /** The row that losses go to. */
  readonly row: number;
  /** How much of the batch's mean and variance enters the running statistics. */
  readonly momentum: number;
}

export type Steps = ReturnType<typeof stepsOf>;

export function stepsOf({ device }: Gpu, slots: number) {
  const bytes = new ArrayBuffer(SLOT * slots);
  const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
  const buffer = device.createBuffer({ size: SLOT * slots, usage });
  return {
    ...{ buffer, slots },

    /** Slot k gets the k-th of these. */
    write(steps: readonly StepNumbers[]): void {
      steps.forEach(({ t, count, row, momentum }, slot) => {
        const words = new Uint32Array(bytes, SLOT * slot, 8);
        words.set([t % 4294967296, Math.floor(t / 4294967296), count, slot, row]);
        new Float32Array(bytes, SLOT * slot, 8)[5] = momentum;
      });
      device.queue.writeBuffer(buffer, 0, bytes, 0, SLOT * steps.length);
    },
  };
}
