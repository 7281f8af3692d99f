/**
 * A network at work: one workspace in the memory of one kernel instance, through which any number of replicas pass, each
 * a place of parameters in the same memory.
 */

import { integer } from "equitopo/input";
import type { NnKernels } from "../kernel/kernels.ts";
import type { Layer, Pass } from "./layer.ts";
import type { Model } from "./model.ts";
import { type SoftmaxAxis, scoreGroup } from "./score.ts";

/** Where things stand in a workspace, in bytes of the kernels' memory. */
export type WorkspacePlan = Readonly<
  Record<"labels" | "images" | "logits" | "dlogits" | "saved" | "scratch" | "end", number>
>;

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

  constructor(model: Model, body: Layer, pitch: number, kernels: NnKernels, batch: number, at: WorkspacePlan) {
    const { buffer } = kernels.memory;
    this.model = model;
    this.batch = batch;
    this.imagePitch = pitch;
    this.logitPitch = body.output.pitch;
    this.#kernels = kernels;
    this.#body = body;
    this.#at = at;
    this.images = new Float32Array(buffer, at.images, batch * model.input.height * model.input.width * pitch);
    this.labels = new Int32Array(buffer, at.labels, batch);
    this.logits = new Float32Array(buffer, at.logits, batch * this.logitPitch);
  }

  /** Class scores of the first `count` images, as in evaluation: no dropout, running statistics. */
  forward(replica: ReplicaPass): Float32Array {
    this.#forward(replica, { training: false, momentum: 0, seed: 0, round: 0 });
    return this.logits;
  }

  /** The running statistics from one more batch: `momentum` 1 / (k + 1) for batch k = 0, 1, ... gives their mean. */
  estimateStatistics(options: DrawnPass & { readonly momentum: number }): void {
    const { seed, round, momentum } = options;
    this.#forward(options, { training: true, momentum, seed, round });
  }

  /** The mean loss over the batch, and its gradient. */
  lossAndGradient(options: TrainingPass): number {
    const { parameters, statistics = 0, count, gradient, seed, round, softmax = "classes", momentum = 0.1 } = options;
    const { images: x, logits: y, dlogits: dy, saved, scratch } = this.#at;
    const pass = this.#forward(options, { training: true, momentum: statistics === 0 ? 0 : momentum, seed, round });
    const loss = this.#crossEntropy(count, softmax, dy);
    this.#body.backward(pass, { x, y, dy, dx: 0, parameters, statistics, saved, scratch, gradient });
    return loss;
  }

  /** The mean loss of the logits that the last pass put out. */
  loss(count: number, softmax: SoftmaxAxis = "classes"): number {
    return this.#crossEntropy(count, softmax, 0);
  }

  /** The class scores of the first `count` images, one row directly after another. */
  scores(count: number): Float32Array {
    const { classes } = this.model;
    return Float32Array.from({ length: count * classes }, (_, k) => {
      return this.logits[Math.floor(k / classes) * this.logitPitch + (k % classes)];
    });
  }

  /** How many of the first `count` images have their label's score highest (after a softmax over the batch, if so). */
  correct(count: number, softmax: SoftmaxAxis = "classes"): number {
    return scoreGroup(this.scores(count), this.labels.subarray(0, count), this.model.classes, softmax).right;
  }

  #forward(
    { parameters, statistics = 0, count }: ReplicaPass,
    how: Pick<Pass, "training" | "momentum" | "seed" | "round">,
  ): Pass {
    integer("the number of images", count, 1, this.batch);
    const { call, memory } = this.#kernels;
    const pass = { call, memory: memory.buffer, images: count, ...how };
    const { images: x, logits: y, saved, scratch } = this.#at;
    this.#body.forward(pass, { x, y, parameters, statistics, saved, scratch });
    return pass;
  }

  #crossEntropy(count: number, softmax: SoftmaxAxis, gradient: number): number {
    const { classes } = this.model;
    const { logits, labels } = this.#at;
    const overBatch = softmax === "batch" ? 1 : 0;
    return this.#kernels.call.crossEntropy(logits, this.logitPitch, count, classes, labels, overBatch, gradient);
  }
}
