/**
 * Every layer's kernels against the CPU's: gradients of small networks, tensor by tensor, from the same images, crops,
 * flips and dropped numbers. A pre-activation at a ReLU's edge would show as an error of 1e-3; these seeds have none.
 * Compiling is what costs on a software adapter, so 3 x 3 kernels of stride 2 are left to ResNet-20, at length.
 */

import type { ClassificationOptions } from "@equitopo/nn";
import { expect } from "vitest";
import { atLength, deviceOfTests, onDevice } from "../device.ts";
import { compareGradients } from "./gradient.ts";

const convolution = (channels: number, stride = 1) =>
  ({ kind: "convolution", channels, kernel: 3, pad: 1, stride, bias: false }) as const;

async function expectClose(options: ClassificationOptions, t: number): Promise<void> {
  const { errors, parameters, loss, statistics } = await compareGradients(await deviceOfTests(), options, t);
  expect(Math.abs(loss[0] - loss[1])).toBeLessThan(1e-5);
  expect(statistics).toBeLessThan(1e-5);
  errors.forEach((error, k) => {
    expect(error, parameters[k].name).toBeLessThan(1e-4);
  });
}

const small = { n: 2, images: 40, tests: 10, seed: 3 };

onDevice("dense layers, and a short batch", () =>
  expectClose({ ...small, data: "synthetic", model: { name: "perceptron", hidden: [8] }, batch: 16 }, 3),
);

onDevice(
  "a residual network: batch norm, stride 2, shortcuts of both kinds, crops and flips",
  () => {
    const layers = [
      { kind: "convolution", channels: 4, kernel: 1, bias: false },
      { kind: "batch-norm", relu: true },
      { kind: "residual", layers: [convolution(4), { kind: "batch-norm" }] },
      { kind: "residual", layers: [{ ...convolution(8, 2), kernel: 1, pad: 0 }, { kind: "batch-norm" }] },
      { kind: "average-pool" },
      { kind: "dense", units: 10 },
    ];
    return expectClose(
      {
        ...{ ...small, data: { name: "synthetic", size: 24, channels: 3 }, batch: 2, model: { layers } },
        ...{
          augmentation: { pad: 4, flip: true },
          normalisation: { mean: [0.4, 0.5, 0.6], deviation: [0.2, 0.3, 0.25] },
        },
      },
      1,
    );
  },
  300_000,
);

onDevice(
  "odd sizes, overlapping pools, both kinds of dropout, a norm after anything, softmax over the batch",
  () => {
    const layers = [
      { kind: "convolution", channels: 6, kernel: 3, stride: 2, relu: true },
      { kind: "batch-norm" },
      { kind: "relu" },
      { kind: "max-pool", size: 3, stride: 2 },
      { kind: "dropout", rate: 0.5, of: "channels" },
      { kind: "dropout", rate: 0.25 },
      { kind: "dense", units: 8, relu: true },
      { kind: "batch-norm", relu: true },
      { kind: "dense", units: 10 },
    ];
    return expectClose(
      { ...small, data: { name: "synthetic", size: 25, channels: 3 }, batch: 5, softmax: "batch", model: { layers } },
      2,
    );
  },
  300_000,
);

atLength(
  "the MNIST network",
  () => expectClose({ ...small, images: 400, data: "synthetic", model: "mnist-cnn", batch: 64 }, 1),
  1e6,
);

atLength(
  "ResNet-20",
  () =>
    expectClose(
      {
        ...{ ...small, data: { name: "synthetic", size: 32, channels: 3 }, batch: 8, model: "resnet20" },
        augmentation: { pad: 4, flip: true },
      },
      1,
    ),
  1e6,
);
