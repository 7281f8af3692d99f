/**
 * The plain version of every layer and of the loss, in double precision and in the simplest loops: what the kernels are
 * tested against, and whose finite differences their gradients must agree with. Images are height x width x channels
 * without padding; the parameters are in the order of Model.parameters.
 */

import { block, streams } from "equitopo/random";
import { DROPOUT_BLOCKS } from "../../src/model/layers/elementwise.ts";
import type { SoftmaxAxis } from "../../src/model/score.ts";
import type { KnownLayer, LayerSpec, Shape } from "../../src/model/spec.ts";

/** A batch on its way through the network. */
interface Batch extends Shape {
  readonly values: Float64Array;
}

export interface ReferencePass {
  readonly images: number;
  readonly seed: number;
  readonly round: number;
  /** With dropout and the batch's own statistics. */
  readonly training: boolean;
  /** Mean and variance of every batch norm's channels, in order, `channels` numbers each; needed where not training. */
  readonly statistics?: readonly { mean: Float64Array; variance: Float64Array }[];
}

/** The logits (images x classes) of a network. */
export function referenceForward(
  specs: readonly LayerSpec[],
  input: Shape,
  parameters: ArrayLike<number>,
  images: ArrayLike<number>,
  pass: ReferencePass,
): Float64Array {
  const walker = new Walker(parameters, pass);
  return walker.run(specs, { ...input, values: Float64Array.from(images) }).values;
}

class Walker {
  readonly #parameters: ArrayLike<number>;
  readonly #pass: ReferencePass;
  #at = 0;
  #norms = 0;
  #dropouts = 0;

  constructor(parameters: ArrayLike<number>, pass: ReferencePass) {
    this.#parameters = parameters;
    this.#pass = pass;
  }

  run(specs: readonly LayerSpec[], x: Batch): Batch {
    return specs.reduce((batch, spec) => this.#layer(spec, batch), x);
  }

  #take(count: number): number[] {
    const from = this.#at;
    this.#at += count;
    return Array.from({ length: count }, (_, k) => this.#parameters[from + k]);
  }

  #layer(given: LayerSpec, x: Batch): Batch {
    const spec = given as KnownLayer;
    switch (spec.kind) {
      case "convolution":
        return clip(spec.relu, this.#convolve(x, spec.kernel, spec.kernel, spec));
      case "dense":
        return clip(spec.relu, this.#convolve(x, x.height, x.width, { channels: spec.units }));
      case "max-pool":
        return clip(spec.relu, this.#maxPool(x, spec.size, spec.stride ?? spec.size));
      case "average-pool":
        return this.#averagePool(x);
      case "batch-norm":
        return clip(spec.relu, this.#normalise(x));
      case "relu":
        return clip(true, x);
      case "dropout":
        return this.#drop(x, spec.rate, spec.of === "channels");
      case "residual": {
        const y = this.run(spec.layers, x);
        return clip(true, { ...y, values: y.values.map((v, k) => v + this.#shortcut(x, y, k)) });
      }
      case "skip": {
        const y = this.run(spec.layers, x);
        return { ...y, values: y.values.map((v, k) => v + x.values[k]) };
      }
      case "linear":
        return this.#convolve(x, 1, 1, { channels: spec.units, bias: false });
      case "embedding":
        return looked(x, this.#take(spec.vocabulary * spec.units), spec.units);
      case "tied": {
        const table = this.#take(spec.vocabulary * spec.units);
        const { values } = this.run(spec.layers, looked(x, table, spec.units));
        const scores = new Float64Array((values.length / spec.units) * spec.vocabulary);
        for (let k = 0; k < scores.length; k++) {
          const [row, token] = [Math.floor(k / spec.vocabulary) * spec.units, (k % spec.vocabulary) * spec.units];
          for (let j = 0; j < spec.units; j++) scores[k] += values[row + j] * table[token + j];
        }
        return { ...x, channels: spec.vocabulary, values: scores };
      }
      case "positions": {
        const table = this.#take(x.height * x.width * x.channels);
        return { ...x, values: x.values.map((v, k) => v + table[k % table.length]) };
      }
      case "layer-norm":
        return this.#normaliseRows(x);
      case "gelu":
        return { ...x, values: x.values.map((v) => v * normalDistribution(v)) };
      case "attention":
        return this.#attend(x, spec.heads ?? 4, spec.dropout ?? 0);
    }
  }

  #convolve(
    x: Batch,
    kh: number,
    kw: number,
    { channels, stride = 1, pad = 0, bias = true }: { channels: number; stride?: number; pad?: number; bias?: boolean },
  ): Batch {
    const weights = this.#take(kh * kw * x.channels * channels);
    const offsets = bias ? this.#take(channels) : new Array(channels).fill(0);
    const height = Math.floor((x.height + 2 * pad - kh) / stride) + 1;
    const width = Math.floor((x.width + 2 * pad - kw) / stride) + 1;
    const values = new Float64Array(this.#pass.images * height * width * channels);
    for (let n = 0, to = 0; n < this.#pass.images; n++) {
      for (let oy = 0; oy < height; oy++) {
        for (let ox = 0; ox < width; ox++, to += channels) {
          for (let o = 0; o < channels; o++) values[to + o] = offsets[o];
          for (let ky = 0; ky < kh; ky++) {
            for (let kx = 0; kx < kw; kx++) {
              const [iy, ix] = [oy * stride + ky - pad, ox * stride + kx - pad];
              if (iy < 0 || iy >= x.height || ix < 0 || ix >= x.width) continue;
              const from = ((n * x.height + iy) * x.width + ix) * x.channels;
              for (let i = 0; i < x.channels; i++) {
                const w = ((ky * kw + kx) * x.channels + i) * channels;
                for (let o = 0; o < channels; o++) values[to + o] += x.values[from + i] * weights[w + o];
              }
            }
          }
        }
      }
    }
    return { height, width, channels, values };
  }

  #maxPool(x: Batch, size: number, stride: number): Batch {
    const height = Math.floor((x.height - size) / stride) + 1;
    const width = Math.floor((x.width - size) / stride) + 1;
    const values = new Float64Array(this.#pass.images * height * width * x.channels).fill(Number.NEGATIVE_INFINITY);
    for (let n = 0, to = 0; n < this.#pass.images; n++) {
      for (let oy = 0; oy < height; oy++) {
        for (let ox = 0; ox < width; ox++, to += x.channels) {
          for (let tap = 0; tap < size * size; tap++) {
            const [iy, ix] = [oy * stride + Math.floor(tap / size), ox * stride + (tap % size)];
            const from = ((n * x.height + iy) * x.width + ix) * x.channels;
            for (let c = 0; c < x.channels; c++) values[to + c] = Math.max(values[to + c], x.values[from + c]);
          }
        }
      }
    }
    return { height, width, channels: x.channels, values };
  }

  #averagePool(x: Batch): Batch {
    const pixels = x.height * x.width;
    const values = new Float64Array(this.#pass.images * x.channels);
    x.values.forEach((v, k) => {
      values[Math.floor(k / (pixels * x.channels)) * x.channels + (k % x.channels)] += v / pixels;
    });
    return { height: 1, width: 1, channels: x.channels, values };
  }

  #normalise(x: Batch): Batch {
    const gamma = this.#take(x.channels);
    const beta = this.#take(x.channels);
    const { mean, variance } = this.#pass.training ? moments(x) : this.#pass.statistics![this.#norms];
    this.#norms++;
    const values = x.values.map((v, k) => {
      const c = k % x.channels;
      return ((v - mean[c]) / Math.sqrt(variance[c] + 1e-5)) * gamma[c] + beta[c];
    });
    return { ...x, values };
  }

  #drop(x: Batch, rate: number, channels: boolean): Batch {
    const first = this.#dropouts++ * DROPOUT_BLOCKS;
    if (!this.#pass.training) return x;
    const { seed, round } = this.#pass;
    const pitch = Math.ceil(x.channels / 4) * 4;
    const words = new Uint32Array(4);
    const values = x.values.map((v, k) => {
      const pixel = Math.floor(k / x.channels);
      const row = channels ? Math.floor(pixel / (x.height * x.width)) : pixel;
      const m = row * pitch + (k % x.channels);
      block(seed, streams.dropout, round, first + 4 * Math.floor(m / 16) + (m % 4), words);
      return words[Math.floor((m % 16) / 4)] >= rate * 4294967296 ? v / (1 - rate) : 0;
    });
    return { ...x, values };
  }

  #normaliseRows(x: Batch): Batch {
    const { channels } = x;
    const gain = this.#take(channels);
    const values = new Float64Array(x.values.length);
    for (let from = 0; from < values.length; from += channels) {
      const row = x.values.subarray(from, from + channels);
      const mean = row.reduce((a, b) => a + b) / channels;
      const variance = row.reduce((sum, v) => sum + (v - mean) ** 2, 0) / channels;
      row.forEach((v, c) => {
        values[from + c] = (gain[c] * (v - mean)) / Math.sqrt(variance + 1e-5);
      });
    }
    return { ...x, values };
  }

  #attend(x: Batch, heads: number, dropout: number): Batch {
    const first = this.#dropouts++ * DROPOUT_BLOCKS;
    const { seed, round, training } = this.#pass;
    const length = x.height * x.width;
    const columns = Math.ceil(length / 8) * 8;
    const channels = x.channels / 3;
    const size = channels / heads;
    const values = new Float64Array(x.values.length / 3);
    const words = new Uint32Array(4);
    const scale = (m: number) => {
      if (!training || dropout === 0) return 1;
      block(seed, streams.dropout, round, first + 4 * Math.floor(m / 16) + (m % 4), words);
      return words[Math.floor((m % 16) / 4)] >= dropout * 4294967296 ? 1 / (1 - dropout) : 0;
    };
    for (let n = 0; n < this.#pass.images; n++) {
      for (let h = 0; h < heads; h++) {
        const at = (position: number, part: number) => ((n * length + position) * 3 + part) * channels + h * size;
        for (let i = 0; i < length; i++) {
          const weights = Array.from({ length: i + 1 }, (_, k) => {
            let dot = 0;
            for (let s = 0; s < size; s++) dot += x.values[at(i, 0) + s] * x.values[at(k, 1) + s];
            return Math.exp(dot / Math.sqrt(size));
          });
          const sum = weights.reduce((a, b) => a + b);
          weights.forEach((weight, k) => {
            const share = (weight / sum) * scale(((n * heads + h) * length + i) * columns + k);
            for (let s = 0; s < size; s++) {
              values[(n * length + i) * channels + h * size + s] += share * x.values[at(k, 2) + s];
            }
          });
        }
      }
    }
    return { ...x, channels, values };
  }

  /** What the shortcut adds to number k of y. */
  #shortcut(x: Batch, y: Batch, k: number): number {
    const stride = Math.round(x.height / y.height);
    const c = (k % y.channels) - Math.floor((y.channels - x.channels) / 2);
    if (c < 0 || c >= x.channels) return 0;
    const pixel = Math.floor(k / y.channels);
    const ox = pixel % y.width;
    const oy = Math.floor(pixel / y.width) % y.height;
    const n = Math.floor(pixel / (y.width * y.height));
    return x.values[((n * x.height + oy * stride) * x.width + ox * stride) * x.channels + c];
  }
}

/** Rows of a table by the tokens of x. */
function looked(x: Batch, table: readonly number[], units: number): Batch {
  const values = Float64Array.from({ length: x.values.length * units }, (_, k) => {
    return table[x.values[Math.floor(k / units)] * units + (k % units)];
  });
  return { ...x, channels: units, values };
}

/** Phi(x) = 1/2 + (x + x^3/3 + x^5/(3 5) + ...) phi(x): the series of positive terms. */
export function normalDistribution(x: number): number {
  let sum = 0;
  for (let term = x, k = 1; Math.abs(term) > 1e-17 * Math.abs(sum); term *= (x * x) / (2 * k + 1), k++) sum += term;
  return 0.5 + (sum * Math.exp(-0.5 * x * x)) / Math.sqrt(2 * Math.PI);
}

function clip(relu: boolean | undefined, x: Batch): Batch {
  return relu ? { ...x, values: x.values.map((v) => Math.max(0, v)) } : x;
}

/** Mean and biased variance of every channel. */
function moments(x: Batch): { mean: Float64Array; variance: Float64Array } {
  const count = x.values.length / x.channels;
  const mean = new Float64Array(x.channels);
  const variance = new Float64Array(x.channels);
  x.values.forEach((v, k) => {
    mean[k % x.channels] += v / count;
  });
  x.values.forEach((v, k) => {
    variance[k % x.channels] += (v - mean[k % x.channels]) ** 2 / count;
  });
  return { mean, variance };
}

/** PyTorch's nll_loss(log_softmax(logits, dim), labels): dim 1 are the classes, dim 0 the batch. */
export function referenceLoss(logits: ArrayLike<number>, labels: ArrayLike<number>, axis: SoftmaxAxis): number {
  const batch = labels.length;
  const classes = logits.length / batch;
  let loss = 0;
  for (let n = 0; n < batch; n++) {
    let sum = 0;
    if (axis === "classes") for (let c = 0; c < classes; c++) sum += Math.exp(logits[n * classes + c]);
    else for (let m = 0; m < batch; m++) sum += Math.exp(logits[m * classes + labels[n]]);
    loss += Math.log(sum) - logits[n * classes + labels[n]];
  }
  return loss / batch;
}
