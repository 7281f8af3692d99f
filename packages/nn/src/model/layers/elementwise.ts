/** ReLU by itself, and dropout. */

import { real } from "equitopo/input";
import { vectorBytes } from "../../kernel/kernels.ts";
import { high32 } from "equitopo/random";
import { streams } from "equitopo/random";
import { type Activation, type Layer, numbers, type Pass } from "../layer.ts";
import type { LayerSpec } from "../spec.ts";

export function relu(input: Activation): Layer {
  return {
    output: input,
    parameters: [],
    statistics: 0,
    savedBytes: () => 0,
    scratchBytes: () => 0,
    forward: ({ call, images }, { x, y }) => call.relu(x, y, numbers(input, images)),
    backward({ call, images }, { y, dy, dx }) {
      if (dx !== 0) call.reluGradient(y, dy, dx, numbers(input, images));
    },
  };
}

/** Blocks of the dropout stream that each dropout layer of a network has to itself. */
export const DROPOUT_BLOCKS = 2 ** 24;

/**
 * Number 16 g + 4 w + l of the mask is word w of block 4 g + l of (seed, streams.dropout, round), counted from
 * DROPOUT_BLOCKS `ordinal` on: kept where the word is at least rate 2^32.
 */
export function dropout(spec: LayerSpec & { kind: "dropout" }, input: Activation, ordinal: number): Layer {
  const rate = real("the dropout rate", spec.rate, { min: 0, max: 1, open: "max" }, 0.5);
  const channels = spec.of === "channels";
  const pixels = input.height * input.width;
  const maskNumbers = (images: number) => (channels ? images * input.pitch : numbers(input, images));

  function apply({ call, images }: Pass, from: number, mask: number, to: number): void {
    if (channels) call.scaleColumns(from, mask, to, images, pixels, input.pitch);
    else call.multiply(from, mask, to, numbers(input, images));
  }

  return {
    output: input,
    parameters: [],
    statistics: 0,
    savedBytes: (images) => vectorBytes(4 * Math.ceil(maskNumbers(images) / 16) * 16),
    scratchBytes: () => 0,
    forward(pass, { x, y, saved }) {
      const { call, images, training, seed, round } = pass;
      if (!training) {
        call.copyRows(x, 1, y, 1, 1, numbers(input, images));
        return;
      }
      const groups = Math.ceil(maskNumbers(images) / 16);
      const [threshold, scale] = [(rate * 4294967296) | 0, 1 / (1 - rate)];
      const key = [seed | 0, high32(seed), streams.dropout, round | 0, high32(round)] as const;
      call.dropoutMask(saved, groups, threshold, scale, (ordinal * DROPOUT_BLOCKS) | 0, ...key);
      apply(pass, x, saved, y);
    },
    backward(pass, { dy, dx, saved }) {
      if (dx !== 0) apply(pass, dy, saved, dx);
    },
  };
}
