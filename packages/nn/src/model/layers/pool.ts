/** Max-pooling over windows (the first of equals takes the gradient), and the mean over all pixels. */

import { InputError, option } from "equitopo/input";
import { type Activation, defineLayer, type Layer, numbers } from "../layer.ts";

export const maxPool = defineLayer({
  name: "max-pool",
  summary: "the largest of every window",
  options: { size: option.whole(2, 1), stride: option.optional(option.whole(2, 1)), relu: option.flag() },
  build: buildMaxPool,
});

interface MaxPoolOptions {
  readonly size: number;
  /** Default the size. */
  readonly stride?: number;
  readonly relu: boolean;
}

function buildMaxPool({ size, stride = size, relu }: MaxPoolOptions, input: Activation): Layer {
  const { height, width, channels, pitch } = input;
  const oh = Math.floor((height - size) / stride) + 1;
  const ow = Math.floor((width - size) / stride) + 1;
  if (!(oh >= 1 && ow >= 1)) {
    throw new InputError(
      `max-pooling by ${size} needs images of at least ${size} x ${size}`,
      `${height} x ${width}`,
      "use a smaller window or larger images",
    );
  }
  const output = { height: oh, width: ow, channels, pitch };
  const window = [height, width, pitch, size, stride] as const;
  return {
    output,
    parameters: [],
    statistics: 0,
    readsOutput: true,
    savedBytes: (images) => 4 * numbers(output, images),
    scratchBytes: () => 0,
    forward: ({ call, images }, { x, y, saved }) => call.maxPool(x, images, ...window, y, saved, oh, ow, relu ? 1 : 0),
    backward({ call, images }, { y, dy, dx, saved }) {
      if (dx !== 0) call.maxPoolGradient(dy, y, saved, images, ...window, dx, oh, ow, relu ? 1 : 0);
    },
  };
}

export const averagePool = defineLayer({
  name: "average-pool",
  summary: "the mean over all pixels",
  options: {},
  build: (_options, input) => buildAveragePool(input),
});

function buildAveragePool(input: Activation): Layer {
  const pixels = input.height * input.width;
  return {
    output: { height: 1, width: 1, channels: input.channels, pitch: input.pitch },
    parameters: [],
    statistics: 0,
    readsOutput: false,
    savedBytes: () => 0,
    scratchBytes: () => 0,
    forward: ({ call, images }, { x, y }) => call.averagePool(x, images, pixels, input.pitch, y),
    backward({ call, images }, { dy, dx }) {
      if (dx !== 0) call.averagePoolGradient(dy, images, pixels, input.pitch, dx);
    },
  };
}
