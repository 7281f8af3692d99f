/**
 * Images that the project draws itself, so that examples and tests need no download: ten glyphs of 5 x 7 cells, three
 * pixels a cell, shifted, leaning, of varying contrast and with noise; in one channel or, in random colours, in three.
 * Image k is a function of (seed, k): any range of k makes a set of its own.
 */

import { integer, type Option, option, real } from "equitopo/internal/input";
import { fillNormal, RandomStream, streams } from "equitopo/internal/random";
import type { Dataset } from "./dataset.ts";
import { defineData } from "./member.ts";

export interface SyntheticOptions {
  /** How many, or which. */
  readonly count: number | Int32Array;
  readonly seed: number;
  /** The number of the first one; default 0. A test set begins where the training set ends. */
  readonly first?: number;
  /** Height and width; default 28. */
  readonly size?: number;
  /** 1 (default) or 3. */
  readonly channels?: 1 | 3;
  /** The deviation of the noise, as a fraction of full contrast; default 0.15. */
  readonly noise?: number;
}

/** One number a row of five cells, the leftmost the highest bit. */
const glyphs = [
  [14, 17, 19, 21, 25, 17, 14],
  [4, 12, 4, 4, 4, 4, 14],
  [14, 17, 1, 2, 4, 8, 31],
  [31, 2, 4, 2, 1, 17, 14],
  [2, 6, 10, 18, 31, 2, 2],
  [31, 16, 30, 1, 1, 17, 14],
  [6, 8, 16, 30, 17, 17, 14],
  [31, 1, 2, 4, 8, 8, 8],
  [14, 17, 17, 14, 17, 17, 14],
  [14, 17, 17, 15, 1, 2, 12],
];

/**
 * `count` labelled images of ten classes.
 *
 * @example
 * ```ts
 * import { syntheticImages } from "@equitopo/nn";
 * const data = syntheticImages({ count: 100, seed: 1 });
 * data.images.length // => 78400
 * ```
 */
export function syntheticImages(options: SyntheticOptions): Dataset {
  const { count: wanted } = options;
  const count = typeof wanted === "number" ? integer("the number of images", wanted, 1) : wanted.length;
  const number = (k: number) => (options.first ?? 0) + (typeof wanted === "number" ? k : wanted[k]);
  const size = integer("the size of images", options.size ?? 28, 24, 256);
  const noise = real("noise", options.noise ?? 0.15, { min: 0, max: 10 }, 0.15);
  const { seed, channels = 1 } = options;
  const pixels = size * size;
  const images = new Uint8Array(count * pixels * channels);
  const labels = new Uint8Array(count);
  const stream = new RandomStream(seed, streams.synthetic);
  const grain = new Float32Array(pixels * channels);
  for (let k = 0; k < count; k++) {
    // Even rounds hold the choices, odd ones the noise.
    stream.at(2 * number(k));
    const glyph = stream.below(glyphs.length);
    labels[k] = glyph;
    const room = size - 22;
    const [top, left] = [stream.below(room), 2 + stream.below(room)];
    const lean = (stream.uniform() - 0.5) * 0.4;
    const ink = Array.from({ length: channels }, () => 0.5 + 0.5 * stream.uniform());
    const paper = channels === 1 ? [0] : ink.map((level) => level * 0.7 * stream.uniform());
    fillNormal(grain, seed, streams.synthetic, 2 * number(k) + 1);
    for (let y = 0, p = 0; y < size; y++) {
      for (let x = 0; x < size; x++, p++) {
        const row = Math.floor((y - top) / 3);
        const column = Math.floor((x - left - lean * (10 - (y - top))) / 3);
        const drawn =
          row >= 0 && row < 7 && column >= 0 && column < 5 && ((glyphs[glyph][row] >> (4 - column)) & 1) === 1;
        for (let c = 0; c < channels; c++) {
          const at = p * channels + c;
          const level = (drawn ? ink[c] : paper[c]) + noise * grain[at];
          images[k * pixels * channels + at] = Math.max(0, Math.min(255, Math.round(255 * level)));
        }
      }
    }
  }
  return { name: "synthetic", shape: { height: size, width: size, channels }, classes: 10, count, images, labels };
}

/** The label of every image up to `count`, without drawing it. */
function syntheticLabels(count: number, seed: number): Uint8Array {
  const stream = new RandomStream(seed, streams.synthetic);
  return Uint8Array.from({ length: count }, (_, k) => stream.at(2 * k).below(glyphs.length));
}

const colours: Option<1 | 3> = {
  default: 1,
  range: "1, 3",
  check: (name, value) => (value === 3 ? 3 : (integer(name, value, 1, 1) as 1)),
};

export const synthetic = defineData({
  name: "synthetic",
  summary: "ten glyphs that are drawn here, 4000 images and 1000 for the test: no files",
  options: { size: option.whole(28, 24, 256), channels: colours, noise: option.number(0.15, { min: 0, max: 10 }) },
  defaults: {
    ...{ model: "perceptron", batch: 16, weightDecay: 0 },
    ...{ epochs: 5, momentum: 0.5, learningRate: () => 0.05 },
  },
  open(options, { seed, images: count = 4000, tests = 1000 }) {
    const { size, channels } = options;
    return {
      ...{ shape: { height: size, width: size, channels }, classes: glyphs.length, count },
      labels: () => syntheticLabels(count, seed),
      train: (index) => syntheticImages({ ...options, count: index ?? count, seed }),
      test: () => syntheticImages({ ...options, count: tests, first: count, seed }),
    };
  },
});
