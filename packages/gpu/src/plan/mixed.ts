/**
 * A network as kernels over replicas with products of halves (`mixed`): convolutions with batch norm, residual blocks of them,
 * the mean over all pixels. Weights and what stands between layers are rounded to halves, sums are float32, as are batch norm,
 * the last layer, the loss, the updates and everything that is kept. Gradients are kept 256 times as large, so that halves do
 * not lose the small ones.
 */

import type { KnownLayer, Shape } from "@equitopo/nn";
import { InputError } from "equitopo/input";
import { storage } from "../device/memory.ts";
import type { Kernel } from "../device/program.ts";
import { matrixConvolution, rowTiles } from "../matrix/convolution.ts";
import { mergeHalves, poolGradient, poolGroups, poolHalves, roundRows } from "../matrix/elementwise.ts";
import { type Above, finishBack, finishForward, type HalfValue, normOf } from "../matrix/finish.ts";
import type { MatrixGeometry } from "../matrix/layout.ts";
import { type Matrices, matricesOf, SIDE, type Spelling } from "../matrix/matrix.ts";
import { momentsFromSums, slopesFromSums } from "../matrix/norm.ts";
import { placeParts, type Summed, sumAllParts } from "../matrix/parts.ts";
import { gradientReader, valueReader } from "../matrix/reader.ts";
import { matrixTileOf, matrixWeightTileOf } from "../matrix/settings.ts";
import { matrixWeightCostOf, matrixWeightGradient, matrixWeightParts } from "../matrix/weight-gradient.ts";
import { dense, denseInputGradient, denseWeightGradient } from "../shader/dense.ts";
import { finishForward as finishDense } from "../shader/elementwise.ts";
import { type NormOptions, normFromStatistics } from "../shader/norm.ts";
import { gradientOf, type Norms, numbersOf, type Value } from "../shader/value.ts";
import type { NetworkOptions } from "./network.ts";
import { type Bound, channelsOfNorms, type NetworkPlan, together } from "./stage.ts";

/** What the loss is multiplied by on the way back. */
const SCALE = 256;

interface Layer {
  forward(mode: "training" | "evaluation", bound: Bound): Kernel[];
  prepare?(bound: Bound): Kernel[];
  backward(bound: Bound): Kernel[];
}

/** Sums for a value's batch norm: where they go, and how many workgroups leave some. */
interface Sums {
  readonly parts: GPUBuffer;
  readonly groups: number;
}

export function planMixed(options: NetworkOptions, spelling: Spelling = "subgroup"): NetworkPlan {
  return new MixedBuilder(options, matricesOf(spelling)).build();
}

class MixedBuilder {
  readonly #options: NetworkOptions;
  readonly #matrices: Matrices;
  readonly #stride: number;
  readonly #halfStride: number;
  readonly #halves: GPUBuffer;
  readonly #norms: Norms;
  readonly #gradients: GPUBuffer;
  readonly #layers: Layer[] = [];
  readonly #summed: Summed[] = [];
  /** Sums of gradients for the batch norm whose y this is: known once the layer above is. */
  readonly #gradientSums = new Map<GPUBuffer, Sums>();
  #parts: GPUBuffer | undefined;
  #parameter = 0;
  #normsUsed = 0;
  #statisticsUsed = 0;

  constructor(options: NetworkOptions, matrices: Matrices) {
    const { gpu, model, replicas } = options;
    this.#options = options;
    this.#matrices = matrices;
    this.#stride = 4 * Math.ceil(model.parameterCount / 4);
    this.#halfStride = 32 * Math.ceil(model.parameterCount / 32);
    this.#halves = this.#half("the weights as halves", replicas * this.#halfStride);
    const width = Math.max(1, channelsOfNorms(model.layers as readonly KnownLayer[], model.input));
    const table = () => storage(gpu, "the tables of batch norm", 4 * width * replicas);
    this.#norms = { width, norms: table(), slopes: table() };
    this.#gradients = storage(gpu, "the gradients", this.#stride * replicas);
  }

  build(): NetworkPlan {
    const { gpu, model, replicas, batch } = this.#options;
    const layers = model.layers as readonly KnownLayer[];
    const { input } = model;
    requireHalves(layers, input);
    const images: HalfValue = {
      ...{ shape: input, relu: false },
      y: this.#half("the images of a batch", 4 * replicas * batch * input.height * input.width),
    };
    const body = this.#walk(layers.slice(0, -2), images, undefined);
    const logits = this.#head(body, layers.at(-1) as Extract<KnownLayer, { kind: "dense" }>);
    const { numbers } = placeParts(this.#summed, replicas);
    this.#parts = storage(gpu, "parts of weight gradients", numbers);
    const all = this.#layers;
    const matrices = this.#matrices;
    const round = ({ parameters }: Bound) =>
      roundRows({
        ...{ label: "weights as halves", matrices, replicas, stride: this.#stride, halfStride: this.#halfStride },
        ...{ x: parameters, halves: this.#halves },
      });
    const sum = sumAllParts({
      ...{ gpu, replicas, stride: this.#stride, layers: this.#summed, parts: this.#parts },
      ...{ gradients: this.#gradients, scale: SCALE },
    });
    return {
      ...{ stride: this.#stride, statisticsStride: Math.max(4, model.statisticsCount), images, logits },
      half: { type: matrices.half, directives: matrices.storageDirectives },
      gradients: this.#gradients,
      forward: (mode, bound) => [
        ...(mode === "training" ? [round(bound)] : []),
        ...all.flatMap((layer) => layer.forward(mode, bound)),
      ],
      prepare: (bound) => [round(bound), ...all.flatMap((layer) => layer.prepare?.(bound) ?? [])],
      backward: (bound) => [...[...all].reverse().flatMap((layer) => layer.backward(bound)), sum],
    };
  }

  #half(what: string, numbers: number): GPUBuffer {
    return storage(this.#options.gpu, what, Math.ceil((numbers * this.#matrices.bytes) / 4));
  }

  #value(shape: Shape, relu: boolean): HalfValue {
    const numbers = this.#options.replicas * this.#options.batch * numbersOf(shape);
    return { shape, relu, y: this.#half("activations", numbers), gradient: this.#half("gradients", numbers) };
  }

  #take(): number {
    return this.#options.model.parameters[this.#parameter++].offset;
  }

  #common(label: string) {
    const { replicas, batch } = this.#options;
    return { label, replicas, batch, norms: this.#norms, matrices: this.#matrices };
  }

  /** The layers from x on; `above` is the block whose first layer is the first of these. */
  #walk(layers: readonly KnownLayer[], x: HalfValue, above: (() => HalfValue) | undefined): HalfValue {
    let value = x;
    for (let k = 0; k < layers.length; k++) {
      const layer = layers[k];
      if (layer.kind === "residual") {
        value = this.#residual(layer.layers as readonly KnownLayer[], value);
      } else if (layer.kind === "convolution") {
        const norm = layers[++k] as Extract<KnownLayer, { kind: "batch-norm" }>;
        value = this.#convolution(layer, norm.relu ?? false, value, k === 1 ? above : undefined);
      }
    }
    return value;
  }

  /** A convolution and its batch norm. */
  #convolution(
    { channels, stride = 1 }: Extract<KnownLayer, { kind: "convolution" }>,
    relu: boolean,
    x: HalfValue,
    above: (() => HalfValue) | undefined,
  ): HalfValue {
    const { replicas, batch, model } = this.#options;
    const side = (size: number) => Math.floor((size - 1) / stride) + 1;
    const shape = { height: side(x.shape.height), width: side(x.shape.width), channels };
    const out: HalfValue = { ...this.#value(shape, relu), norm: this.#normsUsed };
    const weights = this.#take();
    const norm: NormOptions = {
      ...this.#common(`norm of ${channels} at ${shape.height}x${shape.width}`),
      ...{ value: out, stride: this.#stride, statisticsStride: Math.max(4, model.statisticsCount) },
      ...{ gamma: this.#take(), statisticsAt: this.#statisticsUsed },
    };
    this.#parameter++; // beta follows gamma
    this.#normsUsed += channels;
    this.#statisticsUsed += 2 * channels;
    const geometry: MatrixGeometry = { source: x.shape, target: shape, stride: stride as 1 | 2, transposed: false };
    const name = `3x3 ${x.shape.channels}->${channels} at ${shape.height}x${shape.width}`;
    const source = x.gradient === undefined ? { images: x } : valueReader("source", x, this.#norms, this.#matrices);
    const tile = matrixTileOf(geometry);
    const sums = this.#sums(rowTiles(geometry, tile) * batch, channels);
    const weightTile = matrixWeightTileOf(geometry, batch);
    const back = x.gradient === undefined ? undefined : this.#back(name, geometry, x, out, weights, above);
    const count = matrixWeightParts(batch, weightTile);
    const layer = this.#summed.length;
    this.#summed.push({ at: weights, size: 9 * x.shape.channels * channels, count });
    this.#layers.push({
      forward: (mode, bound) => [
        matrixConvolution({
          ...{ ...this.#common(`forward ${name}`), geometry, tile, source, finish: finishForward, weights },
          ...{ halves: this.#halves, stride: this.#halfStride, out: out.y, parts: sums.parts },
          ...{ sourceNorm: x.norm ?? 0, targetNorm: 0 },
        }),
        ...(mode === "training" ? [momentsFromSums({ ...norm, ...sums, ...bound })] : []),
      ],
      prepare: (bound) => [normFromStatistics({ ...norm, ...bound })],
      backward: () => [
        slopesFromSums({
          ...{ ...norm, label: `back ${norm.label}`, gradients: this.#gradients, scale: SCALE },
          ...(this.#gradientSums.get(out.y) as Sums),
        }),
        ...together(
          this.#options,
          name,
          back?.(),
          matrixWeightGradient({
            ...{ ...this.#common(`weights ${name}`), geometry, tile: weightTile, source },
            slope: gradientReader("slope", out, this.#norms, this.#matrices),
            ...{ out: this.#parts as GPUBuffer, place: placeParts(this.#summed, replicas).places[layer] },
            ...{ sourceNorm: x.norm ?? 0, targetNorm: out.norm as number },
          }),
        ),
      ],
    });
    return out;
  }

  #sums(groups: number, channels: number): Sums {
    const { gpu, replicas } = this.#options;
    return { groups, parts: storage(gpu, "sums for batch norm", replicas * groups * 2 * channels) };
  }

  /** The gradient of a convolution's input. */
  #back(
    name: string,
    forward: MatrixGeometry,
    x: HalfValue,
    out: HalfValue,
    weights: number,
    above: (() => HalfValue) | undefined,
  ): () => Kernel {
    const { batch } = this.#options;
    const geometry = { ...forward, source: forward.target, target: forward.source, transposed: true };
    const { threads } = matrixWeightCostOf(forward, matrixWeightTileOf(forward, batch));
    const tile = matrixTileOf(geometry, threads);
    const sums = this.#sums(rowTiles(geometry, tile) * batch, x.shape.channels);
    this.#gradientSums.set(normOf(x).y, sums);
    return () => {
      const block: Above | undefined = above && { block: above(), batch };
      return matrixConvolution({
        ...{ ...this.#common(`back ${name}`), geometry, tile, weights },
        source: gradientReader("source", out, this.#norms, this.#matrices),
        finish: finishBack(x, block, this.#norms, this.#matrices),
        ...{ halves: this.#halves, stride: this.#halfStride, out: gradientOf(x), parts: sums.parts },
        ...{ sourceNorm: out.norm as number, targetNorm: normOf(x).norm as number },
      });
    };
  }

  #residual(layers: readonly KnownLayer[], x: HalfValue): HalfValue {
    const block: { out?: HalfValue } = {};
    const main = this.#walk(layers, x, () => block.out as HalfValue);
    // The block's own gradient is that of its last layer, as it is.
    const out: HalfValue = {
      ...{ shape: main.shape, relu: true, gradient: gradientOf(main), normed: main },
      y: this.#half("activations", this.#options.replicas * this.#options.batch * numbersOf(main.shape)),
    };
    block.out = out;
    this.#layers.push({
      forward: () => [mergeHalves({ ...this.#common("sum of a block"), main, x, out })],
      backward: () => [],
    });
    return out;
  }

  /** The mean over all pixels and the last layer, in float32. */
  #head(x: HalfValue, { units }: Extract<KnownLayer, { kind: "dense" }>): Value {
    const { gpu, replicas, batch } = this.#options;
    const value = (channels: number): Value => {
      const numbers = replicas * batch * channels;
      return {
        ...{ shape: { height: 1, width: 1, channels }, relu: false },
        ...{ y: storage(gpu, "activations", numbers), gradient: storage(gpu, "gradients", numbers) },
      };
    };
    const pooled = value(x.shape.channels);
    const logits = value(units);
    const sums = this.#sums(poolGroups(batch), x.shape.channels);
    this.#gradientSums.set(normOf(x).y, sums);
    const pool = { ...this.#common("average-pool"), x, out: pooled };
    const last = {
      ...{ ...this.#common(`dense ${x.shape.channels}->${units}`), x: pooled, out: logits },
      ...{ stride: this.#stride, weights: this.#take() },
    };
    this.#layers.push({
      forward: (_mode, { parameters }) => [poolHalves(pool), dense({ ...last, parameters })],
      backward: ({ parameters }) => [
        denseInputGradient({ ...last, parameters, finish: finishDense("f32") }),
        denseWeightGradient({ ...last, gradients: this.#gradients }),
        poolGradient({ ...pool, parts: sums.parts, scale: SCALE }),
      ],
    });
    return logits;
  }
}

const powerOfTwo = (value: number) => Number.isInteger(Math.log2(value));

/** Refuses networks with layers that have no kernel over halves. */
export function requireHalves(layers: readonly KnownLayer[], input: Shape): void {
  const [pool, last] = layers.slice(-2);
  const fits =
    input.channels <= 3 &&
    input.width % SIDE === 0 &&
    pool?.kind === "average-pool" &&
    last?.kind === "dense" &&
    !last.relu &&
    fitting(layers.slice(0, -2), input, "images") !== undefined;
  if (fits) return;
  throw new InputError(
    "precision mixed needs a network of 3 x 3 convolutions (16, 32, 64 ... channels, edges of 1, no bias), each with batch norm, and residual blocks of them, then average-pool and one dense layer; images of up to 3 channels, 16 or 32 wide",
    layers.map(({ kind }) => kind).join(", "),
    "use precision: float32",
  );
}

/** The shape that comes out, or undefined where a layer does not fit. */
function fitting(
  layers: readonly KnownLayer[],
  input: Shape,
  place: "images" | "network" | "block",
): Shape | undefined {
  let shape = input;
  let first = place === "images";
  for (let k = 0; k < layers.length; k++) {
    const layer = layers[k];
    if (layer.kind === "residual") {
      if (first || place === "block") return undefined;
      const out = fitting(layer.layers as readonly KnownLayer[], shape, "block");
      if (out === undefined) return undefined;
      const same = out.width === shape.width && out.channels === shape.channels;
      const halved = 2 * out.width === shape.width && out.channels === 2 * shape.channels;
      if (!same && !halved) return undefined;
      shape = out;
      continue;
    }
    const norm = layers[k + 1];
    if (layer.kind !== "convolution" || norm?.kind !== "batch-norm") return undefined;
    const { channels, kernel, stride = 1, pad = 0, bias = true, relu = false } = layer;
    const ends = place === "block" && k + 2 === layers.length;
    const stem = first && stride === 1;
    if (kernel !== 3 || pad !== 1 || bias || relu || channels % SIDE !== 0 || !powerOfTwo(channels)) return undefined;
    if (channels > 128 || (first && !stem) || stride > 2 || (norm.relu ?? false) === ends) return undefined;
    if (stride === 2 && (shape.width % 2 !== 0 || shape.height % 2 !== 0)) return undefined;
    if (place === "block" && k > 0 && stride === 2) return undefined;
    shape = { height: shape.height / stride, width: shape.width / stride, channels };
    if (shape.width >= SIDE && shape.width % SIDE !== 0) return undefined;
    first = false;
    k++;
  }
  return first ? undefined : shape;
}
