import { RandomStream } from "equitopo/internal/random";
import { describe, expect, it } from "vitest";
import { createNnKernels } from "../../src/kernel/kernels.ts";
import { Model } from "../../src/model/model.ts";
import { gpt } from "../../src/model/models/gpt.ts";
import { mnistCnn } from "../../src/model/models/mnist-cnn.ts";
import { perceptron, softmaxRegression } from "../../src/model/models/perceptron.ts";
import { resNet20 } from "../../src/model/models/resnet20.ts";
import type { SoftmaxAxis } from "../../src/model/score.ts";
import type { LayerSpec, Shape } from "../../src/model/spec.ts";
import { referenceForward, referenceLoss } from "./reference.ts";

/**
 * Loss and gradient of the kernels against the double-precision reference: the loss itself, single derivatives by
 * central differences, and the derivative along the gradient, which sees every coordinate at once.
 */
function check(model: Model, count: number, axis: SoftmaxAxis, tolerance: number, probes = 12): void {
  const align = (bytes: number) => Math.ceil(bytes / 16) * 16;
  const d = model.parameterCount;
  const parametersAt = 16;
  const gradientAt = align(parametersAt + 4 * d);
  const statisticsAt = align(gradientAt + 4 * d);
  const workspaceAt = align(statisticsAt + 4 * model.statisticsCount);
  const kernels = createNnKernels(workspaceAt + model.workspaceBytes(count + 1));
  const bound = model.bind(kernels, workspaceAt, count + 1);
  const random = new RandomStream(5, 1000, 0);
  const parameters = model.initialParameters(3, new Float32Array(kernels.memory.buffer, parametersAt, d));
  // Batch norm and biases away from their special initial values; weights that start at zero as well.
  for (let k = 0; k < d; k++) parameters[k] += 0.1 * (random.uniform() - 0.5);
  model.initialStatistics(new Float32Array(kernels.memory.buffer, statisticsAt, model.statisticsCount));
  const { height, width, channels } = model.input;
  const images = new Float64Array(count * height * width * channels);
  const tokens = model.scores === "every position";
  for (let k = 0; k < images.length; k++) {
    images[k] = tokens ? random.below(model.classes) : Math.fround(random.uniform() * 2 - 1);
    bound.images[Math.floor(k / channels) * bound.imagePitch + (k % channels)] = images[k];
  }
  const labels = Array.from({ length: count * model.rows }, () => random.below(model.classes));
  bound.labels.set(labels);
  const pass = { images: count, seed: 11, round: 77, training: true };
  const lossAt = (at: ArrayLike<number>) =>
    referenceLoss(referenceForward(model.layers, model.input, at, images, pass), labels, axis);

  const loss = bound.lossAndGradient({
    ...{ parameters: parametersAt, statistics: statisticsAt, gradient: gradientAt },
    ...{ count, seed: 11, round: 77, softmax: axis },
  });
  const gradient = new Float32Array(kernels.memory.buffer, gradientAt, d);
  const point = Float64Array.from(parameters);
  expect(loss).toBeCloseTo(lossAt(point), 4);

  const norm = Math.sqrt(gradient.reduce((sum, g) => sum + g * g, 0));
  expect(norm).toBeGreaterThan(1e-3);
  const step = 1e-6;
  const along = (direction: (k: number) => number) => {
    const plus = lossAt(point.map((v, k) => v + step * direction(k)));
    return (plus - lossAt(point.map((v, k) => v - step * direction(k)))) / (2 * step);
  };
  expect(Math.abs(along((k) => gradient[k] / norm) / norm - 1)).toBeLessThan(tolerance);
  // One derivative of every parameter tensor (of evenly chosen ones, where there are many), and some more anywhere.
  const stride = Math.ceil(model.parameters.length / probes);
  const tensors = model.parameters.filter((_, k) => k % stride === 0);
  const places = tensors.map(({ offset, size }) => offset + random.below(size));
  while (places.length < probes) places.push(random.below(d));
  const typical = norm / Math.sqrt(d);
  for (const place of places) {
    const difference = along((k) => (k === place ? 1 : 0));
    expect(Math.abs(gradient[place] - difference)).toBeLessThan(tolerance * (Math.abs(difference) + typical));
  }
}

const shape = (height: number, width: number, channels: number): Shape => ({ height, width, channels });
const end: LayerSpec = { kind: "dense", units: 3 };
const net = (input: Shape, ...layers: LayerSpec[]) => new Model({ name: "test", input, layers });

describe("every layer's gradient is that of the loss", () => {
  const cases: [string, Model][] = [
    ["dense", net(shape(1, 1, 7), { kind: "dense", units: 5, relu: true }, { kind: "dense", units: 6 }, end)],
    ["dense over padded pixels", net(shape(6, 5, 2), { kind: "convolution", channels: 5, kernel: 3 }, end)],
    ["convolution 3 channels", net(shape(7, 6, 3), { kind: "convolution", channels: 9, kernel: 3, relu: true }, end)],
    [
      "convolutions with stride and padding",
      net(
        shape(9, 8, 2),
        { kind: "convolution", channels: 6, kernel: 3, pad: 1, stride: 2, relu: true },
        { kind: "convolution", channels: 3, kernel: 3, pad: 2, stride: 2 },
        { kind: "convolution", channels: 13, kernel: 2, pad: 1, bias: false },
        { kind: "convolution", channels: 5, kernel: 3, pad: 1 },
        { kind: "convolution", channels: 4, kernel: 1, stride: 2 },
        end,
      ),
    ],
    [
      "max-pool",
      net(
        shape(11, 9, 3),
        { kind: "max-pool", size: 2 },
        { kind: "convolution", channels: 6, kernel: 1 },
        { kind: "max-pool", size: 3, stride: 1, relu: true },
        { kind: "max-pool", size: 2, stride: 1 },
        end,
      ),
    ],
    [
      "batch norm, ReLU, mean",
      net(
        shape(5, 4, 3),
        { kind: "batch-norm" },
        { kind: "convolution", channels: 6, kernel: 2 },
        { kind: "batch-norm", relu: true },
        { kind: "convolution", channels: 5, kernel: 2 },
        { kind: "relu" },
        { kind: "average-pool" },
        end,
      ),
    ],
    [
      "dropout",
      net(
        shape(6, 6, 2),
        { kind: "convolution", channels: 7, kernel: 3 },
        { kind: "dropout", rate: 0.4, of: "channels" },
        { kind: "dense", units: 20 },
        { kind: "dropout", rate: 0.3 },
        end,
      ),
    ],
    [
      "residual blocks",
      net(
        shape(7, 7, 4),
        { kind: "residual", layers: [{ kind: "convolution", channels: 4, kernel: 3, pad: 1 }] },
        {
          kind: "residual",
          layers: [
            { kind: "convolution", channels: 7, kernel: 3, pad: 1, stride: 2 },
            { kind: "batch-norm", relu: true },
          ],
        },
        { kind: "residual", layers: [{ kind: "residual", layers: [{ kind: "relu" }] }] },
        { kind: "average-pool" },
        end,
      ),
    ],
  ];
  it.each(cases)("%s", (_, model) => {
    check(model, 5, "classes", 2e-3);
  });
  it("the softmax over the batch", () => {
    check(net(shape(1, 1, 6), end), 7, "batch", 1e-3);
  });
});

describe("the layers of texts have the gradient of the loss", () => {
  const text = (length: number, ...layers: LayerSpec[]) =>
    new Model({ name: "test", input: shape(1, length, 1), layers, scores: "every position" });
  const table = (units: number): LayerSpec => ({ kind: "embedding", vocabulary: 7, units, deviation: 1 });
  const scores = (units: number): LayerSpec => ({ kind: "linear", units, deviation: 0.5 });
  const cases: [string, Model][] = [
    ["embedding, linear", text(5, table(6), scores(9), scores(7))],
    ["positions, gelu", text(5, table(8), { kind: "positions", deviation: 1 }, { kind: "gelu" }, scores(7))],
    ["gelu over numbers that fill no vector", text(3, table(5), { kind: "gelu" }, scores(7))],
    ["layer norm", text(6, table(12), { kind: "layer-norm" }, scores(7))],
    ["attention", text(13, table(24), { kind: "attention", heads: 2 }, scores(7))],
    ["attention over 23 positions with heads of 12", text(23, table(36), { kind: "attention", heads: 1 }, scores(7))],
    ["attention with dropout", text(9, table(48), { kind: "attention", heads: 2, dropout: 0.3 }, scores(7))],
    ["skip", text(4, table(8), { kind: "skip", layers: [scores(8), { kind: "relu" }] }, scores(7))],
    [
      "tied",
      text(4, {
        ...{ kind: "tied", vocabulary: 7, units: 8, deviation: 1 },
        layers: [{ kind: "positions" }, { kind: "skip", layers: [scores(8)] }],
      }),
    ],
  ];
  it.each(cases)("%s", (_, model) => {
    check(model, 3, "classes", 2e-3);
  });
});

describe("every model's gradient is that of its loss", () => {
  it("MNIST CNN, softmax over the classes", () => check(mnistCnn(), 3, "classes", 2e-3));
  it("MNIST CNN, softmax over the batch", () => check(mnistCnn(), 4, "batch", 2e-3));
  it("ResNet-20 on small images", () => check(resNet20({ size: 8 }), 3, "classes", 5e-3));
  it("GPT", () => {
    check(gpt({ vocabulary: 11, layers: 2, heads: 2, width: 16, context: 9, dropout: 0.2 }), 3, "classes", 2e-3);
  });
  it("perceptron", () => check(perceptron({ input: shape(5, 5, 1), hidden: [33, 18] }), 6, "classes", 2e-3));
  it("softmax regression", () => check(softmaxRegression({ input: shape(1, 1, 9), classes: 4 }), 6, "classes", 1e-3));
});
