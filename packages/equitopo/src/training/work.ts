/**
 * What a thread does for a command, the calling thread included: it takes tasks until none is left. A task is one
 * replica's gradient, a stretch of columns of the mixing, or a batch of the evaluation; none reads what another writes,
 * so neither their order nor the number of threads changes a bit.
 */

import { type BatchFiller, batchFiller } from "../data/batch.ts";
import { type BatchSchedule, dealtSchedule, shareSchedule } from "../data/schedule.ts";
import { createNnKernels, type NnKernels } from "../kernel/nn.ts";
import type { BoundModel } from "../nn/bound.ts";
import type { Rows } from "../round/round.ts";
import type { Shared } from "./shared.ts";
import { createModel } from "./spec.ts";

export const commands = { gradient: 0, mix: 1, evaluate: 2, estimate: 3 } as const;

/** Columns of a stretch: 17 rows of them stay in the second cache. */
export const STRETCH = 2048;

/** Images of the test set that every node is tried on: all of them, or (as run) its own share of them; or none. */
export type Trial = "all" | "share" | "none";
export const trials: readonly Trial[] = ["none", "all", "share"];

/** The images of a node's share of the test set, one image more than fits evenly where it must: as run. */
export function testShare(count: number, n: number, seed: number, node: number): Int32Array {
  const size = Math.ceil(count / n);
  return dealtSchedule({ count, n, batch: size, seed }).indices(0, 0, node);
}

export function scheduleOf({ spec, shares, n, train }: Pick<Shared, "spec" | "shares" | "n" | "train">): BatchSchedule {
  const { batch, seed } = spec;
  return shares === null
    ? dealtSchedule({ count: train.count, n, batch, seed })
    : shareSchedule({ shares, batch, seed });
}

export class ReplicaWork {
  readonly #shared: Shared;
  readonly #kernels: NnKernels;
  readonly #network: BoundModel;
  readonly #fillTrain: BatchFiller;
  readonly #fillTest: BatchFiller;
  readonly #schedule: BatchSchedule;
  readonly #testShares = new Map<number, Int32Array>();

  constructor(shared: Shared, part: number) {
    const { spec, memory, places, train, test } = shared;
    const model = createModel(spec.model, train);
    this.#shared = shared;
    this.#kernels = createNnKernels(memory);
    this.#network = model.bind(this.#kernels, places.workspaces + part * places.workspaceBytes, spec.batch);
    const plain = {
      pitch: this.#network.imagePitch,
      ...(spec.normalisation === undefined ? {} : { normalisation: spec.normalisation }),
    };
    const augmentation = spec.augmentation && { ...spec.augmentation, seed: spec.seed };
    this.#fillTrain = batchFiller(train, augmentation === undefined ? plain : { ...plain, augmentation });
    this.#fillTest = batchFiller(test, plain);
    this.#schedule = scheduleOf(shared);
  }

  /** Tasks of the command that stands in the shared memory, until there are no more. */
  run(): void {
    const { ints, args } = this.#shared;
    const command = ints[2];
    const tasks = args[0];
    for (let task = Atomics.add(ints, 3, 1); task < tasks; task = Atomics.add(ints, 3, 1)) {
      if (command === commands.gradient) this.#gradient(task);
      else if (command === commands.mix) this.#mix(task);
      else if (command === commands.evaluate) this.#evaluate(task);
      else this.#estimate();
    }
  }

  /** args: x, gradient, t. */
  #gradient(node: number): void {
    const { args, spec, n, places, memory } = this.#shared;
    const [, x, gradient, t] = args;
    const { parameterCount: d, statisticsCount } = this.#network.model;
    const steps = this.#schedule.stepsPerEpoch;
    const index = this.#schedule.indices(Math.floor(t / steps), t % steps, node);
    const round = t * n + node;
    const { images, labels } = this.#network;
    this.#fillTrain(index, images, labels, round);
    const at = 4 * node * d;
    const statistics = statisticsCount === 0 ? 0 : places.statistics + 4 * node * statisticsCount;
    const loss = this.#network.lossAndGradient({
      ...{ parameters: x + at, gradient: gradient + at, statistics, count: index.length },
      ...{ seed: spec.seed, round, softmax: spec.softmax },
    });
    if (spec.weightDecay > 0) this.#kernels.call.axpby(spec.weightDecay, x + at, 1, gradient + at, d);
    new Float64Array(memory.buffer, places.losses, n)[node] = loss;
  }

  /** args: x, y, width, and for the mean 1 and what a node keeps. The sums of applyRound, in its order. */
  #mix(stretch: number): void {
    const { args, n, places, memory } = this.#shared;
    const [, xAt, yAt, d, mean, keep] = args;
    const { buffer } = memory;
    const x = new Float32Array(buffer, xAt, n * d);
    const y = new Float32Array(buffer, yAt, n * d);
    const from = stretch * STRETCH;
    const to = Math.min(d, from + STRETCH);
    if (mean === 1) {
      mixMean(x, y, n, d, keep, from, to);
      return;
    }
    const self = new Float64Array(buffer, places.self, n);
    const start = new Int32Array(buffer, places.start, n + 1);
    const weights = new Float64Array(buffer, places.weights, start[n]);
    const senders = new Int32Array(buffer, places.from, start[n]);
    for (let i = 0; i < n; i++) {
      const [first, last, own, row] = [start[i], start[i + 1], self[i], i * d];
      if (last === first + 1) {
        const [weight, other] = [weights[first], senders[first] * d];
        for (let k = from; k < to; k++) y[row + k] = own * x[row + k] + weight * x[other + k];
        continue;
      }
      for (let k = from; k < to; k++) {
        let sum = own * x[row + k];
        for (let e = first; e < last; e++) sum += weights[e] * x[senders[e] * d + k];
        y[row + k] = sum;
      }
    }
  }

  /** args: x, which trial. First the nodes' batches, node by node, then those of the averaged model. */
  #evaluate(task: number): void {
    const { args, spec, n, places, test, memory } = this.#shared;
    const trial = trials[args[2]];
    const { parameterCount: d, statisticsCount: s, classes } = this.#network.model;
    const each = trial === "none" ? 0 : trial === "all" ? test.count : Math.ceil(test.count / n);
    const perNode = Math.ceil(each / spec.batch);
    const node = task < n * perNode ? Math.floor(task / perNode) : n;
    const from = (node === n ? task - n * perNode : task % perNode) * spec.batch;
    const size = Math.min(spec.batch, (node === n ? test.count : each) - from);
    const share = node === n || trial === "all" ? undefined : this.#testShare(node);
    const index = Int32Array.from({ length: size }, (_, k) => (share === undefined ? from + k : share[from + k]));
    const { images, labels, logitPitch } = this.#network;
    this.#fillTest(index, images, labels);
    const logits = this.#network.forward({
      parameters: node === n ? places.average : args[1] + 4 * node * d,
      ...(s === 0 ? {} : { statistics: places.statistics + 4 * node * s }),
      count: size,
    });
    const out = new Float32Array(memory.buffer, places.logits, (n + 1) * test.count * classes);
    for (let k = 0, at = (node * test.count + from) * classes; k < size; k++, at += classes) {
      out.set(logits.subarray(k * logitPitch, k * logitPitch + classes), at);
    }
  }

  /** args: how many batches. The averaged model's statistics, from training images that are not augmented. */
  #estimate(): void {
    const { args, spec, n, places, train } = this.#shared;
    const { statisticsCount: s } = this.#network.model;
    const fill = batchFiller(train, {
      pitch: this.#network.imagePitch,
      ...(spec.normalisation === undefined ? {} : { normalisation: spec.normalisation }),
    });
    const at = { parameters: places.average, statistics: places.statistics + 4 * n * s, count: spec.batch };
    for (let k = 0; k < args[1]; k++) {
      // Spread evenly over the training set.
      const index = Int32Array.from({ length: spec.batch }, (_, j) => {
        return Math.floor(((k * spec.batch + j) * train.count) / (args[1] * spec.batch));
      });
      fill(index, this.#network.images, this.#network.labels);
      this.#network.estimateStatistics(at, 1 / (k + 1));
    }
  }

  #testShare(node: number): Int32Array {
    const { n, test, spec } = this.#shared;
    const found = this.#testShares.get(node) ?? testShare(test.count, n, spec.seed, node);
    this.#testShares.set(node, found);
    return found;
  }
}

function mixMean(x: Rows, y: Rows, n: number, d: number, keep: number, from: number, to: number): void {
  for (let k = from; k < to; k++) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += x[i * d + k];
    const mean = sum / n;
    for (let i = 0; i < n; i++) y[i * d + k] = keep * x[i * d + k] + (1 - keep) * mean;
  }
}
