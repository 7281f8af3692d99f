/**
 * A network with its data as a problem: f_i is the mean loss over node i's images, a gradient that of one batch of them.
 * The network computes in single precision, whatever the rows are. Images, dropout and augmentation are functions of
 * (seed, node, t), so that a peer computes for itself what the simulator computes for it.
 */

import { defineProblem, type Problem, type ProblemContext, type Rows } from "equitopo";
import { InputError } from "equitopo/internal/input";
import { meanRow, squaredDistance } from "equitopo/internal/round";
import type { Dataset } from "../data/dataset.ts";
import type { Model } from "../model/model.ts";
import { createModel } from "../model/registry.ts";
import { estimateBatches, evaluationOf } from "./evaluation.ts";
import { imagesPerNode } from "./holdings.ts";
import { EpochLosses } from "./losses.ts";
import { openProblemData, prepareClassification, startOf } from "./prepare.ts";
import { type ClassificationOptions, options, settingsOf } from "./settings.ts";
import { partSize } from "./tests.ts";
import { classificationWithoutData } from "./without-data.ts";
import { commands, type Plan, type Staging, workOf } from "./work.ts";

/**
 * The problem of all n nodes, or of those that the context names; of none of them, it is what can be said without data.
 *
 * @example
 * ```ts
 * import { classification } from "@equitopo/nn";
 * const problem = classification({ n: 4, data: "synthetic", images: 200, tests: 40, model: { name: "perceptron", hidden: [8] } });
 * problem.epoch // => 4
 * const gradients = new Float32Array(4 * problem.d);
 * problem.gradient(new Float32Array(4 * problem.d), 0, gradients, 0, 4);
 * problem.metrics(gradients).batchLoss.toFixed(3) // => "2.303"
 * ```
 */
export function classification(given: ClassificationOptions, context: ProblemContext = {}): Problem {
  const { crew, first = 0, mislabelled = [] } = context;
  if (context.count === 0) return classificationWithoutData(given);
  const { settings, model, holdings, schedule, start: begin, ...prepared } = prepareClassification(given, context);
  const { n } = settings;
  const { count = n } = context;
  const shared = crew !== undefined && crew.threads > 1;
  const test = share(prepared.test, shared);
  const { stepsPerEpoch } = schedule;
  const staging = stagingOf(model, count, test.count, n, shared);
  const plan: Plan = { ...holdings, train: share(holdings.train, shared), settings, first, test, mislabelled, staging };
  const own = workOf(plan);
  const team = shared ? crew.team(new URL("./thread.js", import.meta.url).href, plan, own) : undefined;
  const run = (command: number, tasks: number, ...args: readonly number[]) => {
    if (team !== undefined) team.run(command, tasks, ...args);
    else for (let task = 0; task < tasks; task++) own(command, task, Float64Array.from(args));
  };

  for (let k = 0; k < count; k++) staging.statistics.set(begin.statistics, k * begin.statistics.length);
  const losses = new EpochLosses(count, stepsPerEpoch);

  function gradient(x: Rows, t: number, out: Rows, from: number, rows: number): void {
    const at = from - first;
    if (at < 0 || at + rows > count) {
      const rule = `this problem was made for nodes ${first} to ${first + count - 1}`;
      throw new InputError(rule, `${from} to ${from + rows - 1}`, "make one for these");
    }
    const d = model.parameterCount;
    staging.x.set(x, at * d);
    run(commands.gradient, rows, t, at);
    out.set(staging.y.subarray(at * d, (at + rows) * d));
    for (let k = at; k < at + rows; k++) losses.add(k, t, staging.results[k]);
  }

  const evaluation = evaluationOf({
    ...{ settings, stepsPerEpoch, first, count, tests: test.count, staging, run },
    losses: (k, updates) => losses.of(k, updates),
  });

  return {
    name: "classification",
    n,
    d: model.parameterCount,
    start: begin.parameters,
    matrices: model.matrices,
    gradient,
    metrics(x) {
      const nodes = x.length / model.parameterCount;
      return {
        consensusDistance: Math.sqrt(squaredDistance(x, meanRow(x, nodes)) / nodes),
        // Of the last step; not a number before the first. A peer knows its own only.
        ...(count === n ? { batchLoss: losses.lastSum() / n } : {}),
      };
    },
    state: { losses: losses.rows, ...(model.statisticsCount === 0 ? {} : { statistics: staging.statistics }) },
    epoch: stepsPerEpoch,
    evaluation,
    files(x) {
      // All copies of an average of all; at a peer, its own copy of the last evaluation's.
      if (count === n) {
        const mean = meanRow(x, n);
        for (let k = 0; k < n; k++) staging.y.set(mean, k * mean.length);
        if (model.statisticsCount > 0) run(commands.estimate, n, estimateBatches(settings, stepsPerEpoch));
      }
      const { parameterCount: d, statisticsCount: s } = model;
      const statistics = Float32Array.from(count === n && s > 0 ? meanRow(staging.estimated, n) : staging.estimated);
      const numbers = { parameters: staging.y.slice(0, d), statistics: statistics.slice(0, s) };
      return { "model.safetensors": prepared.file(numbers) };
    },
    close: () => team?.close(),
  };
}

function stagingOf(model: Model, count: number, tests: number, n: number, shared: boolean): Staging {
  const { parameterCount: d, statisticsCount: s } = model;
  const parts = Math.ceil(tests / partSize(tests, n));
  const buffer = (bytes: number) => (shared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes));
  return {
    x: new Float32Array(buffer(4 * count * d)),
    y: new Float32Array(buffer(4 * count * d)),
    statistics: new Float32Array(buffer(4 * count * s)),
    estimated: new Float32Array(buffer(4 * count * s)),
    results: new Float64Array(buffer(16 * count * parts)),
  };
}

/** The same data where all threads can read it. */
function share(data: Dataset, shared: boolean): Dataset {
  if (!shared) return data;
  const images =
    data.images instanceof Uint8Array
      ? new Uint8Array(new SharedArrayBuffer(data.images.length))
      : new Float32Array(new SharedArrayBuffer(4 * data.images.length));
  images.set(data.images);
  const labels = new Int32Array(new SharedArrayBuffer(4 * data.labels.length));
  labels.set(data.labels);
  return { ...data, images, labels };
}

export const classificationFamily = defineProblem({
  name: "classification",
  summary: "a neural network on images or points: mnist, cifar10, synthetic, plane or your own",
  source: "paper, section 6 and Appendix D.3",
  options,
  mislabels: true,
  metric: "batchLoss",
  falls: true,
  create: classification,
  check(given, context = {}) {
    const settings = settingsOf(given);
    const data = openProblemData(settings, context);
    startOf(settings, createModel(settings.model, data), context);
    return { epoch: Math.ceil(imagesPerNode(settings, data) / settings.batch) };
  },
});

declare module "equitopo" {
  interface ProblemMembers {
    classification: typeof classificationFamily;
  }
}
