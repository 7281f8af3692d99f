/**
 * The two networks against PyTorch 1.13 in double precision: loss, norm of every parameter's gradient, running statistics
 * and logits. Both sides fill tensor k of the parameters (in this library's layout; PyTorch's are permuted to it) with
 *   scale (2 frac(43758.5453 sin(12.9898 j + k)) - 1),  j = 0, 1, ...,
 * scale = sqrt(3 / fan in) for weights, 0.1 for vectors (batch norm's weights 1 more), the images likewise with k = 100
 * and scale 1; label b is (3 b^2 + b) mod 10; loss = nll_loss(log_softmax(net(x), dim), y). ResNet-20 with
 * F.pad(x[:, :, ::2, ::2], (0, 0, 0, 0, planes // 4, planes // 4)) as the shortcut.
 */

import { describe, expect, it } from "vitest";
import { createNnKernels } from "../../src/kernel/kernels.ts";
import type { Model } from "../../src/model/model.ts";
import { mnistCnn } from "../../src/model/models/mnist-cnn.ts";
import { resNet20 } from "../../src/model/models/resnet20.ts";
import type { SoftmaxAxis } from "../../src/model/score.ts";

const align = (bytes: number) => Math.ceil(bytes / 16) * 16;

function fill(out: Float32Array, seed: number, scale: number, shift = 0): void {
  for (let j = 0; j < out.length; j++) {
    const v = Math.sin(j * 12.9898 + seed) * 43758.5453;
    out[j] = (2 * (v - Math.floor(v)) - 1) * scale + shift;
  }
}

function run(model: Model, count: number, softmax: SoftmaxAxis) {
  const d = model.parameterCount;
  const [x, g, statistics] = [16, 16 + align(4 * d), 16 + 2 * align(4 * d)];
  const workspace = statistics + align(4 * model.statisticsCount);
  const kernels = createNnKernels(workspace + model.workspaceBytes(count));
  const { buffer } = kernels.memory;
  const bound = model.bind(kernels, workspace, count);
  model.parameters.forEach(({ offset, size, shape, fanIn, start }, k) => {
    const scale = shape.length > 1 ? Math.sqrt(3 / fanIn) : 0.1;
    fill(new Float32Array(buffer, x + 4 * offset, size), k, scale, start === "ones" ? 1 : 0);
  });
  const running = new Float32Array(buffer, statistics, model.statisticsCount);
  model.initialStatistics(running);
  fill(bound.images, 100, 1);
  for (let b = 0; b < count; b++) bound.labels[b] = (3 * b * b + b) % 10;
  const pass = { parameters: x, statistics, count };
  const loss = bound.lossAndGradient({ ...pass, gradient: g, seed: 1, round: 0, softmax });
  const norms = model.parameters.map(({ offset, size }) =>
    Math.hypot(...new Float32Array(buffer, g + 4 * offset, size)),
  );
  return { loss, norms, running, logits: () => bound.forward(pass) };
}

/** Each within the tolerance of its value, or of one thousandth where the value is (nearly) zero. */
function near(actual: readonly number[], expected: readonly number[], tolerance: number): void {
  expect(actual).toHaveLength(expected.length);
  expected.forEach((value, k) => {
    expect(Math.abs(actual[k] - value)).toBeLessThan(tolerance * Math.max(1e-3, Math.abs(value)));
  });
}

describe("as PyTorch computes it", () => {
  it("the MNIST CNN, log_softmax over the classes (dim = 1)", () => {
    const { loss, norms } = run(mnistCnn({ dropout: 0 }), 6, "classes");
    expect(loss).toBeCloseTo(2.591945900405044, 5);
    near(norms, [0.7667, 0.28957, 3.46829, 0.329767, 3.56367, 0.362549, 2.0644, 0.594141], 1e-4);
  });

  it("the MNIST CNN, log_softmax over the batch (dim = 0)", () => {
    const { loss, norms } = run(mnistCnn({ dropout: 0 }), 6, "batch");
    expect(loss).toBeCloseTo(1.7936891960107324, 5);
    near(norms, [0.644443, 0.094309, 1.72296, 0.114048, 1.06164, 0.052182, 0.355762, 0], 1e-4);
  });

  it("ResNet-20", () => {
    const { loss, norms, running, logits } = run(resNet20(), 4, "classes");
    expect(loss).toBeCloseTo(3.317630439950237, 4);
    const expected = [
      2.00941, 0.290747, 0.245752, 3.26064, 0.261757, 0.141722, 2.65187, 0.204382, 0.167091, 2.34072, 0.182673,
      0.135832, 1.95958, 0.192645, 0.183497, 1.68891, 0.110499, 0.114559, 1.48915, 0.135667, 0.193344, 1.55024,
      0.119202, 0.0969837, 1.8355, 0.167667, 0.235977, 1.74225, 0.0906362, 0.0689375, 1.46787, 0.146017, 0.266901,
      1.36827, 0.0656127, 0.0615558, 1.19106, 0.129588, 0.292798, 1.18791, 0.0669183, 0.0631263, 1.44158, 0.222986,
      0.388177, 1.43882, 0.0529034, 0.0440491, 1.18235, 0.227218, 0.489642, 1.14932, 0.0381279, 0.0373545, 0.942758,
      0.208053, 0.604532, 9.21309, 0.824847,
    ];
    near(norms, expected, 1e-3);
    // The first batch norm's running mean and variance (16 channels), and the last one's variance (64).
    near([Math.hypot(...running.subarray(0, 16))], [0.0016927527905440623], 1e-3);
    near([Math.hypot(...running.subarray(16, 32))], [3.72133954621795], 1e-5);
    near([Math.hypot(...running.subarray(running.length - 64))], [7.462300600481568], 1e-4);
    const scores = [
      -0.141624, -0.050741, 0.167525, -0.379454, 0.194294, 0.301026, 0.550595, -0.261433, 0.230118, -0.225405,
    ];
    const row = logits().subarray(12, 22);
    scores.forEach((score, c) => {
      expect(row[c]).toBeCloseTo(score, 4);
    });
  });
});
