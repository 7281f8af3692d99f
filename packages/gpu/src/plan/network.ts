/**
 * A network as kernels over replicas: the layers of a model, walked once, become values and stages; a stage has kernels
 * for its way forward and its way back. What differs between precisions is in float32.ts and mixed.ts, what a layer does in
 * layers/. Nothing here knows of training: no data, no updates, no runs.
 */

import type { LayerSpec, Model, Shape } from "@equitopo/nn";
import { InputError, type Registry } from "equitopo/internal/input";
import type { Gpu } from "../device/adapter.ts";
import { storage } from "../device/memory.ts";
import { type Norms, numbersOf, type Value } from "../shader/value.ts";
import type { GpuLayer } from "./layer.ts";
import type { NetworkPlan, Stage } from "./stage.ts";

export interface NetworkOptions {
  readonly gpu: Gpu;
  readonly model: Model;
  readonly replicas: number;
  readonly batch: number;
  /** Random words' seeds and rounds (shader/philox.ts). */
  readonly replicaTable: GPUBuffer;
  readonly layers: Registry<GpuLayer>;
}

/** A network that is being planned. V: the values between its layers; F: what completes the gradient of a value. */
export abstract class Network<V extends Value, F> {
  readonly options: NetworkOptions;
  /** Numbers from one replica's parameters, and from one's statistics, to the next's. */
  readonly stride: number;
  readonly statisticsStride: number;
  readonly norms: Norms;
  readonly gradients: GPUBuffer;
  protected readonly stages: Stage<F>[] = [];
  /** Values that a batch norm reads, by their memory, as the layers after the norm see them. */
  readonly #normed = new Map<GPUBuffer, V>();
  #parameter = 0;
  #normsUsed = 0;
  #statisticsUsed = 0;

  constructor(options: NetworkOptions) {
    const { gpu, model, replicas } = options;
    this.options = options;
    this.stride = 4 * Math.ceil(model.parameterCount / 4);
    this.statisticsStride = Math.max(4, model.statisticsCount);
    // A batch norm has two statistics for every channel.
    const width = Math.max(1, Math.ceil(model.statisticsCount / 2));
    const table = () => storage(gpu, "the tables of batch norm", 4 * width * replicas);
    this.norms = { width, norms: table(), slopes: table() };
    this.gradients = storage(gpu, "the gradients", this.stride * replicas);
  }

  abstract memory(what: string, numbers: number): GPUBuffer;

  /** How the gradient of x is completed where only one layer reads x, or where x is the input of a block as well. */
  abstract completed(x: V, block?: () => V): F;

  /** The value as its readers see it, in memory of its own. */
  abstract copy(x: V): V;

  protected abstract build(layer: GpuLayer, spec: LayerSpec, x: V, shared: boolean): V;

  value(shape: Shape, relu: boolean): Value & { readonly gradient: GPUBuffer } {
    const numbers = this.options.replicas * this.options.batch * numbersOf(shape);
    return { shape, relu, y: this.memory("activations", numbers), gradient: this.memory("gradients", numbers) };
  }

  /** The flat offset of the next parameter; those that follow it directly are taken, too. */
  take(count = 1): number {
    const { offset } = this.options.model.parameters[this.#parameter];
    this.#parameter += count;
    return offset;
  }

  /** The value with the next batch norm, and where the norm's numbers are. */
  normed(x: V, relu: boolean) {
    const { height, width, channels } = x.shape;
    const value: V = { ...x, relu, norm: this.#normsUsed };
    this.#normed.set(x.y, value);
    const options = {
      ...{ ...this.common(`norm of ${channels} at ${height}x${width}`), value },
      ...{ statisticsStride: this.statisticsStride, gamma: this.take(2), statisticsAt: this.#statisticsUsed },
    };
    this.#normsUsed += channels;
    this.#statisticsUsed += 8 * Math.ceil(channels / 4);
    return { value, options };
  }

  /** A layer's output as the layer after it sees it; known once all layers are built. */
  seen(value: V): V {
    return this.#normed.get(value.y) ?? value;
  }

  /** What all kernels of a stage have in common, with a name for profiles. */
  common(label: string) {
    const { replicas, batch } = this.options;
    return { label, replicas, batch, norms: this.norms, stride: this.stride };
  }

  /** One more stage; `x` is its input where its way back completes the gradient of that. */
  push(stage: Stage<F>, x?: V): void {
    const finish = x?.gradient === undefined ? {} : { finish: this.completed(x) };
    this.stages.push({ ...stage, ...finish });
  }

  /** The layers from x on; the first of a block completes its input's gradient as `finish` says. */
  walk(specs: readonly LayerSpec[], x: V, finish?: F): V {
    let value = x;
    let own = finish;
    for (const spec of specs) {
      const before = this.stages.length;
      value = this.build(this.#layer(spec), spec, value, own !== undefined);
      if (this.stages.length === before) continue;
      if (own !== undefined) this.stages[before].finish = own;
      own = undefined;
    }
    return value;
  }

  #layer({ kind }: LayerSpec): GpuLayer {
    const { layers } = this.options;
    if (layers.has(kind)) return layers.get(kind);
    throw new InputError(`the GPU knows the layers ${layers.names.join(", ")}`, kind, "train on the CPU");
  }

  protected planned(images: V, logits: Value): NetworkPlan {
    const { stages } = this;
    return {
      ...{ stride: this.stride, statisticsStride: this.statisticsStride, gradients: this.gradients, images, logits },
      forward: (mode, bound) => stages.flatMap((stage) => stage.forward(mode, bound)),
      prepare: (bound) => stages.flatMap((stage) => stage.prepare?.(bound) ?? []),
      backward: (bound) => [...stages].reverse().flatMap((stage) => stage.backward(bound, stage.finish)),
    };
  }
}
