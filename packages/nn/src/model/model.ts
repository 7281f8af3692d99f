/**
 * A network: its layers, its parameters as one flat vector, and what it needs of memory. It holds no weights: a replica is
 * a place in the kernels' memory, and what gossip mixes there is what the layers read.
 */

import { InputError, integer } from "equitopo/internal/input";
import { type NnKernels, pitchOf, vectorBytes } from "../kernel/kernels.ts";
import { type BoundModel, boundModel, type WorkspacePlan } from "./bound.ts";
import { initialise } from "./initialise.ts";
import type { Layer } from "./layer.ts";
import { layers as registry } from "./layers/registry.ts";
import { sequential } from "./layers/sequential.ts";
import type { Initialisation, LayerSpec, Parameter, Shape } from "./spec.ts";

export interface ModelOptions {
  readonly name: string;
  readonly input: Shape;
  readonly layers: readonly LayerSpec[];
  /** How weights begin: PyTorch's default "uniform", or "he"; biases are uniform. "zeros": both at zero. */
  readonly weights?: Initialisation;
  /** What the class scores are of: the whole image (default), or every pixel by itself, each with its label. */
  readonly scores?: "the image" | "every position";
}

/**
 * @example
 * ```ts
 * import { createNnKernels, Model } from "@equitopo/nn";
 * const model = new Model({
 *   name: "exclusive or",
 *   input: { height: 1, width: 1, channels: 2 },
 *   layers: [{ kind: "dense", units: 8, relu: true }, { kind: "dense", units: 2 }],
 * });
 * // The parameters at byte 256, their gradient at 512, the momentum at 768, the workspace from 1024 on.
 * const kernels = createNnKernels(1024 + model.workspaceBytes(4));
 * const network = model.bind(kernels, 1024, 4);
 * model.initialParameters(1, new Float32Array(kernels.memory.buffer, 256, model.parameterCount));
 * network.images.set([0, 0, 0, 1, 1, 0, 1, 1]);
 * network.labels.set([0, 1, 1, 0]);
 * for (let round = 0; round < 300; round++) {
 *   network.lossAndGradient({ parameters: 256, gradient: 512, count: 4, seed: 1, round });
 *   kernels.call.sgd(256, 512, 768, model.parameterCount, 0.1, 0.9, 0);
 * }
 * network.forward({ parameters: 256, count: 4 });
 * network.correct(4) // => 4
 * ```
 */
export class Model {
  readonly name: string;
  readonly input: Shape;
  readonly layers: readonly LayerSpec[];
  readonly classes: number;
  readonly parameters: readonly Parameter[];
  readonly parameterCount: number;
  /** Numbers of running statistics (batch norm), which are local to a node. */
  readonly statisticsCount: number;
  /** Rows of scores, and labels, of one image. */
  readonly rows: number;
  readonly scores: "the image" | "every position";
  readonly #body: Layer;
  readonly #pitch: number;

  constructor({ name, input, layers, weights = "uniform", scores = "the image" }: ModelOptions) {
    integer("the image's height", input.height, 1);
    integer("the image's width", input.width, 1);
    integer("the image's channels", input.channels, 1);
    this.name = name;
    this.input = input;
    this.layers = layers;
    const packed = layers.length > 0 && registry.get(layers[0].kind).packed;
    this.#pitch = packed ? input.channels : pitchOf(input.channels);
    this.#body = sequential(layers, { ...input, pitch: this.#pitch });
    const { output } = this.#body;
    this.rows = output.height * output.width;
    this.scores = scores;
    if (this.rows !== (scores === "the image" ? 1 : input.height * input.width)) {
      const rule = `a network ends in one row of class scores for ${scores}`;
      const remedy = scores === "the image" ? "end with a dense or an average-pool layer" : "keep all positions";
      throw new InputError(rule, `${output.height} x ${output.width} pixels`, remedy);
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
    this.parameterCount = offset;
    this.statisticsCount = this.#body.statistics;
  }

  /** Where its matrices are among the parameters, beside them its biases and norms: what AdamW decays. */
  get matrices(): readonly (readonly [from: number, to: number])[] {
    const found = this.parameters.filter(({ shape }) => shape.length > 1);
    return found.map(({ offset, size }) => [offset, offset + size]);
  }

  initialParameters(seed: number, out: Float32Array = new Float32Array(this.parameterCount)): Float32Array {
    return initialise(this.parameters, seed, out);
  }

  /** How running statistics begin: batch norm's with mean 0 and variance 1 for every channel. */
  initialStatistics(out: Float32Array = new Float32Array(this.statisticsCount)): Float32Array {
    this.#body.startStatistics?.(out.fill(0));
    return out;
  }

  /** Bytes of workspace for batches of up to `batch` images. */
  workspaceBytes(batch: number): number {
    return this.#plan(0, batch).end;
  }

  /** A place to run in: `at` is the byte offset of a workspace for batches of up to `batch` images. */
  bind(kernels: NnKernels, at: number, batch: number): BoundModel {
    integer("the batch", batch, 1);
    if (at % 16 !== 0) throw new InputError("a workspace begins at a multiple of 16 bytes", at, "round it up");
    const plan = this.#plan(at, batch);
    const held = kernels.memory.buffer.byteLength;
    if (plan.end > held) throw new InputError(`the memory must hold ${plan.end} bytes`, held, "make a larger one");
    return boundModel(this, this.#body, this.#pitch, kernels, batch, plan);
  }

  #plan(at: number, batch: number): WorkspacePlan {
    const { height, width } = this.input;
    const logitBytes = vectorBytes(4 * batch * this.rows * this.#body.output.pitch);
    const labels = at + 16; // offset 0 means "none" to the kernels: nothing begins there
    const images = labels + vectorBytes(4 * batch * this.rows);
    const logits = images + vectorBytes(4 * batch * height * width * this.#pitch);
    const dlogits = logits + logitBytes;
    const saved = dlogits + logitBytes;
    const scratch = saved + vectorBytes(this.#body.savedBytes(batch));
    const end = scratch + vectorBytes(this.#body.scratchBytes(batch));
    return { labels, images, logits, dlogits, saved, scratch, end };
  }
}
