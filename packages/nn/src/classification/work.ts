/**
 * What a thread does of a problem, the calling thread included: one node's gradient, one node's statistics for the
 * averaged model, or one model on some test images. Rows come and go through staging memory that all threads see; the
 * network itself runs in a memory of the thread's own, in single precision. No task reads what another of the same
 * command writes, so neither their order nor the number of threads changes a bit.
 */

import type { Work } from "equitopo";
import { batchFiller } from "../data/batch.ts";
import type { Dataset } from "../data/dataset.ts";
import { createNnKernels, vectorBytes } from "../kernel/kernels.ts";
import { createModel } from "../model/registry.ts";
import { scoreGroup } from "../model/score.ts";
import { type Holdings, scheduleOf } from "./holdings.ts";
import { scoresOf } from "./predict.ts";
import type { Settings } from "./settings.ts";
import { partSize, testPart, testShare } from "./tests.ts";

export const commands = { gradient: 0, estimate: 1, tryPart: 2, tryShare: 3, tryAll: 4 } as const;

/** Rows of the nodes here; shared where threads are. */
export interface Staging {
  readonly x: Float32Array;
  /** Their gradients; in an evaluation their copies of the averaged model. */
  readonly y: Float32Array;
  /** Running statistics of the nodes' models, and of their copies of the averaged one. */
  readonly statistics: Float32Array;
  readonly estimated: Float32Array;
  /** What a task has to say: a loss, or how many are right and the sum of losses. */
  readonly results: Float64Array;
}

/** Everything that a thread needs: plain data and shared memory. */
export interface Plan extends Holdings {
  readonly settings: Settings;
  readonly first: number;
  readonly test: Dataset;
  /** Nodes that learn class C - 1 - c in place of c. */
  readonly mislabelled: readonly number[];
  readonly staging: Staging;
}

export function workOf(plan: Plan): Work {
  const { settings, first, train, test, staging, mislabelled } = plan;
  const { n, batch, seed, normalisation, augmentation, softmax, weightDecay } = settings;
  const model = createModel(settings.model, test);
  const [d, s] = [model.parameterCount, model.statisticsCount];
  const [x, gradientAt] = [16, 16 + vectorBytes(4 * d)];
  const statisticsAt = gradientAt + vectorBytes(4 * d);
  const workspace = statisticsAt + vectorBytes(4 * s);
  const kernels = createNnKernels(workspace + model.workspaceBytes(batch));
  const network = model.bind(kernels, workspace, batch);
  const { buffer } = kernels.memory;
  const parameters = new Float32Array(buffer, x, d);
  const gradient = new Float32Array(buffer, gradientAt, d);
  const statistics = new Float32Array(buffer, statisticsAt, s);
  /** The places above, as the network's passes take them. */
  const places = { parameters: x, statistics: s === 0 ? 0 : statisticsAt };
  const { images, labels } = network;
  const plain = { pitch: network.imagePitch, ...(normalisation === undefined ? {} : { normalisation }) };
  const fillTest = batchFiller(test, plain);
  const fillTrain = batchFiller(
    train,
    augmentation === undefined ? plain : { ...plain, augmentation: { ...augmentation, seed } },
  );
  const schedule = scheduleOf(settings, plan);

  /** Puts the images of a step of node first + k into the batch. Returns their count and the round of their random draws. */
  function see(k: number, t: number, epoch: number, step: number) {
    const index = schedule.indices(epoch, step, first + k);
    const round = t * n + first + k;
    fillTrain(index, images, labels, round);
    return { ...places, count: index.length, seed, round };
  }

  function gradientOf(k: number, t: number): void {
    const steps = schedule.stepsPerEpoch;
    const pass = see(k, t, Math.floor(t / steps), t % steps);
    if (mislabelled.includes(first + k)) {
      for (let j = 0; j < pass.count; j++) labels[j] = test.classes - 1 - labels[j];
    }
    parameters.set(row(staging.x, k, d));
    statistics.set(row(staging.statistics, k, s));
    staging.results[k] = network.lossAndGradient({ ...pass, gradient: gradientAt, softmax });
    if (weightDecay > 0) kernels.call.axpby(weightDecay, x, 1, gradientAt, d);
    row(staging.y, k, d).set(gradient);
    row(staging.statistics, k, s).set(statistics);
  }

  /** The statistics of node first + k's averaged model, from what the node sees in its first so many steps of training. */
  function estimate(k: number, batches: number): void {
    parameters.set(row(staging.y, k, d));
    for (let step = 0; step < batches; step++) {
      network.estimateStatistics({ ...see(k, step, 0, step), momentum: 1 / (step + 1) });
    }
    row(staging.estimated, k, s).set(statistics);
  }

  /** A node's averaged model on its part of the test set, its own on its share, or its own on one of all parts. */
  function tryOut(command: number, task: number): void {
    const size = partSize(test.count, n);
    const parts = Math.ceil(test.count / size);
    const k = command === commands.tryAll ? Math.floor(task / parts) : task;
    const averaged = command === commands.tryPart;
    parameters.set(row(averaged ? staging.y : staging.x, k, d));
    statistics.set(row(averaged ? staging.estimated : staging.statistics, k, s));
    const index =
      command === commands.tryShare
        ? testShare(test.count, n, seed, first + k)
        : testPart(test.count, size, averaged ? first + k : task % parts);
    // They are one batch of a softmax over the batch, however many the network can take at once.
    const scores = scoresOf(network, fillTest, index, places);
    const answers = Int32Array.from(index, (j) => test.labels[j]);
    const { right, loss } = scoreGroup(scores, answers, test.classes, softmax);
    staging.results.set([right, loss], 2 * task);
  }

  return (command, task, args) => {
    if (command === commands.gradient) gradientOf(args[1] + task, args[0]);
    else if (command === commands.estimate) estimate(task, args[0]);
    else tryOut(command, task);
  };
}

const row = (rows: Float32Array, k: number, width: number) => rows.subarray(k * width, (k + 1) * width);
