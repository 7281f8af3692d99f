/**
 * A network as kernels over replicas: the layers of a model, walked once, become values and stages; a stage has kernels
 * for its way forward and its way back. Nothing here knows of training: no data, no updates, no runs.
 */

import { DROPOUT_BLOCKS, type KnownLayer, type LayerSpec, type Model, type Shape } from "@equitopo/nn";
import { InputError } from "equitopo/input";
import { streams } from "equitopo/random";
import type { Gpu } from "../device/adapter.ts";
import { storage } from "../device/memory.ts";
import { convolution } from "../shader/convolution.ts";
import { dense, denseInputGradient, denseWeightGradient } from "../shader/dense.ts";
import {
  averagePool,
  averagePoolGradient,
  type Dropout,
  dropout,
  dropoutGradient,
  finishForward,
  finishPlain,
  finishWithShortcut,
  maxPool,
  maxPoolGradient,
  mergeBlock,
} from "../shader/elementwise.ts";
import { biasGradient, normFromStatistics, normGradient, normMoments } from "../shader/norm.ts";
import { sumParts } from "../shader/row.ts";
import { tileOf, weightTileOf } from "../shader/tile.ts";
import { type Norms, numbersOf, readGradient, readValue, rowElement, type Value } from "../shader/value.ts";
import { weightCostOf, weightGradient, weightParts } from "../shader/weight-gradient.ts";
import { channelsOfNorms, type Finish, type NetworkPlan, type Stage, together } from "./stage.ts";

export interface NetworkOptions {
  readonly gpu: Gpu;
  readonly model: Model;
  readonly replicas: number;
  readonly batch: number;
  /** Random words' seeds and rounds (shader/philox.ts). */
  readonly replicaTable: GPUBuffer;
}

export function planNetwork(options: NetworkOptions): NetworkPlan {
  const builder = new Builder(options);
  return builder.build();
}

class Builder {
  readonly #options: NetworkOptions;
  readonly #stride: number;
  readonly #norms: Norms;
  readonly #gradients: GPUBuffer;
  readonly #stages: Stage[] = [];
  #parameter = 0;
  #normsUsed = 0;
  #statisticsUsed = 0;
  #dropouts = 0;
  /** Parts of weight gradients: one memory for all layers, whose kernels follow each other anyway. */
  #parts: GPUBuffer | undefined;

  constructor(options: NetworkOptions) {
    const { gpu, model, replicas } = options;
    this.#options = options;
    this.#stride = 4 * Math.ceil(model.parameterCount / 4);
    const width = Math.max(1, channelsOfNorms(model.layers as readonly KnownLayer[], model.input));
    this.#norms = {
      width,
      norms: storage(gpu, "the tables of batch norm", 4 * width * replicas),
      slopes: storage(gpu, "the tables of batch norm", 4 * width * replicas),
    };
    this.#gradients = storage(gpu, "the gradients", this.#stride * replicas);
  }

  build(): NetworkPlan {
    const { gpu, model, replicas, batch } = this.#options;
    const images: Value = {
      ...{ shape: model.input, relu: false },
      y: storage(gpu, "the images of a batch", replicas * batch * numbersOf(model.input)),
    };
    const logits = this.#walk(model.layers as readonly KnownLayer[], images, undefined);
    if (logits.relu || logits.norm !== undefined) {
      throw new InputError("a network on the GPU ends in scores", "a norm or ReLU", "end with a dense layer");
    }
    const stages = this.#stages;
    return {
      stride: this.#stride,
      statisticsStride: Math.max(4, model.statisticsCount),
      images,
      logits,
      gradients: this.#gradients,
      forward: (mode, bound) => stages.flatMap((stage) => stage.forward(mode, bound)),
      prepare: (bound) => stages.flatMap((stage) => stage.prepare?.(bound) ?? []),
      backward: (bound) => [...stages].reverse().flatMap((stage) => stage.backward(bound, stage.finish)),
    };
  }

  /** The layers from x on; the first of a block completes its input's gradient as `finish` says. */
  #walk(layers: readonly LayerSpec[], x: Value, finish: Finish | undefined): Value {
    let value = x;
    let own = finish;
    for (const layer of layers) {
      const before = this.#stages.length;
      value = this.#layer(layer as KnownLayer, value, own !== undefined);
      const first = this.#stages[before];
      if (first !== undefined) {
        if (own !== undefined) first.finish = own;
        own = undefined;
      }
    }
    return value;
  }

  /** `shared`: somebody else reads x as it is. */
  #layer(layer: KnownLayer, x: Value, shared: boolean): Value {
    switch (layer.kind) {
      case "convolution":
        return this.#convolution(layer, x);
      case "dense":
        return this.#dense(layer.units, layer.relu ?? false, x);
      case "batch-norm": {
        const raw = !shared && !x.relu && x.norm === undefined && this.#normed.has(x.y);
        return this.#batchNorm(layer.relu ?? false, raw ? x : this.#copy(x));
      }
      case "relu":
        return { ...(shared || x.gradient === undefined ? this.#copy(x) : x), relu: true };
      case "max-pool":
        return this.#maxPool(layer.size, layer.stride ?? layer.size, layer.relu ?? false, x);
      case "average-pool":
        return this.#averagePool(x);
      case "dropout":
        return this.#dropout(layer.rate, layer.of === "channels", x);
      case "residual":
        return this.#residual(layer.layers, x);
      default:
        throw new InputError(
          "the GPU knows the layers convolution, dense, batch-norm, relu, max-pool, average-pool, dropout and residual",
          (layer as LayerSpec).kind,
          "train on the CPU",
        );
    }
  }

  #value(shape: Shape, relu: boolean): Value {
    const { gpu, replicas, batch } = this.#options;
    const numbers = replicas * batch * numbersOf(shape);
    return { shape, relu, y: storage(gpu, "activations", numbers), gradient: storage(gpu, "gradients", numbers) };
  }

  /** The flat offset of the next parameter. */
  #take(): number {
    return this.#options.model.parameters[this.#parameter++].offset;
  }

  /** What all kernels of a stage have in common, with a name for profiles. */
  #common(label: string) {
    const { replicas, batch } = this.#options;
    return { label, replicas, batch, norms: this.#norms, stride: this.#stride };
  }

  /** How x's gradient is completed, unless a block says otherwise. */
  #completed(x: Value): Finish | undefined {
    return x.gradient === undefined ? undefined : (element) => finishPlain(x, this.#norms, element);
  }

  #push(stage: Stage, x: Value): void {
    const finish = this.#completed(x);
    this.#stages.push({ ...stage, ...(finish === undefined ? {} : { finish }) });
  }

  #convolution(layer: Extract<KnownLayer, { kind: "convolution" }>, x: Value): Value {
    const { gpu, replicas, batch } = this.#options;
    const { kernel, stride = 1, pad = 0, bias: hasBias = true, relu = false, channels } = layer;
    if (stride > 2) throw new InputError("a convolution on the GPU has stride 1 or 2", stride, "train on the CPU");
    const side = (size: number) => Math.floor((size + 2 * pad - kernel) / stride) + 1;
    const shape = { height: side(x.shape.height), width: side(x.shape.width), channels };
    const out = this.#value(shape, relu);
    const weights = this.#take();
    const bias = hasBias ? this.#take() : undefined;
    const geometry = { source: x.shape, target: shape, kernel, stride, pad, transposed: false };
    const back = { source: shape, target: x.shape, kernel, stride, pad, transposed: true };
    const weightTile = weightTileOf(geometry, batch);
    const backTile = tileOf(back, batch, weightCostOf(geometry, weightTile).threads);
    const size = kernel * kernel * x.shape.channels * channels;
    const parts = weightParts(batch, weightTile);
    this.#reserveParts(gpu, replicas * parts * size);
    const name = `${kernel}x${kernel} ${x.shape.channels}->${channels} at ${shape.height}x${shape.width}`;
    // Norms of the value that comes out are only known once the next layer is: looked up when kernels are made.
    const outValue = () => this.#seen.get(out.y) ?? out;
    this.#push(
      {
        forward: (_mode, { parameters }) => [
          convolution({
            ...this.#common(`forward ${name}`),
            ...{ geometry, tile: tileOf(geometry, batch), parameters, out: out.y, weights },
            ...(bias === undefined ? {} : { bias }),
            source: readValue("source", x, this.#norms, rowElement(x.shape)),
            finish: finishForward(rowElement(shape)),
            ...{ sourceNorm: x.norm ?? 0, targetNorm: 0 },
          }),
        ],
        backward: ({ parameters }, finish) => {
          const value = outValue();
          const memory = this.#parts as GPUBuffer;
          const input =
            finish &&
            convolution({
              ...this.#common(`back ${name}`),
              ...{ geometry: back, tile: backTile, parameters, out: x.gradient as GPUBuffer, weights },
              source: readGradient("source", value, this.#norms, rowElement(shape)),
              finish: finish(rowElement(x.shape)),
              ...{ sourceNorm: value.norm ?? 0, targetNorm: x.norm ?? 0 },
            });
          const own = weightGradient({
            ...this.#common(`weights ${name}`),
            ...{ geometry, tile: weightTile, out: memory },
            source: readValue("source", x, this.#norms, rowElement(x.shape)),
            slope: readGradient("slope", value, this.#norms, rowElement(shape)),
            ...{ sourceNorm: x.norm ?? 0, targetNorm: value.norm ?? 0 },
          });
          const kernels = [
            ...together(this.#options, name, input, own),
            sumParts({
              ...{ label: "sum of parts", replicas, stride: this.#stride, parts: memory, count: parts, size },
              ...{ gradients: this.#gradients, at: weights },
            }),
          ];
          if (bias !== undefined) {
            kernels.push(
              biasGradient({
                ...this.#common("bias"),
                ...{ value, statisticsStride: 0, statisticsAt: 0, gamma: bias, gradients: this.#gradients },
              }),
            );
          }
          return kernels;
        },
      },
      x,
    );
    this.#normed.add(out.y);
    return out;
  }

  /** Values by their memory, as the layers after them see them. */
  readonly #seen = new Map<GPUBuffer, Value>();
  /** Memory of layers whose way back reads its gradient through a batch norm. */
  readonly #normed = new Set<GPUBuffer>();

  #reserveParts(gpu: Gpu, numbers: number): void {
    if (this.#parts !== undefined && this.#parts.size >= 4 * numbers) return;
    this.#parts?.destroy();
    this.#parts = storage(gpu, "parts of weight gradients", numbers);
  }

  #batchNorm(relu: boolean, x: Value): Value {
    const { channels } = x.shape;
    const value: Value = { ...x, relu, norm: this.#normsUsed };
    this.#seen.set(x.y, value);
    const options = {
      ...this.#common(`norm of ${channels} at ${x.shape.height}x${x.shape.width}`),
      ...{ value, statisticsStride: Math.max(4, this.#options.model.statisticsCount) },
      ...{ gamma: this.#take(), statisticsAt: this.#statisticsUsed },
    };
    this.#parameter++; // beta follows gamma
    this.#normsUsed += channels;
    this.#statisticsUsed += 8 * Math.ceil(channels / 4);
    this.#stages.push({
      forward: (mode, bound) => (mode === "training" ? [normMoments({ ...options, ...bound })] : []),
      prepare: (bound) => [normFromStatistics({ ...options, ...bound })],
      backward: () => [
        normGradient({ ...options, label: options.label.replace("norm", "back norm"), gradients: this.#gradients }),
      ],
    });
    return value;
  }

  #dense(units: number, relu: boolean, x: Value): Value {
    const out = this.#value({ height: 1, width: 1, channels: units }, relu);
    const options = { ...this.#common(`dense ${numbersOf(x.shape)}->${units}`), x, out, weights: this.#take() };
    this.#parameter++; // the bias follows the weights
    this.#push(
      {
        forward: (_mode, { parameters }) => [dense({ ...options, parameters })],
        backward: ({ parameters }, finish) => [
          ...(finish === undefined ? [] : [denseInputGradient({ ...options, parameters, finish: finish("f32") })]),
          denseWeightGradient({ ...options, gradients: this.#gradients }),
        ],
      },
      x,
    );
    return out;
  }

  #maxPool(size: number, stride: number, relu: boolean, x: Value): Value {
    const side = (length: number) => Math.floor((length - size) / stride) + 1;
    const { height, width, channels } = x.shape;
    const out = this.#value({ height: side(height), width: side(width), channels }, relu);
    const options = { ...this.#common("max-pool"), x, out, window: { size, stride } };
    this.#push(
      {
        forward: () => [maxPool(options)],
        backward: (_bound, finish) =>
          finish === undefined ? [] : [maxPoolGradient({ ...options, finish: finish("f32") })],
      },
      x,
    );
    return out;
  }

  #averagePool(x: Value): Value {
    const out = this.#value({ height: 1, width: 1, channels: x.shape.channels }, false);
    const options = { ...this.#common("average-pool"), x, out };
    this.#push(
      {
        forward: () => [averagePool(options)],
        backward: (_bound, finish) =>
          finish === undefined ? [] : [averagePoolGradient({ ...options, finish: finish("f32") })],
      },
      x,
    );
    return out;
  }

  #dropout(rate: number, channels: boolean, x: Value): Value {
    const block = this.#dropouts++ * DROPOUT_BLOCKS;
    return this.#passOn("dropout", x, { rate, channels, block, stream: streams.dropout });
  }

  /** The value as its readers see it, in memory of its own. */
  #copy(x: Value): Value {
    return this.#passOn("copy", x, undefined);
  }

  #passOn(label: string, x: Value, drop: Dropout | undefined): Value {
    const out = this.#value(x.shape, false);
    const { replicaTable } = this.#options;
    const options = { ...this.#common(label), x, out, replicaTable };
    const dropping = drop === undefined ? {} : { drop };
    this.#push(
      {
        forward: (mode) => [dropout({ ...options, ...(mode === "training" ? dropping : {}) })],
        backward: (_bound, finish) => {
          const value = this.#seen.get(out.y) ?? out;
          return finish === undefined
            ? []
            : [dropoutGradient({ ...options, out: value, ...dropping, finish: finish("f32") })];
        },
      },
      x,
    );
    this.#normed.add(out.y);
    return out;
  }

  #residual(layers: readonly LayerSpec[], given: Value): Value {
    // A block reads its input twice, and images have no gradient to complete.
    const x = given.gradient === undefined ? this.#copy(given) : given;
    const block: { out?: Value } = {};
    const finish: Finish = (element) => finishWithShortcut(x, block.out as Value, this.#norms, element);
    let main = this.#walk(layers, x, finish);
    // The block's own gradient is that of its last layer, as it is: so that one may have no ReLU.
    if (main.relu || main.y === x.y) main = this.#copy(main);
    const { gpu, replicas, batch } = this.#options;
    const out: Value = {
      ...{ shape: main.shape, relu: true, gradient: main.gradient as GPUBuffer },
      y: storage(gpu, "activations", replicas * batch * numbersOf(main.shape)),
    };
    block.out = out;
    this.#stages.push({
      forward: () => [mergeBlock({ ...this.#common("sum of a block"), main, x, out })],
      backward: () => [],
    });
    return out;
  }
}
