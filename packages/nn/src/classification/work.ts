/**
 * What a thread does of a problem, the calling thread included: one node's gradient, one node's statistics for the
 * averaged model, or one model on some test images. Rows come and go through staging memory that all threads see; the
 * network itself runs in a memory of the thread's own, in single precision. No task reads what another of the same
 * command writes, so neither their order nor the number of threads changes a bit.
 */

import type { Work } from "equitopo";
import { type BatchFiller, batchFiller } from "../data/batch.ts";
import type { Dataset } from "../data/dataset.ts";
import type { BatchSchedule } from "../data/schedule.ts";
import { createNnKernels, type NnKernels, vectorBytes } from "../kernel/kernels.ts";
import type { BoundModel } from "../model/bound.ts";
import { createModel } from "../model/registry.ts";
import { type Holdings, scheduleOf } from "./holdings.ts";
import { scoreGroup } from "./score.ts";
import type { Settings } from "./settings.ts";
import { partSize, testPart, testShare } from "./tests.ts";

export const commands = { gradient: 0, estimate: 1, tryPart: 2, tryShare: 3, tryAll: 4 } as const;

/** Rows of the nodes here; shared where threads are. */
export interface Staging {
  /** The nodes' models. */
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

export class Replica {
  readonly #plan: Plan;
  readonly #kernels: NnKernels;
  readonly #network: BoundModel;
  readonly #schedule: BatchSchedule;
  readonly #fillTrain: BatchFiller;
  readonly #fillTest: BatchFiller;
  readonly #parameters: Float32Array;
  readonly #gradient: Float32Array;
  readonly #statistics: Float32Array;

  constructor(plan: Plan) {
    const { settings, train, test } = plan;
    const { batch, seed, normalisation, augmentation } = settings;
    const model = createModel(settings.model, test);
    const [d, s] = [model.parameterCount, model.statisticsCount];
    const gradientAt = 16 + vectorBytes(4 * d);
    const statisticsAt = gradientAt + vectorBytes(4 * d);
    const workspace = statisticsAt + vectorBytes(4 * s);
    this.#plan = plan;
    this.#kernels = createNnKernels(workspace + model.workspaceBytes(batch));
    this.#network = model.bind(this.#kernels, workspace, batch);
    const { buffer } = this.#kernels.memory;
    this.#parameters = new Float32Array(buffer, 16, d);
    this.#gradient = new Float32Array(buffer, gradientAt, d);
    this.#statistics = new Float32Array(buffer, statisticsAt, s);
    const plain = { pitch: this.#network.imagePitch, ...(normalisation === undefined ? {} : { normalisation }) };
    this.#fillTest = batchFiller(test, plain);
    this.#fillTrain = batchFiller(
      train,
      augmentation === undefined ? plain : { ...plain, augmentation: { ...augmentation, seed } },
    );
    this.#schedule = scheduleOf(settings, plan);
  }

  readonly work: Work = (command, task, args) => {
    if (command === commands.gradient) this.#gradientOf(args[1] + task, args[0]);
    else if (command === commands.estimate) this.#estimate(task, args[0]);
    else this.#try(command, task);
  };

  /** Node first + k in iteration t. */
  #gradientOf(k: number, t: number): void {
    const { settings, first, staging, mislabelled, test } = this.#plan;
    const { classes } = test;
    const { n, seed, softmax, weightDecay } = settings;
    const steps = this.#schedule.stepsPerEpoch;
    const index = this.#schedule.indices(Math.floor(t / steps), t % steps, first + k);
    const round = t * n + first + k;
    const { images, labels } = this.#network;
    this.#fillTrain(index, images, labels, round);
    if (mislabelled.includes(first + k)) for (let j = 0; j < index.length; j++) labels[j] = classes - 1 - labels[j];
    this.#parameters.set(row(staging.x, k, this.#parameters.length));
    this.#statistics.set(row(staging.statistics, k, this.#statistics.length));
    const [x, gradient] = [this.#parameters.byteOffset, this.#gradient.byteOffset];
    staging.results[k] = this.#network.lossAndGradient({
      ...{ parameters: x, gradient, statistics: this.#statisticsAt, count: index.length },
      ...{ seed, round, softmax },
    });
    if (weightDecay > 0) this.#kernels.call.axpby(weightDecay, x, 1, gradient, this.#gradient.length);
    row(staging.y, k, this.#gradient.length).set(this.#gradient);
    row(staging.statistics, k, this.#statistics.length).set(this.#statistics);
  }

  /** The statistics of node first + k's averaged model, from what the node sees in its first so many steps of training. */
  #estimate(k: number, batches: number): void {
    const { first, settings, staging } = this.#plan;
    const { n, seed } = settings;
    const { images, labels } = this.#network;
    this.#parameters.set(row(staging.y, k, this.#parameters.length));
    for (let step = 0; step < batches; step++) {
      const index = this.#schedule.indices(0, step, first + k);
      const round = step * n + first + k;
      this.#fillTrain(index, images, labels, round);
      const [parameters, statistics] = [this.#parameters.byteOffset, this.#statisticsAt];
      this.#network.estimateStatistics({
        parameters,
        statistics,
        count: index.length,
        seed,
        round,
        momentum: 1 / (step + 1),
      });
    }
    row(staging.estimated, k, this.#statistics.length).set(this.#statistics);
  }

  /** A node's averaged model on its part of the test set, its own on its share, or its own on one of all parts. */
  #try(command: number, task: number): void {
    const { settings, first, staging, test } = this.#plan;
    const { n, seed } = settings;
    const size = partSize(test.count, n);
    const parts = Math.ceil(test.count / size);
    const k = command === commands.tryAll ? Math.floor(task / parts) : task;
    const averaged = command === commands.tryPart;
    this.#parameters.set(row(averaged ? staging.y : staging.x, k, this.#parameters.length));
    this.#statistics.set(row(averaged ? staging.estimated : staging.statistics, k, this.#statistics.length));
    const index =
      command === commands.tryShare
        ? testShare(test.count, n, seed, first + k)
        : testPart(test.count, size, averaged ? first + k : task % parts);
    const { right, loss } = this.#score(index);
    staging.results.set([right, loss], 2 * task);
  }

  /** The model that stands in this thread's memory on these test images, which are one batch of a softmax over it. */
  #score(index: Int32Array): { right: number; loss: number } {
    const { settings, test } = this.#plan;
    const { images, labels, logitPitch, batch, model } = this.#network;
    const { classes } = model;
    const scores = new Float32Array(index.length * classes);
    for (let from = 0; from < index.length; from += batch) {
      const chosen = index.subarray(from, from + batch);
      this.#fillTest(chosen, images, labels);
      const logits = this.#network.forward({
        ...{ parameters: this.#parameters.byteOffset, statistics: this.#statisticsAt, count: chosen.length },
      });
      for (let j = 0; j < chosen.length; j++) {
        scores.set(logits.subarray(j * logitPitch, j * logitPitch + classes), (from + j) * classes);
      }
    }
    const answers = Int32Array.from(index, (j) => test.labels[j]);
    return scoreGroup(scores, answers, classes, settings.softmax);
  }

  get #statisticsAt(): number {
    return this.#statistics.length === 0 ? 0 : this.#statistics.byteOffset;
  }
}

const row = (rows: Float32Array, k: number, width: number) => rows.subarray(k * width, (k + 1) * width);
