/**
 * What becomes of a convolution's sums before they are stored, and what its batch norm wants to know of them: two sums over
 * all pixels, `first` of the numbers themselves, `second` of the numbers times something.
 *   forward:  y as it is; sums of y and of y^2, for mean and variance;
 *   back:     g, with what a block's shortcut hands back, where the ReLU let something pass; sums of g and of g (y - mean).
 * A thread has four channels; its numbers are named by k.
 */

import { type Binding, reads } from "../device/program.ts";
import { gradientOf, type Norms, type Value } from "../shader/value.ts";
import type { Matrices } from "./matrix.ts";
import { component, fourEntries } from "./reader.ts";

export interface Spot {
  /** The quad of the target that is stored. */
  readonly index: string;
  /** The pixel of the grid (layout.ts), and which of its pixels of the target this is. */
  readonly y: string;
  readonly x: string;
  readonly parity: number;
}

export interface Finish {
  readonly bindings: readonly Binding[];
  /** Once a thread: entry `entry` of the tables is the first of its channels. */
  prepare(entry: string): string;
  /** Reads what number k needs, before there is a sum. */
  load(k: string, spot: Spot): string;
  value(k: string, sum: string): string;
  second(k: string, v: string): string;
}

export const finishForward: Finish = {
  bindings: [],
  prepare: () => "",
  load: () => "",
  value: (_k, sum) => sum,
  second: (_k, v) => v,
};

/** A value of halves; the sum of a block knows the value with batch norm that is in it. */
export interface HalfValue extends Value {
  /** Where batch norm's y is: here, or in the block's last layer. */
  readonly normed?: Value;
  /** Whether it is in float32: what the mean over all pixels left. */
  readonly pooled?: true;
}

export const normOf = (value: HalfValue): Value => value.normed ?? value;

export interface Above {
  /** The sum of the block whose input this is. */
  readonly block: HalfValue;
  readonly batch: number;
}

/** The gradient of `x`; where a block begins, `above` is its sum. */
export function finishBack(x: HalfValue, above: Above | undefined, { norms }: Norms, { half }: Matrices): Finish {
  const quad = `vec4<${half}>`;
  const own = x.normed === undefined;
  const block = above === undefined ? {} : { above: gradientOf(above.block) };
  return {
    bindings: [
      ...[...reads(quad, { finishY: normOf(x).y }), ...reads("vec4f", { finishNorms: norms })],
      ...reads(quad, { ...(own ? {} : { finishH: x.y }), ...block }),
    ],
    prepare: (entry) => `${fourEntries("finishN", "finishNorms", entry)}  let finishMean = ${component("finishN", "x")};
  let finishA = ${component("finishN", "y")};
  let finishB = ${component("finishN", "z")} - finishMean * finishA;
`,
    load: (k, spot) =>
      `  let y${k} = finishY[${spot.index}];\n` +
      `${own ? "" : `  let h${k} = finishH[${spot.index}];\n`}` +
      (above === undefined ? "" : `  let above${k} = ${handedBack(x, above, spot, quad)};\n`),
    value: (k, sum) => {
      const all = above === undefined ? sum : `${sum} + vec4f(above${k})`;
      const seen = own ? `fma(vec4f(y${k}), finishA, finishB)` : `vec4f(h${k})`;
      return `select(vec4f(), ${all}, ${seen} > vec4f())`;
    },
    second: (k) => `(vec4f(y${k}) - finishMean)`,
  };
}

/** What the shortcut of a block hands back to a pixel of its input. */
function handedBack(x: HalfValue, { block, batch }: Above, { index, y, x: column, parity }: Spot, quad: string) {
  const { shape } = block;
  if (shape.channels === x.shape.channels) return `above[${index}]`;
  // Every second pixel, its channels moved up by half of what is new.
  if (parity !== 0) return `${quad}()`;
  const front = (shape.channels - x.shape.channels) / 2;
  return `above[(((replica * ${batch}u + which) * ${shape.height}u + ${y}) * ${shape.width}u + ${column}) * ${shape.channels / 4}u + (mine + ${front}u) / 4u]`;
}
