// Softmax regression on the images that the project draws, as a problem for n peers: what the chaos test trains.
import {
  batchFiller,
  createNnKernels,
  shareSchedule,
  softmaxRegression,
  splitData,
  syntheticImages,
} from "../../equitopo/dist/index.js";

const batch = 16;
const seed = 1;
const align = (bytes) => Math.ceil(bytes / 16) * 16;

/** The run itself; `rounds` is the only choice. */
export const chaosRun = (rounds) => ({
  label: "chaos",
  topology: { name: "ou-equidyn", n: 17, seed: 3 },
  algorithm: { name: "dsgd", learningRate: { name: "step", rate: 0.1, factor: 3, every: 40 } },
  problem: { name: "softmax regression", n: 17 },
  rounds,
  seed,
  every: rounds,
  type: "float32",
});

export function softmaxProblem(n) {
  const data = syntheticImages({ count: 100 * n, seed });
  const test = syntheticImages({ count: 1000, seed, first: 100 * n });
  const model = softmaxRegression({ input: { height: 28, width: 28, channels: 1 } });
  const d = model.parameterCount;
  const [x, g] = [16, 16 + align(4 * d)];
  const workspace = g + align(4 * d);
  const kernels = createNnKernels(workspace + model.workspaceBytes(batch));
  const bound = model.bind(kernels, workspace, batch);
  const parameters = new Float32Array(kernels.memory.buffer, x, d);
  const gradient = new Float32Array(kernels.memory.buffer, g, d);
  const options = { normalisation: { mean: [0.2], deviation: [0.3] }, pitch: bound.imagePitch };
  const fill = batchFiller(data, options);
  const schedule = shareSchedule({ shares: splitData(data.labels, n, { kind: "iid" }, seed), batch, seed });
  return {
    name: "softmax regression",
    n,
    d,
    start: model.initialParameters(seed),
    gradient(rows, t, out, first, count) {
      const { stepsPerEpoch } = schedule;
      for (let i = 0; i < count; i++) {
        const index = schedule.indices(Math.floor(t / stepsPerEpoch), t % stepsPerEpoch, first + i);
        fill(index, bound.images, bound.labels);
        parameters.set(rows.subarray(i * d, (i + 1) * d));
        bound.lossAndGradient({ parameters: x, gradient: g, count: index.length, seed, round: t });
        out.set(gradient, i * d);
      }
    },
    metrics: () => ({}),
    /** The share of test images that a model gets right. */
    accuracy(row) {
      const fillTest = batchFiller(test, options);
      parameters.set(row);
      let right = 0;
      for (let first = 0; first < test.count; first += batch) {
        const index = Array.from({ length: Math.min(batch, test.count - first) }, (_, k) => first + k);
        fillTest(index, bound.images, bound.labels);
        bound.forward({ parameters: x, count: index.length });
        right += bound.correct(index.length);
      }
      return right / test.count;
    },
  };
}
