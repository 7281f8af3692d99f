/**
 * A network: its layers, its parameters as one flat vector, and what it needs of memory. It holds no weights: a replica is
 * a place in the kernels' memory, and what gossip mixes there is what the layers read.
 */

import { InputError, integer } from "../input.ts";
import { type NnKernels, pitchOf, vectorBytes } from "../kernel/nn.ts";
import { initialise } from "./initialise.ts";
import { type Layer, type Pass, parameterCount } from "./layer.ts";
import { sequential } from "./layers/sequential.ts";
import type { LayerSpec, Parameter, Shape, Start } from "./spec.ts";

export interface ModelOptions {
  readonly name: string;
  readonly input: Shape;
  readonly layers: readonly LayerSpec[];
  /** How weights begin: PyTorch's default "uniform", or "he"; biases are uniform. "zeros": both at zero. */
  readonly weights?: Start;
}

/** Along which axis the softmax of the loss runs: over the classes, or (as the paper's code did) over the batch. */
export type SoftmaxAxis = "classes" | "batch";

export class Model {
  readonly name: string;
  readonly input: Shape;
  readonly layers: readonly LayerSpec[];
  readonly classes: number;
  readonly parameters: readonly Parameter[];
  readonly parameterCount: number;
  /** Numbers of running statistics (batch norm), which are local to a node. */
  readonly statisticsCount: number;
  readonly #body: Layer;
  readonly #pitch: number;

  constructor({ name, input, layers, weights = "uniform" }: ModelOptions) {
    integer("the image's height", input.height, 1);
    integer("the image's width", input.width, 1);
    integer("the image's channels", input.channels, 1);
    this.name = name;
    this.input = input;
    this.layers = layers;
    // Convolution and dense layers read images as they come; all others work on whole vectors of channels.
    const tight = layers[0]?.kind === "convolution" || layers[0]?.kind === "dense";
    this.#pitch = tight ? input.channels : pitchOf(input.channels);
    this.#body = sequential(layers, { ...input, pitch: this.#pitch }, { dropouts: 0 });
    const { output } = this.#body;
    if (output.height !== 1 || output.width !== 1) {
      throw new InputError(
        "a network ends in one row of class scores",
        `${output.height} x ${output.width} pixels`,
        "end with a dense or an average-pool layer",
      );
    }
    this.classes = output.channels;
    let offset = 0;
    this.parameters = this.#body.parameters.map((p) => {
      const size = p.shape.reduce((a, b) => a * b, 1);
      const replaced = p.start === "uniform" && (p.name.endsWith("weight") || weights === "zeros");
      const start = replaced ? weights : p.start;
      offset += size;
      return { ...p, size, start, offset: offset - size };
    });
    this.parameterCount = parameterCount(this.#body.parameters);
    this.statisticsCount = this.#body.statistics;
  }

  /** The initial parameters of every node. */
  initialParameters(seed: number, out: Float32Array = new Float32Array(this.parameterCount)): Float32Array {
    return initialise(this.parameters, seed, out);
  }

  /** Mean 0 and variance 1 for every channel. */
  initialStatistics(out: Float32Array = new Float32Array(this.statisticsCount)): Float32Array {
    let at = 0;
    const walk = (specs: readonly LayerSpec[], input: Shape): void => {
      let shape = { ...input, pitch: pitchOf(input.channels) };
      for (const spec of specs) {
        if (spec.kind === "residual") walk(spec.layers, shape);
        else if (spec.kind === "batch-norm") {
          out.fill(0, at, at + shape.pitch).fill(1, at + shape.pitch, at + 2 * shape.pitch);
          at += 2 * shape.pitch;
        }
        shape = sequential([spec], shape, { dropouts: 0 }).output;
      }
    };
    walk(this.layers, this.input);
    return out;
  }

  /** Bytes of workspace for batches of up to `batch` images. */
  workspaceBytes(batch: number): number {
    return this.#plan(batch).bytes;
  }

  /** A place to run in: `at` is the byte offset of a workspace for batches of up to `batch` images. */
  bind(kernels: NnKernels, at: number, batch: number): BoundModel {
    integer("the batch", batch, 1);
    if (at % 16 !== 0) throw new InputError("a workspace begins at a multiple of 16 bytes", at, "round it up");
    const { bytes, ...offsets } = this.#plan(batch);
    if (at + bytes > kernels.memory.buffer.byteLength) {
      const held = kernels.memory.buffer.byteLength;
      throw new InputError(`the memory must hold ${at + bytes} bytes`, held, "make a larger one");
    }
    return new BoundModel(this, this.#body, this.#pitch, kernels, at, batch, offsets);
  }

  #plan(batch: number) {
    const { height, width } = this.input;
    const logitBytes = vectorBytes(4 * batch * this.#body.output.pitch);
    const labels = 16; // offset 0 means "none" to the kernels: nothing begins there
    const images = labels + vectorBytes(4 * batch);
    const logits = images + vectorBytes(4 * batch * height * width * this.#pitch);
    const dlogits = logits + logitBytes;
    const saved = dlogits + logitBytes;
    const scratch = saved + vectorBytes(this.#body.savedBytes(batch));
    return {
      labels,
      images,
      logits,
      dlogits,
      saved,
      scratch,
      bytes: scratch + vectorBytes(this.#body.scratchBytes(batch)),
    };
  }
}

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

export interface TrainingPass extends ReplicaPass {
  /** Where the gradient goes, parallel to the parameters. */
  readonly gradient: number;
  readonly seed: number;
  /** One number per (iteration, node): the round of the dropout stream. */
  readonly round: number;
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
  estimateStatistics({ parameters, statistics = 0, count }: ReplicaPass, momentum: number): void {
    this.#forward(this.#pass(count, true, momentum, 0, 0), parameters, statistics);
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
      if (best === this.labels[n]) right++;
    }
    return right;
  }

  #pass(count: number, training: boolean, momentum: number, seed: number, round: number): Pass {
    integer("the number of images", count, 1, this.batch);
    return { call: this.#kernels.call, images: count, training, momentum, seed, round };
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
