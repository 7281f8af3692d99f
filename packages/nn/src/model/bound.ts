/**
 * A network at work: one workspace in the memory of one kernel instance, through which any number of replicas pass, each
 * a place of parameters in the same memory.
 */

import { integer } from "equitopo/input";
import type { NnKernels } from "../kernel/kernels.ts";
import type { Layer, Pass } from "./layer.ts";
import type { Model } from "./model.ts";

/** Along which axis the softmax of the loss runs: over the classes, or (as the paper's code did) over the batch. */
export type SoftmaxAxis = "classes" | "batch";

/** Where things stand in a workspace, from its beginning. */
export interface WorkspacePlan {
  readonly labels: number;
  readonly images: number;
  readonly logits: number;
  readonly dlogits: number;
  readonly saved: number;
  readonly scratch: number;
}

/** What a pass needs beside the batch; byte offsets into the kernels' memory. */
export interface ReplicaPass {
  /** The flat parameters. */
  readonly parameters: number;
  /** The running statistics; may be left out for networks without batch norm. */
  readonly statistics?: number;
  /** Images in the batch. */
  readonly count: number;
}

/** A pass in training: batch statistics, dropout. */
export interface DrawnPass extends ReplicaPass {
  readonly seed: number;
  /** One number per (iteration, node): the round of the dropout stream. */
  readonly round: number;
}

export interface TrainingPass extends DrawnPass {
  /** Where the gradient goes, parallel to the parameters. */
  readonly gradient: number;
  /** Default "classes". */
  readonly softmax?: SoftmaxAxis;
  /** Of the running statistics; default 0.1. */
  readonly momentum?: number;
}

/** A network at work in one workspace of one kernel instance. Put a batch into `images` and `labels`, then call. */
export class BoundModel {
  readonly model: Model;
  readonly batch: number;
  /** batch x height x width x imagePitch numbers, row by row, channels innermost. */
  readonly images: Float32Array;
  readonly imagePitch: number;
  readonly labels: Int32Array;
  /** Rows of `logitPitch` numbers, the class scores first: what the last pass put out. */
  readonly logits: Float32Array;
  readonly logitPitch: number;
  readonly #kernels: NnKernels;
  readonly #body: Layer;
  readonly #at: WorkspacePlan;

  constructor(
    model: Model,
    body: Layer,
    pitch: number,
    kernels: NnKernels,
    at: number,
    batch: number,
    plan: WorkspacePlan,
  ) {
    const { buffer } = kernels.memory;
    const { labels, images, logits, dlogits, saved, scratch } = plan;
    this.model = model;
    this.batch = batch;
    this.imagePitch = pitch;
    this.logitPitch = body.output.pitch;
    this.#kernels = kernels;
    this.#body = body;
    this.#at = {
      ...{ labels: at + labels, images: at + images, logits: at + logits },
      ...{ dlogits: at + dlogits, saved: at + saved, scratch: at + scratch },
    };
    this.images = new Float32Array(buffer, at + images, batch * model.input.height * model.input.width * pitch);
    this.labels = new Int32Array(buffer, at + labels, batch);
    this.logits = new Float32Array(buffer, at + logits, batch * this.logitPitch);
  }

  /** Class scores of the first `count` images, as in evaluation: no dropout, running statistics. */
  forward({ parameters, statistics = 0, count }: ReplicaPass): Float32Array {
    this.#forward(this.#pass(count, false, 0, 0, 0), parameters, statistics);
    return this.logits;
  }

  /** The running statistics from one more batch: `momentum` 1 / (k + 1) for batch k = 0, 1, ... gives their mean. */
  estimateStatistics(options: DrawnPass & { readonly momentum: number }): void {
    const { parameters, statistics = 0, count, seed, round, momentum } = options;
    this.#forward(this.#pass(count, true, momentum, seed, round), parameters, statistics);
  }

  /** The mean loss over the batch, and its gradient. */
  lossAndGradient(options: TrainingPass): number {
    const { parameters, statistics = 0, count, gradient, seed, round, softmax = "classes", momentum = 0.1 } = options;
    const { images: x, logits: y, dlogits: dy, saved, scratch } = this.#at;
    const pass = this.#pass(count, true, statistics === 0 ? 0 : momentum, seed, round);
    this.#forward(pass, parameters, statistics);
    const loss = this.#crossEntropy(count, softmax, dy);
    this.#body.backward(pass, { x, y, dy, dx: 0, parameters, statistics, saved, scratch, gradient });
    return loss;
  }

  /** The mean loss of the logits that the last pass put out. */
  loss(count: number, softmax: SoftmaxAxis = "classes"): number {
    return this.#crossEntropy(count, softmax, 0);
  }

  /** How many of the first `count` images have their label's score highest (after a softmax over the batch, if so). */
  correct(count: number, softmax: SoftmaxAxis = "classes"): number {
    const { classes } = this.model;
    const { logits, dlogits } = this.#at;
    let scores = this.logits;
    if (softmax === "batch") {
      this.#kernels.call.logSoftmax(logits, this.logitPitch, count, classes, 1, dlogits);
      scores = new Float32Array(this.#kernels.memory.buffer, dlogits, count * this.logitPitch);
    }
    let right = 0;
    for (let n = 0, row = 0; n < count; n++, row += this.logitPitch) {
      let best = 0;
      for (let c = 1; c < classes; c++) if (scores[row + c] > scores[row + best]) best = c;
      // Scores that are not numbers are nobody's.
      if (best === this.labels[n] && !Number.isNaN(scores[row + best])) right++;
    }
    return right;
  }

  #pass(count: number, training: boolean, momentum: number, seed: number, round: number): Pass {
    integer("the number of images", count, 1, this.batch);
    const { call, memory } = this.#kernels;
    return { call, memory: memory.buffer, images: count, training, momentum, seed, round };
  }

  #forward(pass: Pass, parameters: number, statistics: number): void {
    const { images: x, logits: y, saved, scratch } = this.#at;
    this.#body.forward(pass, { x, y, parameters, statistics, saved, scratch });
  }

  #crossEntropy(count: number, softmax: SoftmaxAxis, gradient: number): number {
    const { classes } = this.model;
    const { logits, labels } = this.#at;
    const overBatch = softmax === "batch" ? 1 : 0;
    return this.#kernels.call.crossEntropy(logits, this.logitPitch, count, classes, labels, overBatch, gradient);
  }
}
