/** ReLU by itself, and dropout. */

import { option } from "equitopo/input";
import { high32, streams } from "equitopo/internal/random";
import { type Activation, bare, defineLayer, type Layer, numbers, type Pass } from "../layer.ts";

export const relu = defineLayer({
  name: "relu",
  summary: "max(0, x)",
  options: {},
  build: (_options, input) => ({
    ...{ ...bare, output: input, readsOutput: true },
    forward: ({ call, images }, { x, y }) => call.relu(x, y, numbers(input, images)),
    backward({ call, images }, { y, dy, dx }) {
      if (dx !== 0) call.reluGradient(y, dy, dx, numbers(input, images));
    },
  }),
});

/** Blocks of the dropout stream that each dropout layer of a network has to itself. */
export const DROPOUT_BLOCKS = 2 ** 24;

export const dropout = defineLayer({
  name: "dropout",
  summary: "in training every number, or every channel of an image, is 0 with probability `rate`",
  options: { rate: option.share(0.5), of: option.word("numbers", "channels") },
  build: (options, input, building) => drop(options, input, building.dropouts++),
});

/** Bytes of a mask of so many numbers, in whole groups of 16. */
export const maskBytes = (count: number): number => 64 * Math.ceil(count / 16);

/**
 * Number 16 g + 4 w + l of the mask is word w of block 4 g + l of (seed, streams.dropout, round), counted from
 * DROPOUT_BLOCKS `ordinal` on: kept where the word is at least rate 2^32.
 */
export function drawMask(
  { call, seed, round }: Pass,
  mask: number,
  count: number,
  rate: number,
  ordinal: number,
): void {
  const [threshold, scale] = [(rate * 4294967296) | 0, 1 / (1 - rate)];
  const key = [seed | 0, high32(seed), streams.dropout, round | 0, high32(round)] as const;
  call.dropoutMask(mask, Math.ceil(count / 16), threshold, scale, (ordinal * DROPOUT_BLOCKS) | 0, ...key);
}

function drop(
  { rate, of }: { readonly rate: number; readonly of: "numbers" | "channels" },
  input: Activation,
  ordinal: number,
): Layer {
  const channels = of === "channels";
  const pixels = input.height * input.width;
  const maskNumbers = (images: number) => (channels ? images * input.pitch : numbers(input, images));

  function apply({ call, images }: Pass, from: number, mask: number, to: number): void {
    if (channels) call.scaleColumns(from, mask, to, images, pixels, input.pitch);
    else call.multiply(from, mask, to, numbers(input, images));
  }

  return {
    ...{ ...bare, output: input },
    savedBytes: (images) => maskBytes(maskNumbers(images)),
    forward(pass, { x, y, saved }) {
      const { call, images, training } = pass;
      if (!training) {
        call.copyRows(x, 1, y, 1, 1, numbers(input, images));
        return;
      }
      drawMask(pass, saved, maskNumbers(images), rate, ordinal);
      apply(pass, x, saved, y);
    },
    backward(pass, { dy, dx, saved }) {
      if (dx !== 0) apply(pass, dy, saved, dx);
    },
  };
}
