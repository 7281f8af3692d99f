/** Max-pooling over windows (the first of equals takes the gradient), and the mean over all pixels. */

import { InputError, option, type Values } from "equitopo/internal/input";
import { type Activation, bare, defineLayer, type Layer, numbers } from "../layer.ts";

/** The stride is the size where it is left out. */
const options = { size: option.whole(2, 1), stride: option.optional(option.whole(2, 1)), relu: option.flag() };

export const maxPool = defineLayer({
  ...{ name: "max-pool", summary: "the largest of every window", options },
  build: buildMaxPool,
});

function buildMaxPool({ size, stride = size, relu }: Values<typeof options>, input: Activation): Layer {
  const { height, width, channels, pitch } = input;
  const oh = Math.floor((height - size) / stride) + 1;
  const ow = Math.floor((width - size) / stride) + 1;
  if (!(oh >= 1 && ow >= 1)) {
    const rule = `max-pooling by ${size} needs images of at least ${size} x ${size}`;
    throw new InputError(rule, `${height} x ${width}`, "use a smaller window or larger images");
  }
  const output = { height: oh, width: ow, channels, pitch };
  const window = [height, width, pitch, size, stride] as const;
  return {
    ...{ ...bare, output, readsOutput: true },
    savedBytes: (images) => 4 * numbers(output, images),
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
  build(_options, { height, width, channels, pitch }) {
    const pixels = height * width;
    return {
      ...{ ...bare, output: { height: 1, width: 1, channels, pitch } },
      forward: ({ call, images }, { x, y }) => call.averagePool(x, images, pixels, pitch, y),
      backward({ call, images }, { dy, dx }) {
        if (dx !== 0) call.averagePoolGradient(dy, images, pixels, pitch, dx);
      },
    };
  },
});
