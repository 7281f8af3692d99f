/** A network with its data as a problem: the bits, on any number of threads and of any share, and what models are worth. */

// Threads load the built package.
import {
  batchFiller,
  type ClassificationOptions,
  classification,
  createNnKernels,
  decodeModel,
  perceptron,
  shareSchedule,
  splitData,
  syntheticImages,
} from "@equitopo/nn";
import { threadPool } from "@equitopo/node";
import {
  type AlgorithmSpec,
  createAlgorithm,
  createTopology,
  type Evaluation,
  kernelMixer,
  type Problem,
  type Rows,
  type SimulationOptions,
  simulate,
  stateHash,
} from "equitopo";
import { plainMixer } from "equitopo/round";
import { afterAll, describe, expect, it } from "vitest";

const n = 5;
const data = { name: "synthetic", size: 24 };
const base: ClassificationOptions = {
  ...{ n, data, images: 230, tests: 50, batch: 8, seed: 3 },
  model: { name: "perceptron", hidden: [13] },
  split: { name: "dirichlet", alpha: 0.3 },
};
const dmsgd: AlgorithmSpec = { name: "dmsgd", momentum: 0.5, learningRate: 0.05 };
const ring = { name: "u-equistatic", n, basis: [1, 2] };

const pools = [2, 4].map((threads) => threadPool(threads));
afterAll(() => Promise.all(pools.map((pool) => pool.close())));

/** So many updates of a problem. */
function run(problem: Problem, rounds: number, options: Partial<SimulationOptions> = {}) {
  const topology = createTopology({ ...ring, n: problem.n, ...(problem.n === n ? {} : { basis: [1] }) });
  return simulate({
    ...{ topology, algorithm: dmsgd, problem, rounds, seed: 3, mixer: kernelMixer(problem.n, "float32") },
    ...options,
  });
}

const after = (given: Partial<ClassificationOptions>, rounds: number) =>
  stateHash(run(classification({ ...base, ...given }), rounds).x);

describe("the bits", () => {
  it("are those of a plain loop over the nodes, shift by shift and matched", () => {
    const train = syntheticImages({ count: 230, seed: 3, size: 24 });
    const model = perceptron({ input: train.shape, hidden: [13], classes: 10 });
    const d = model.parameterCount;
    const [x, gradient, workspace] = [16, 16 + 16 * d, 16 + 32 * d];
    const kernels = createNnKernels(workspace + model.workspaceBytes(8));
    const network = model.bind(kernels, workspace, 8);
    const fill = batchFiller(train);
    const at = (offset: number) => new Float32Array(kernels.memory.buffer, offset, d);
    const shares = splitData(train.labels, n, { name: "dirichlet", alpha: 0.3 }, 3);
    const schedule = shareSchedule({ shares, batch: 8, seed: 3 });
    const plain: Problem = {
      ...{ name: "network", n, d, start: model.initialParameters(3), metrics: () => ({}) },
      gradient(rows: Rows, t: number, out: Rows) {
        for (let i = 0; i < n; i++) {
          const steps = schedule.stepsPerEpoch;
          const index = schedule.indices(Math.floor(t / steps), t % steps, i);
          fill(index, network.images, network.labels);
          at(x).set(rows.subarray(i * d, (i + 1) * d));
          network.lossAndGradient({ parameters: x, gradient, count: index.length, seed: 3, round: t * n + i });
          out.set(at(gradient), i * d);
        }
      },
    };
    for (const spec of [ring, { name: "ou-equidyn", n }, { name: "complete", n }]) {
      const topology = createTopology(spec);
      const expected = run(plain, 8, { topology, mixer: plainMixer(n, "float32") });
      expect(stateHash(run(classification(base), 8, { topology }).x)).toBe(stateHash(expected.x));
    }
  });

  it("do not depend on the number of threads, nor what models are worth", () => {
    const one = run(classification(base), 12, { evaluate: 4 });
    for (const crew of pools) {
      const many = run(classification(base, { crew }), 12, { evaluate: 4 });
      expect(stateHash(many.x)).toBe(stateHash(one.x));
      expect(many.evaluations).toEqual(one.evaluations);
    }
  });

  it("go on from a saved state, whatever the algorithm", () => {
    for (const name of ["dmsgd", "dsgt", "push-sum", "choco", "d-adam", "gossip-pga", "d2"]) {
      const algorithm = createAlgorithm({ name, learningRate: 0.05 });
      const kept: Pick<SimulationOptions, "saved">[] = [];
      const keep: SimulationOptions["keep"] = {
        due: (updates) => updates === 4,
        save: ({ updates, vectors }) => {
          const copies = Object.entries(vectors).map(([key, rows]) => [key, rows.slice()]);
          kept.push({ saved: { updates, vectors: Object.fromEntries(copies) } });
        },
      };
      const whole = run(classification(base), 9, { algorithm, keep });
      const again = run(classification(base, { crew: pools[0] }), 9, { algorithm, ...kept[0] });
      expect([name, stateHash(again.x)]).toEqual([name, stateHash(whole.x)]);
      expect(again.evaluations).toEqual(whole.evaluations);
      expect(again.bytes).toEqual(whole.bytes);
    }
  });

  it("of one node are the same where only its own images are kept", () => {
    for (const split of [{ name: "dirichlet", alpha: 0.3 }, "iid", "dealt"] as const) {
      const whole = classification({ ...base, split });
      const x = Float32Array.from({ length: n * whole.d }, (_, k) => Math.sin(k) / 10);
      const expected = new Float32Array(n * whole.d);
      whole.gradient(x, 7, expected, 0, n);
      for (let i = 0; i < n; i++) {
        const row = (rows: Float32Array) => rows.subarray(i * whole.d, (i + 1) * whole.d);
        const own = classification({ ...base, split }, { first: i, count: 1 });
        const out = new Float32Array(whole.d);
        own.gradient(row(x), 7, out, i, 1);
        expect(stateHash(out)).toBe(stateHash(row(expected).slice()));
      }
    }
  });

  it("in double precision are those of single precision, where the rows are", () => {
    const problem = classification(base);
    const x = Float64Array.from({ length: n * problem.d }, (_, k) => Math.fround(Math.sin(k) / 10));
    const [wide, narrow] = [new Float64Array(x.length), new Float32Array(x.length)];
    problem.gradient(x, 0, wide, 0, n);
    problem.gradient(Float32Array.from(x), 0, narrow, 0, n);
    expect(wide).toEqual(Float64Array.from(narrow));
  });
});

describe("a round", () => {
  it("of centralised SGD leaves all models equal, and counts a ring's all-reduce", () => {
    const problem = classification(base);
    const { metrics, bytes } = run(problem, 1, { algorithm: { name: "centralised", learningRate: 0.05 } });
    expect(metrics["consensusDistance"][1]).toBeLessThan(1e-6);
    expect(bytes[1]).toBeCloseTo((2 * 4 * 4 * problem.d) / 5, 6);
  });

  it("decays weights by what was asked for", () => {
    // With softmax regression from zero weights the first step has no decay, the second has: it differs from then on.
    const given = { model: "softmax-regression" };
    const decaying = { ...given, weightDecay: 0.1 };
    expect(after(decaying, 1)).toBe(after(given, 1));
    expect(after(decaying, 2)).not.toBe(after(given, 2));
  });
});

describe("evaluation", () => {
  const trained = (given: Partial<ClassificationOptions>, more: Partial<SimulationOptions> = {}) => {
    const problem = classification({ ...base, ...given }, { crew: pools[0] });
    return run(problem, 3 * (problem.epoch ?? 0), { evaluate: problem.epoch ?? 1, ...more });
  };
  const numbers = (found: ReturnType<typeof run>, name: string) => found.evaluations?.metrics[name] as number[];

  it("tries every model on every image, or on its share, and the averaged one on all", () => {
    const [all, share, none] = (["all", "share", "averaged"] as const).map((one) => trained({ try: one }));
    for (const found of [share, none]) {
      expect(numbers(found, "averagedAccuracy")).toEqual(numbers(all, "averagedAccuracy"));
      expect(numbers(found, "averagedLoss")).toEqual(numbers(all, "averagedLoss"));
      // After the last update all models are tried on all images in any case.
      expect(numbers(found, "meanAccuracy").slice(0, 2)).toEqual([Number.NaN, Number.NaN]);
      expect(numbers(found, "meanAccuracy")[2]).toBe(numbers(all, "meanAccuracy")[2]);
    }
    expect(numbers(none, "shareAccuracy")).toBeUndefined();
    expect(numbers(all, "averagedAccuracy")[2]).toBeGreaterThan(0.3);
    // 50 images over 5 nodes: every share has ten, so the mean over five nodes is a multiple of 1/50.
    for (const accuracy of numbers(share, "shareAccuracy")) {
      expect(accuracy * 50).toBeCloseTo(Math.round(accuracy * 50), 9);
    }
    const difference = numbers(all, "meanAccuracy")[2] - numbers(share, "shareAccuracy")[2];
    expect(Math.abs(difference)).toBeLessThan(0.3);
  });

  it("one that enters an epoch in the middle counts the losses of its own steps, and of no other epoch", () => {
    const problem = classification(base, { first: 1, count: 1 });
    const [x, epoch] = [new Float32Array(problem.d), problem.epoch as number];
    const trained = (updates: number) => {
      const steps = (problem.evaluation as Evaluation).tally(x, updates, 1, 1);
      let step = steps.next();
      while (!step.done) step = steps.next(step.value);
      return step.value[0];
    };
    const work = (from: number, to: number) => {
      for (let t = from; t < to; t++) problem.gradient(x, t, new Float32Array(problem.d), 1, 1);
    };
    expect(trained(epoch)).toMatchObject({ trainLoss: 0, trainSteps: 0 });
    work(epoch - 2, epoch);
    expect(trained(epoch).trainSteps).toBe(2);
    expect(trained(epoch).trainLoss).toBeCloseTo(2 * Math.log(10), 5);
    // Away for an epoch and a bit.
    work(3 * epoch - 1, 3 * epoch);
    expect(trained(3 * epoch).trainSteps).toBe(1);
  });

  it("statistics of the averaged model are those of the first steps of training, crops, flips and dropout included", () => {
    const layers = [
      { kind: "dense", units: 6 },
      { kind: "dropout", rate: 0.5 },
      { kind: "batch-norm" },
      { kind: "dense", units: 10 },
    ];
    const augmentation = { pad: 4, flip: true };
    // One step an epoch, so that one batch of every node is all there is to estimate from.
    const options = { ...{ n: 2, data, images: 16, tests: 4, batch: 8, seed: 3, augmentation }, model: { layers } };
    const problem = classification(options);
    const x = new Float32Array(2 * problem.d);
    for (let k = 0; k < 2; k++) x.set(problem.start as Float32Array, k * problem.d);
    const { statistics } = decodeModel(problem.files!(x)["model.safetensors"], "the model").saved;
    const before = problem.state!["statistics"].slice();
    problem.gradient(x, 0, new Float32Array(x.length), 0, 2);
    const width = statistics.length;
    statistics.forEach((value, k) => {
      const ofBatch = [k, k + width].map((at) => (problem.state!["statistics"][at] - 0.9 * before[at]) / 0.1);
      expect(value).toBeCloseTo((ofBatch[0] + ofBatch[1]) / 2, 4);
    });
    // What is handed to the network for averaging: a peer's row is that of the simulator, to the bit.
    const estimated = (one: Problem, first: number, count: number) => {
      const rows = x.slice(first * one.d, (first + count) * one.d);
      const steps = (one.evaluation as Evaluation).tally(rows, 1, first, count);
      steps.next();
      return (steps.next([rows]).value as readonly Rows[])[0];
    };
    const all = estimated(problem, 0, 2);
    const apart = [0, 1].flatMap((first) => [...estimated(classification(options, { first, count: 1 }), first, 1)]);
    expect(apart).toEqual([...all]);
  });

  it("with batch norm: ResNet-20 on two nodes learns in one epoch, the averaged model with statistics of its own", () => {
    const problem = classification(
      {
        ...{ n: 2, data: { ...data, channels: 3 }, images: 600, tests: 100, model: "resnet20", batch: 4, seed: 1 },
        normalisation: { mean: [0.3, 0.3, 0.3], deviation: [0.3, 0.3, 0.3] },
      },
      { crew: pools[0] },
    );
    const found = run(problem, problem.epoch as number, {
      topology: createTopology({ name: "complete", n: 2 }),
      algorithm: { name: "dmsgd", momentum: 0.9, learningRate: 0.01 },
    });
    expect(numbers(found, "trainLoss")[0]).toBeLessThan(Math.log(10));
    expect(numbers(found, "averagedAccuracy")[0]).toBeGreaterThan(0.5);
    expect(problem.state?.["statistics"].some((value) => value !== 0 && value !== 1)).toBe(true);
  });
});

it("what does not fit is refused with a reason", () => {
  const bad = (given: object) => () => classification({ ...base, ...given });
  expect(bad({ model: "mnist-cnn" })).toThrow(/28 x 28 grey images.*24 x 24 x 1/);
  expect(bad({ model: "resnet20" })).toThrow(/three colours/);
  expect(bad({ batch: 0 })).toThrow(/batch/);
  expect(bad({ data: "minst" })).toThrow(/did you mean mnist/);
  expect(bad({ split: { name: "shards", shard: 3 } })).toThrow(/did you mean shards/);
  expect(bad({ model: { layers: [{ kind: "dense", units: 9 }] } })).toThrow(/each of 10 classes, got 9/);
  expect(bad({ model: { layers: [{ kind: "dence", units: 10 }] } })).toThrow(/did you mean dense/);
  const run5 = () =>
    run(classification(base), 1, {
      algorithm: { name: "extra", learningRate: 0.1 },
      topology: createTopology({ name: "od-equidyn", n }),
    });
  expect(run5).toThrow(/extra/);
});
