/**
 * How images enter a network: normalised, and for CIFAR-10 augmented as in the paper (Appendix D.3): 4 pixels of padding
 * on every side, a random horizontal flip, a random crop of the image's size. What happens to image k of a batch is a
 * function of (seed, round, k).
 */

import { block, streams } from "equitopo/random";
import type { Dataset, Normalisation } from "./dataset.ts";

export interface Augmentation {
  /** Black pixels on every side before the crop; the paper's 4. */
  readonly pad: number;
  readonly flip: boolean;
  readonly seed: number;
}

export interface BatchOptions {
  readonly normalisation?: Normalisation;
  readonly augmentation?: Augmentation;
  /** Numbers from one pixel to the next; default the channels. */
  readonly pitch?: number;
}

/** Image index[k] of the data set becomes image k of the batch; `round` (augmentation) is one number per iteration and node. */
export type BatchFiller = (index: ArrayLike<number>, images: Float32Array, labels: Int32Array, round?: number) => void;

/**
 * A function that copies images into a network's batch. One multiplication and one addition a number.
 *
 * @example
 * ```ts
 * import { batchFiller } from "@equitopo/nn";
 * const shape = { height: 1, width: 2, channels: 1 };
 * const bytes = Uint8Array.of(0, 255, 51, 102);
 * const data = { name: "two", shape, classes: 2, count: 2, images: bytes, labels: Uint8Array.of(1, 0) };
 * const images = new Float32Array(2);
 * batchFiller(data, { normalisation: { mean: [0.5], deviation: [0.5] } })([1], images, new Int32Array(1));
 * images[0].toFixed(3) // => "-0.600"
 * ```
 */
export function batchFiller(data: Dataset, options: BatchOptions = {}): BatchFiller {
  const { normalisation, augmentation, pitch = data.shape.channels } = options;
  const { height, width, channels } = data.shape;
  const unit = data.images instanceof Uint8Array ? 1 / 255 : 1;
  const deviation = (c: number) => normalisation?.deviation[c] ?? 1;
  const scale = Float64Array.from({ length: channels }, (_, c) => unit / deviation(c));
  const shift = Float64Array.from({ length: channels }, (_, c) => -(normalisation?.mean[c] ?? 0) / deviation(c));
  const words = new Uint32Array(4);

  function copy(image: number, images: Float32Array, start: number, top: number, left: number, flip: boolean): void {
    let to = start;
    for (let y = 0; y < height; y++) {
      const line = y + top;
      const inside = line >= 0 && line < height;
      for (let x = 0; x < width; x++, to += pitch) {
        const column = left + (flip ? width - 1 - x : x);
        if (inside && column >= 0 && column < width) {
          const from = ((image * height + line) * width + column) * channels;
          for (let c = 0; c < channels; c++) images[to + c] = data.images[from + c] * scale[c] + shift[c];
        } else {
          for (let c = 0; c < channels; c++) images[to + c] = shift[c];
        }
      }
    }
  }

  return (index, images, labels, round = 0) => {
    for (let k = 0; k < index.length; k++) {
      labels[k] = data.labels[index[k]];
      const start = k * height * width * pitch;
      if (augmentation === undefined) {
        copy(index[k], images, start, 0, 0, false);
        continue;
      }
      const { pad, flip, seed } = augmentation;
      block(seed, streams.augmentation, round, k, words);
      const offset = (word: number) => Math.floor((word / 4294967296) * (2 * pad + 1)) - pad;
      copy(index[k], images, start, offset(words[0]), offset(words[1]), flip && words[2] >= 2147483648);
    }
  };
}
