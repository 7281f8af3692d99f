/** The networks learn: one node, the images that the project draws. */

import { describe, expect, it } from "vitest";
import { batchFiller } from "../../src/data/batch.ts";
import type { Dataset } from "../../src/data/dataset.ts";
import { shareSchedule } from "../../src/data/schedule.ts";
import { splitData } from "../../src/data/split.ts";
import { syntheticImages } from "../../src/data/synthetic.ts";
import { createNnKernels } from "../../src/kernel/kernels.ts";
import type { Model } from "../../src/model/model.ts";
import { mnistCnn } from "../../src/model/models/mnist-cnn.ts";
import { perceptron, softmaxRegression } from "../../src/model/models/perceptron.ts";
import { resNet20 } from "../../src/model/models/resnet20.ts";

const align = (bytes: number) => Math.ceil(bytes / 16) * 16;

/** Trains by SGD with momentum; test accuracy and the model's last parameters. */
function train(model: Model, data: { train: Dataset; test: Dataset }, rate: number, epochs: number, batch = 32) {
  const momentum = 0.9;
  const d = model.parameterCount;
  const [x, g, v] = [16, 16 + align(4 * d), 16 + 2 * align(4 * d)];
  const statistics = 16 + 3 * align(4 * d);
  const workspace = statistics + align(4 * model.statisticsCount);
  const kernels = createNnKernels(workspace + model.workspaceBytes(batch));
  const bound = model.bind(kernels, workspace, batch);
  const parameters = model.initialParameters(1, new Float32Array(kernels.memory.buffer, x, d));
  const running = new Float32Array(kernels.memory.buffer, statistics, model.statisticsCount);
  model.initialStatistics(running);
  const options = { normalisation: { mean: [0.2, 0.2, 0.2], deviation: [0.3, 0.3, 0.3] }, pitch: bound.imagePitch };
  const fill = batchFiller(data.train, options);
  const shares = splitData(data.train.labels, 1, { name: "iid" }, 1);
  const schedule = shareSchedule({ shares, batch, seed: 1 });
  for (let epoch = 0, round = 0; epoch < epochs; epoch++) {
    for (let step = 0; step < schedule.stepsPerEpoch; step++, round++) {
      const index = schedule.indices(epoch, step, 0);
      fill(index, bound.images, bound.labels);
      bound.lossAndGradient({ parameters: x, statistics, gradient: g, count: index.length, seed: 1, round });
      kernels.call.sgd(x, g, v, d, rate, momentum, 0);
    }
  }
  const accuracy = () => {
    const fillTest = batchFiller(data.test, options);
    let right = 0;
    for (let first = 0; first < data.test.count; first += batch) {
      const index = Array.from({ length: Math.min(batch, data.test.count - first) }, (_, k) => first + k);
      fillTest(index, bound.images, bound.labels);
      bound.forward({ parameters: x, statistics, count: index.length });
      right += bound.correct(index.length);
    }
    return right / data.test.count;
  };
  return { accuracy, parameters, running, bound, fill, x, statistics };
}

const drawn = (count: number, size: number, channels: 1 | 3) => ({
  train: syntheticImages({ count, seed: 1, size, channels }),
  test: syntheticImages({ count: 300, seed: 1, size, channels, first: count }),
});

describe("trained on drawn images", () => {
  it("the MNIST CNN passes 90 %, and again to the bit", () => {
    const data = drawn(2000, 28, 1);
    const first = train(mnistCnn(), data, 0.02, 4);
    expect(first.accuracy()).toBeGreaterThan(0.9);
    const again = train(mnistCnn(), data, 0.02, 4);
    expect(again.parameters).toEqual(first.parameters);
  });

  it("ResNet-20 learns in one epoch, and its statistics can be estimated afresh", () => {
    const { accuracy, running, bound, fill, x, statistics } = train(
      resNet20({ size: 24 }),
      drawn(800, 24, 3),
      0.01,
      1,
      8,
    );
    expect(accuracy()).toBeGreaterThan(0.8);
    const before = running.slice();
    running.fill(0);
    for (let k = 0; k < 20; k++) {
      fill(
        Array.from({ length: 8 }, (_, i) => 8 * k + i),
        bound.images,
        bound.labels,
      );
      bound.estimateStatistics({ parameters: x, statistics, count: 8, seed: 1, round: k, momentum: 1 / (k + 1) });
    }
    expect(running).not.toEqual(before);
    expect(accuracy()).toBeGreaterThan(0.8);
  });

  it("the perceptron and softmax regression learn", () => {
    const data = drawn(2000, 28, 1);
    const input = data.train.shape;
    expect(train(perceptron({ input, hidden: [64] }), data, 0.02, 3).accuracy()).toBeGreaterThan(0.6);
    expect(train(softmaxRegression({ input }), data, 0.005, 3).accuracy()).toBeGreaterThan(0.4);
  });
});
