/**
 * A network with products of halves (`mixed`): convolutions with batch norm, residual blocks of them, the mean over all pixels.
 * Weights and what lies between layers are rounded to halves; sums are float32, as are batch norm, the last layer, the loss,
 * the updates and everything that is kept. Gradients are kept 256 times as large, so that halves do not lose the small ones.
 */

import type { LayerSpec } from "@equitopo/nn";
import { InputError } from "equitopo/internal/input";
import { storage } from "../device/memory.ts";
import { roundRows } from "../matrix/elementwise.ts";
import { type Finish, finishBack, type HalfValue, normOf } from "../matrix/finish.ts";
import { type Matrices, SIDE } from "../matrix/matrix.ts";
import type { Sums } from "../matrix/norm.ts";
import { placeParts, type Summed, sumAllParts } from "../matrix/parts.ts";
import type { Value } from "../shader/value.ts";
import type { GpuLayer } from "./layer.ts";
import { Network, type NetworkOptions } from "./network.ts";
import type { Bound, NetworkPlan } from "./stage.ts";

export class MixedNetwork extends Network<HalfValue, () => Finish> {
  readonly matrices: Matrices;
  readonly halfStride: number;
  readonly halves: GPUBuffer;
  /** What the loss is multiplied by on the way back. */
  readonly scale = 256;
  /** Sums over a value, and over the gradient of a value, by the memory of what its batch norm reads. */
  readonly sums = new Map<GPUBuffer, Sums>();
  readonly gradientSums = new Map<GPUBuffer, Sums>();
  inBlock = false;
  readonly #summed: Summed[] = [];
  #parts: GPUBuffer | undefined;

  constructor(options: NetworkOptions, matrices: Matrices) {
    super(options);
    const { model, replicas } = options;
    this.matrices = matrices;
    this.halfStride = 32 * Math.ceil(model.parameterCount / 32);
    this.halves = this.memory("the weights as halves", replicas * this.halfStride);
  }

  static plan(options: NetworkOptions, matrices: Matrices): NetworkPlan {
    const network = new MixedNetwork(options, matrices);
    const { gpu, model, replicas, batch } = options;
    const { input } = model;
    network.require(input.channels <= 3 && input.width % SIDE === 0);
    const images: HalfValue = {
      ...{ shape: input, relu: false },
      y: network.memory("the images of a batch", 4 * replicas * batch * input.height * input.width),
    };
    const logits = network.walk(model.layers, images);
    network.require(model.layers.at(-1)?.kind === "dense");
    const { stride, halfStride, halves, gradients, scale } = network;
    const { numbers } = placeParts(network.#summed, replicas);
    const parts = storage(gpu, "parts of weight gradients", numbers);
    network.#parts = parts;
    const round = ({ parameters: x }: Bound) =>
      roundRows({ label: "weights as halves", matrices, replicas, stride, halfStride, x, halves });
    const sum = sumAllParts({ gpu, replicas, stride, layers: network.#summed, parts, gradients, scale });
    const plan = network.planned(images, logits);
    return {
      ...plan,
      half: { type: matrices.half, directives: matrices.storageDirectives },
      forward: (mode, bound) => [...(mode === "training" ? [round(bound)] : []), ...plan.forward(mode, bound)],
      prepare: (bound) => [round(bound), ...plan.prepare(bound)],
      backward: (bound) => [...plan.backward(bound), sum],
    };
  }

  protected build(layer: GpuLayer, spec: LayerSpec, x: HalfValue, shared: boolean): HalfValue {
    return layer.mixed === undefined ? this.refuse() : layer.mixed(this, spec, x, shared);
  }

  memory(what: string, numbers: number): GPUBuffer {
    return storage(this.options.gpu, what, Math.ceil((numbers * this.matrices.bytes) / 4));
  }

  completed(x: HalfValue, block?: () => HalfValue): () => Finish {
    const { batch } = this.options;
    return () => finishBack(x, block && { block: block(), batch }, this.norms, this.matrices);
  }

  /** Only halves that a layer has just written are read as they are. */
  copy(): HalfValue {
    return this.refuse();
  }

  /** Numbers in float32, one row an image. */
  floats(channels: number): Value {
    const { gpu, replicas, batch } = this.options;
    const memory = (what: string) => storage(gpu, what, replicas * batch * channels);
    return {
      ...{ shape: { height: 1, width: 1, channels }, relu: false },
      ...{ y: memory("activations"), gradient: memory("gradients") },
    };
  }

  /** Room for the sums that so many workgroups leave. */
  sumsOf(groups: number, channels: number): Sums {
    const { gpu, replicas } = this.options;
    return { groups, parts: storage(gpu, "sums for batch norm", replicas * groups * 2 * channels) };
  }

  /** Room for the sums over the gradient of x. */
  sumsBack(x: HalfValue, groups: number): Sums {
    const sums = this.sumsOf(groups, x.shape.channels);
    this.gradientSums.set(normOf(x).y, sums);
    return sums;
  }

  /** Room for the parts of a weight gradient: where, once all layers are built. */
  partsOf(summed: Summed): () => { readonly out: GPUBuffer; readonly place: number } {
    const k = this.#summed.push(summed) - 1;
    return () => ({
      out: this.#parts as GPUBuffer,
      place: placeParts(this.#summed, this.options.replicas).places[k],
    });
  }

  /** Refuses a network with a layer that has no kernel over halves. */
  require(fits: boolean): void {
    if (!fits) this.refuse();
  }

  refuse(): never {
    throw new InputError(
      "precision mixed needs a network of 3 x 3 convolutions (16, 32, 64 ... channels, edges of 1, no bias), each with batch norm, and residual blocks of them, then average-pool and one dense layer; images of up to 3 channels, 16 or 32 wide",
      this.options.model.layers.map(({ kind }) => kind).join(", "),
      "use precision: float32",
    );
  }
}
