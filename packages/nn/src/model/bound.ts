/**
 * A network at work: one workspace in the memory of one kernel instance, through which any number of replicas pass, each
 * a place of parameters in the same memory.
 */

import { integer } from "equitopo/input";
import type { NnKernels } from "../kernel/kernels.ts";
import type { Layer, Pass } from "./layer.ts";
import type { Model } from "./model.ts";
import { type SoftmaxAxis, scoreGroup } from "./score.ts";

/** Where things are in a workspace, in bytes of the kernels' memory. */
export type WorkspacePlan = Readonly<
  Record<"labels" | "images" | "logits" | "dlogits" | "saved" | "scratch" | "end", number>
>;

/** What a pass needs beside the batch; byte offsets into the kernels' memory. */
export interface ReplicaPass {
  readonly parameters: number;
  /** The running statistics; may be left out for networks without batch norm. */
  readonly statistics?: number;
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
export type BoundModel = ReturnType<typeof boundModel>;

export function boundModel(
  model: Model,
  body: Layer,
  imagePitch: number,
  { call, memory: { buffer } }: NnKernels,
  batch: number,
  at: WorkspacePlan,
) {
  const { classes, input, rows } = model;
  const { images: x, logits: y, dlogits, saved, scratch } = at;
  const logitPitch = body.output.pitch;
  const labels = new Int32Array(buffer, at.labels, batch * rows);
  const logits = new Float32Array(buffer, y, batch * rows * logitPitch);

  type How = Pick<Pass, "training" | "momentum" | "seed" | "round">;
  function forward({ parameters, statistics = 0, count }: ReplicaPass, how: How): Pass {
    integer("the number of images", count, 1, batch);
    const pass = { call, memory: buffer, images: count, ...how };
    body.forward(pass, { x, y, parameters, statistics, saved, scratch });
    return pass;
  }

  /** The sum over all positions that have a label, and the gradient of their mean where none is without. */
  const tokenLoss = (count: number, gradient: number): number =>
    call.tokenLoss(y, logitPitch, count * rows, classes, at.labels, 1 / (count * rows), gradient);

  function crossEntropy(count: number, softmax: SoftmaxAxis, gradient: number): number {
    if (model.scores === "every position") return tokenLoss(count, gradient) / (count * rows);
    return call.crossEntropy(y, logitPitch, count, classes, at.labels, softmax === "batch" ? 1 : 0, gradient);
  }

  const bound = {
    ...{ model, batch, imagePitch, labels, logitPitch },
    /** batch x height x width x imagePitch numbers, row by row, channels innermost; of texts their tokens. */
    images: new Float32Array(buffer, x, batch * input.height * input.width * imagePitch),
    /** Rows of `logitPitch` numbers, the class scores first: what the last pass put out. */
    logits,

    /** Class scores of the first `count` images, as in evaluation: no dropout, running statistics. */
    forward(replica: ReplicaPass): Float32Array {
      forward(replica, { training: false, momentum: 0, seed: 0, round: 0 });
      return logits;
    },

    /** The running statistics from one more batch: `momentum` 1 / (k + 1) for batch k = 0, 1, ... gives their mean. */
    estimateStatistics(options: DrawnPass & { readonly momentum: number }): void {
      const { seed, round, momentum } = options;
      forward(options, { training: true, momentum, seed, round });
    },

    /** The mean loss over the batch, and its gradient. */
    lossAndGradient(options: TrainingPass): number {
      const { parameters, statistics = 0, count, gradient, seed, round, softmax = "classes", momentum = 0.1 } = options;
      const pass = forward(options, { training: true, momentum: statistics === 0 ? 0 : momentum, seed, round });
      const loss = crossEntropy(count, softmax, dlogits);
      body.backward(pass, { x, y, dy: dlogits, dx: 0, parameters, statistics, saved, scratch, gradient });
      return loss;
    },

    /** The mean loss of the logits that the last pass put out. */
    loss: (count: number, softmax: SoftmaxAxis = "classes"): number => crossEntropy(count, softmax, 0),

    /** The sum of the losses at all positions of the last pass whose label is not negative. */
    lossSum: (count: number): number => tokenLoss(count, 0),

    /** The class scores of the first `count` images, one row directly after another. */
    scores: (count: number): Float32Array =>
      Float32Array.from({ length: count * rows * classes }, (_, k) => {
        return logits[Math.floor(k / classes) * logitPitch + (k % classes)];
      }),

    /** How many of the first `count` images have their label's score highest (after a softmax over the batch, if so). */
    correct: (count: number, softmax: SoftmaxAxis = "classes"): number =>
      scoreGroup(bound.scores(count), labels.subarray(0, count), classes, softmax).right,
  };
  return bound;
}
