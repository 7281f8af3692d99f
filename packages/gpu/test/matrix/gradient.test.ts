/**
 * The kernels over halves with their products written out in float32: gradients of small residual networks, tensor by tensor,
 * against the CPU's. That holds everything but the rounding to halves; the matrix units themselves are tried by
 * `npm run bench -- gpu` on an adapter that has them. A stem, blocks with and without a stride, both ways of tiling.
 */

import { expect } from "vitest";
import { deviceOfTests, onDevice } from "../device.ts";
import { compareGradients } from "../train/gradient.ts";

const convolution = (channels: number, stride = 1) =>
  ({ kind: "convolution", channels, kernel: 3, pad: 1, stride, bias: false }) as const;

onDevice(
  "a stem, a block and a block of stride 2",
  async () => {
    const layers = [
      convolution(16),
      { kind: "batch-norm", relu: true },
      { kind: "residual", layers: [convolution(16), { kind: "batch-norm" }] },
      { kind: "residual", layers: [convolution(32, 2), { kind: "batch-norm" }] },
      { kind: "average-pool" },
      { kind: "dense", units: 10 },
    ];
    const { errors, parameters, loss, statistics } = await compareGradients(
      await deviceOfTests(),
      {
        ...{ n: 2, images: 10, tests: 10, seed: 3, data: { name: "synthetic", size: 32, channels: 3 }, batch: 2 },
        ...{ model: { layers }, augmentation: { pad: 4, flip: true } },
        normalisation: { mean: [0.4, 0.5, 0.6], deviation: [0.2, 0.3, 0.25] },
      },
      1,
      { precision: "mixed", spelling: "written-out" },
    );
    expect(Math.abs(loss[0] - loss[1])).toBeLessThan(1e-5);
    expect(statistics).toBeLessThan(1e-5);
    console.log(errors.map((error, k) => `${parameters[k].name} ${error.toExponential(1)}`).join("\n"));
    errors.forEach((error, k) => {
      expect(error, parameters[k].name).toBeLessThan(1e-4);
    });
  },
  300_000,
);
