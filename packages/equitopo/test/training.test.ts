/** Replicas on threads: the simulator's bits on any number of them, states that go on, and what models are worth. */

import { Trainer, type TrainingSpec } from "equitopo/training";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { batchFiller } from "../src/data/batch.ts";
import { shareSchedule } from "../src/data/schedule.ts";
import { splitData } from "../src/data/split.ts";
import { syntheticImages } from "../src/data/synthetic.ts";
import { createNnKernels } from "../src/kernel/nn.ts";
import { perceptron } from "../src/nn/models/perceptron.ts";
import { stateHash } from "../src/number/hash.ts";
import { plainMixer } from "../src/round/mixer.ts";
import { simulate } from "../src/run/simulate.ts";
import { createTopology } from "../src/topology/registry.ts";
import { score } from "../src/training/score.ts";
import { cifar10Rate } from "../src/training/spec.ts";

const train = syntheticImages({ count: 230, seed: 3, size: 24 });
const test = syntheticImages({ count: 50, first: 230, seed: 3, size: 24 });

const base: TrainingSpec = {
  model: { name: "perceptron", hidden: [13] },
  topology: { name: "u-equistatic", n: 5, basis: [1, 2] },
  algorithm: { name: "dmsgd", momentum: 0.5 },
  learningRate: 0.05,
  batch: 8,
  seed: 4,
  softmax: "classes",
  weightDecay: 0,
  split: { kind: "dirichlet", alpha: 0.3 },
};

/** The models' hash after so many steps. */
async function after(spec: TrainingSpec, steps: number, workers = 1): Promise<string> {
  const trainer = await Trainer.create(spec, { train, test, workers });
  for (let k = 0; k < steps; k++) trainer.step();
  const hash = stateHash(trainer.x);
  await trainer.close();
  return hash;
}

describe("the bits", () => {
  it("are those of the simulator with the same gradients, shift by shift and matched", async () => {
    const model = perceptron({ input: train.shape, hidden: [13], classes: 10 });
    const d = model.parameterCount;
    const [x, gradient, workspace] = [16, 16 + 16 * d, 16 + 32 * d];
    const kernels = createNnKernels(workspace + model.workspaceBytes(8));
    const network = model.bind(kernels, workspace, 8);
    const fill = batchFiller(train);
    const at = (offset: number) => new Float32Array(kernels.memory.buffer, offset, d);
    for (const topology of [base.topology, { name: "ou-equidyn", n: 5 }, { name: "complete", n: 5 }]) {
      const shares = splitData(train.labels, 5, base.split as { kind: "dirichlet"; alpha: number }, 4);
      const schedule = shareSchedule({ shares, batch: 8, seed: 4 });
      const problem = {
        ...{ name: "network", n: 5, d, start: model.initialParameters(4), metrics: () => ({}) },
        gradient(rows: Float32Array | Float64Array, t: number, out: Float32Array | Float64Array) {
          for (let i = 0; i < 5; i++) {
            const steps = schedule.stepsPerEpoch;
            const index = schedule.indices(Math.floor(t / steps), t % steps, i);
            fill(index, network.images, network.labels);
            at(x).set(rows.subarray(i * d, (i + 1) * d));
            network.lossAndGradient({ parameters: x, gradient, count: index.length, seed: 4, round: t * 5 + i });
            out.set(at(gradient), i * d);
          }
        },
      };
      const mixer = plainMixer(5, "float32");
      const algorithm = { name: "dmsgd", momentum: 0.5, learningRate: 0.05 };
      const run = simulate({ topology: createTopology(topology), algorithm, problem, rounds: 8, mixer });
      expect(await after({ ...base, topology }, 8)).toBe(stateHash(run.x));
    }
  });

  it("do not depend on the number of threads", async () => {
    const one = await after(base, 12);
    expect(await after(base, 12, 2)).toBe(one);
    expect(await after(base, 12, 4)).toBe(one);
  });

  it("go on from a saved state, whatever the algorithm", async () => {
    for (const name of ["dmsgd", "dsgt", "push-sum", "choco", "d-adam", "gossip-pga", "d2"]) {
      const spec = { ...base, algorithm: { name } };
      const trainer = await Trainer.create(spec, { train, test });
      for (let k = 0; k < 4; k++) trainer.step();
      const saved = trainer.state();
      const again = await Trainer.create(spec, { train, test, workers: 2 }, saved);
      for (let k = 0; k < 5; k++) for (const one of [trainer, again]) one.step();
      expect([name, stateHash(again.x)]).toEqual([name, stateHash(trainer.x)]);
      expect(again.trainLoss(0)).toBe(trainer.trainLoss(0));
      expect(again.bytesPerNode).toBe(trainer.bytesPerNode);
      await Promise.all([trainer.close(), again.close()]);
    }
  });
});

describe("a round", () => {
  it("of centralised SGD leaves all models equal, and counts a ring's all-reduce", async () => {
    const trainer = await Trainer.create({ ...base, algorithm: { name: "centralised" } }, { train, test });
    trainer.step();
    expect(trainer.consensusDistance()).toBeLessThan(1e-6);
    expect(trainer.bytesPerNode).toBeCloseTo((2 * 4 * 4 * trainer.model.parameterCount) / 5, 6);
    await trainer.close();
  });

  it("decays weights by what was asked for", async () => {
    // With softmax regression from zero weights the first step has no decay, the second has: it differs from then on.
    const spec: TrainingSpec = { ...base, model: { name: "softmax-regression" } };
    const decaying = { ...spec, weightDecay: 0.1 };
    expect(await after(decaying, 1)).toBe(await after(spec, 1));
    expect(await after(decaying, 2)).not.toBe(await after(spec, 2));
  });
});

describe("evaluation", () => {
  it("tries every model on every image, or on its share, and the averaged one on all", async () => {
    const trainer = await Trainer.create(base, { train, test, workers: 2 });
    for (let k = 0; k < 3 * trainer.stepsPerEpoch; k++) trainer.step();
    const all = trainer.evaluate("all");
    const share = trainer.evaluate("share");
    expect(share.averaged).toEqual(all.averaged);
    expect(trainer.evaluate("none")).toEqual({ averaged: all.averaged, nodes: [] });
    const mean = (list: readonly { accuracy: number }[]) => list.reduce((sum, one) => sum + one.accuracy, 0) / 5;
    expect(all.averaged.accuracy).toBeGreaterThan(0.3);
    // 50 images over 5 nodes: every share has ten.
    for (const { accuracy } of share.nodes) expect(accuracy * 10).toBeCloseTo(Math.round(accuracy * 10), 9);
    expect(Math.abs(mean(all.nodes) - mean(share.nodes))).toBeLessThan(0.3);
    await trainer.close();
  });

  it("scores as a plain softmax does, over classes and over the batch", () => {
    const numbers = fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(numbers, fc.array(fc.nat(2), { minLength: 4, maxLength: 4 }), (values, classes) => {
        const logits = Float32Array.from(values);
        const labels = Int32Array.from(classes);
        const over = (n: number, c: number, batch: boolean) => {
          const others = batch ? [0, 1].map((m) => logits[(n - (n % 2) + m) * 3 + c]) : logits.slice(n * 3, n * 3 + 3);
          return logits[n * 3 + c] - Math.log([...others].reduce((sum, z) => sum + Math.exp(z), 0));
        };
        for (const batch of [false, true]) {
          const { accuracy, loss } = score(logits, labels, 3, batch ? "batch" : "classes", 2);
          const rows = [0, 1, 2, 3].map((n) => [0, 1, 2].map((c) => over(n, c, batch)));
          const expected = rows.reduce((sum, row, n) => sum - row[labels[n]], 0) / 4;
          expect(loss).toBeCloseTo(expected, 9);
          const right = rows.filter((row, n) => row[labels[n]] === Math.max(...row)).length;
          expect(Math.abs(accuracy * 4 - right)).toBeLessThanOrEqual(ties(rows));
        }
      }),
    );
  });
});

/** Rows whose best two scores are too near to call. */
function ties(rows: readonly number[][]): number {
  return rows.filter((row) => {
    const [first, second] = [...row].sort((a, b) => b - a);
    return first - second < 1e-9;
  }).length;
}

it("ResNet-20 on two nodes learns in one epoch, the averaged model with statistics of its own", async () => {
  const data = {
    train: syntheticImages({ count: 600, seed: 1, size: 24, channels: 3 }),
    test: syntheticImages({ count: 100, first: 600, seed: 1, size: 24, channels: 3 }),
  };
  const spec: TrainingSpec = {
    ...base,
    model: { name: "resnet20" },
    topology: { name: "complete", n: 2 },
    algorithm: { name: "dmsgd", momentum: 0.9 },
    learningRate: 0.01,
    batch: 4,
    split: { kind: "iid" },
    normalisation: { mean: [0.3, 0.3, 0.3], deviation: [0.3, 0.3, 0.3] },
  };
  const trainer = await Trainer.create(spec, { ...data, workers: 2 });
  for (let k = 0; k < trainer.stepsPerEpoch; k++) trainer.step();
  expect(trainer.trainLoss(0)).toBeLessThan(Math.log(10));
  expect(trainer.evaluate("none").averaged.accuracy).toBeGreaterThan(0.5);
  await trainer.close();
});

it("the learning rate for CIFAR-10 rises over five epochs and then falls, as the paper's runs did", () => {
  const rate = cifar10Rate(17, 100);
  expect(rate(499)).toBeCloseTo(1.7, 12);
  expect(rate(0)).toBeGreaterThan(0.1);
  expect([5, 49, 50, 100, 120].map((epoch) => rate(100 * epoch).toFixed(5))).toEqual([
    "0.17000",
    "0.17000",
    "0.01700",
    "0.00170",
    "0.00017",
  ]);
});

it("what does not fit is refused with a reason", async () => {
  const bad = (spec: Partial<TrainingSpec>) => Trainer.create({ ...base, ...spec }, { train, test });
  await expect(bad({ model: { name: "mnist-cnn" } })).rejects.toThrow(/28 x 28 grey images.*24 x 24 x 1/);
  await expect(bad({ model: { name: "resnet20" } })).rejects.toThrow(/three colours/);
  await expect(bad({ algorithm: { name: "extra" }, topology: { name: "od-equidyn", n: 5 } })).rejects.toThrow(/extra/);
  await expect(bad({ batch: 0 })).rejects.toThrow(/batch/);
});
