/** A network in float32, on every adapter. */

import type { LayerSpec } from "@equitopo/nn";
import { InputError } from "equitopo/internal/input";
import { storage } from "../device/memory.ts";
import type { Kernel } from "../device/program.ts";
import { type Dropout, dropout, dropoutGradient, finishWithShortcut } from "../shader/elementwise.ts";
import { type Element, numbersOf, type Part, passRelu, type Value } from "../shader/value.ts";
import type { GpuLayer } from "./layer.ts";
import { Network, type NetworkOptions } from "./network.ts";
import type { NetworkPlan } from "./stage.ts";

/** What is stored of a gradient, for elements of this type. */
type Finish = (element: Element) => Part;

export class Float32Network extends Network<Value, Finish> {
  dropouts = 0;
  /** Parts of weight gradients: one memory for all layers, whose kernels follow each other anyway. */
  #parts: GPUBuffer | undefined;

  static plan(options: NetworkOptions): NetworkPlan {
    const network = new Float32Network(options);
    const { model, replicas, batch } = options;
    const images: Value = {
      ...{ shape: model.input, relu: false },
      y: network.memory("the images of a batch", replicas * batch * numbersOf(model.input)),
    };
    const logits = network.walk(model.layers, images);
    if (logits.relu || logits.norm !== undefined) {
      throw new InputError("a network on the GPU ends in scores", "a norm or ReLU", "end with a dense layer");
    }
    return network.planned(images, logits);
  }

  protected build(layer: GpuLayer, spec: LayerSpec, x: Value, shared: boolean): Value {
    return layer.float32(this, spec, x, shared);
  }

  memory(what: string, numbers: number): GPUBuffer {
    return storage(this.options.gpu, what, numbers);
  }

  completed(x: Value, block?: () => Value): Finish {
    return (element) =>
      block === undefined
        ? passRelu("finish", x, this.norms, element)
        : finishWithShortcut(x, block(), this.norms, element);
  }

  reserveParts(numbers: number): void {
    if (this.#parts !== undefined && this.#parts.size >= 4 * numbers) return;
    this.#parts?.destroy();
    this.#parts = this.memory("parts of weight gradients", numbers);
  }

  get parts(): GPUBuffer {
    return this.#parts as GPUBuffer;
  }

  copy(x: Value): Value {
    return this.passOn("copy", x, {});
  }

  /** A layer without parameters; its backward kernel is given the part that stores the gradient of x. */
  pushPlain<O>(x: Value, options: O, forward: (options: O) => Kernel, back: (options: O & { finish: Part }) => Kernel) {
    this.push(
      {
        forward: () => [forward(options)],
        backward: (_bound, finish) => (finish === undefined ? [] : [back({ ...options, finish: finish("f32") })]),
      },
      x,
    );
  }

  /** The value itself; in training, without the numbers that dropout removes. */
  passOn(label: string, x: Value, dropping: { readonly drop?: Dropout }): Value {
    const out = this.value(x.shape, false);
    const options = { ...this.common(label), x, out, replicaTable: this.options.replicaTable };
    this.push(
      {
        forward: (mode) => [dropout({ ...options, ...(mode === "training" ? dropping : {}) })],
        backward: (_bound, finish) =>
          finish === undefined
            ? []
            : [dropoutGradient({ ...options, out: this.seen(out), ...dropping, finish: finish("f32") })],
      },
      x,
    );
    return { ...out, readsNorm: true };
  }
}
