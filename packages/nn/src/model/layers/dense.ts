/** y = b + x W over the flattened image (height, width, channels): a 1 x 1 convolution whose pixels are the batch. */

import { option } from "equitopo/input";
import { convolveScratch, pitchOf } from "../../kernel/kernels.ts";
import { type Activation, defineLayer, type Layer, type Pass } from "../layer.ts";

export const dense = defineLayer({
  name: "dense",
  summary: "every output from every input",
  options: { units: option.required(option.whole(1, 1)), relu: option.flag() },
  packed: true,
  build,
});

function build({ units, relu }: { readonly units: number; readonly relu: boolean }, input: Activation): Layer {
  const pixels = input.height * input.width;
  const size = pixels * input.channels;
  // Padded channels of several pixels leave holes in the flattened row: then it is copied without them.
  const holes = pixels > 1 && input.pitch !== input.channels;
  const pitch = holes ? pitchOf(size) : pixels * input.pitch;
  const output = { height: 1, width: 1, channels: units, pitch: pitchOf(units) };
  const weights = 4 * size * units;
  const geometry = (images: number) => ({
    ...{ h: 1, w: images, pitch, ic: size, pad: 0, stride: 1, kh: 1, kw: 1 },
    ...{ oh: 1, ow: images, oc: units, outPitch: output.pitch },
  });
  const image = (images: number) => [1, images, pitch, size, 0, 1, 1, 1] as const;
  const out = (images: number) => [1, images, units, output.pitch] as const;
  const row = 4 * pixels * input.pitch;

  function flatten({ call, images }: Pass, x: number, to: number): void {
    for (let n = 0; n < images; n++) {
      call.copyRows(x + n * row, input.pitch, to + 4 * n * pitch, input.channels, input.channels, pixels);
    }
  }

  return {
    output,
    parameters: [
      { name: "weight", shape: [size, units], fanIn: size, start: "uniform" },
      { name: "bias", shape: [units], fanIn: size, start: "uniform" },
    ],
    statistics: 0,
    readsOutput: relu,
    savedBytes: (images) => (holes ? 4 * images * pitch : 0),
    scratchBytes: (images) =>
      convolveScratch(geometry(images)) + 4 * images * (relu ? output.pitch : 0) + 4 * images * (holes ? pitch : 0),
    forward(pass, { x, y, parameters, saved, scratch }) {
      const { call, images } = pass;
      if (holes) flatten(pass, x, saved);
      const from = holes ? saved : x;
      const bias = parameters + weights;
      call.convolve(from, 1, ...image(images), parameters, bias, y, ...out(images), relu ? 1 : 0, scratch);
    },
    backward({ call, images }, { x, y, dy, dx, parameters, saved, gradient, scratch }) {
      let g = dy;
      let free = scratch;
      if (relu) {
        call.reluGradient(y, dy, scratch, images * output.pitch);
        g = scratch;
        free += 4 * images * output.pitch;
      }
      call.convolveWeightGradient(holes ? saved : x, 1, ...image(images), g, gradient, ...out(images), free);
      call.columnSums(g, images, output.pitch, units, gradient + weights);
      if (dx === 0) return;
      const to = holes ? free : dx;
      if (holes) free += 4 * images * pitch;
      call.convolveInputGradient(g, 1, ...image(images), parameters, to, ...out(images), free);
      if (!holes) return;
      call.fill(dx, images * row, 0);
      for (let n = 0; n < images; n++) {
        call.copyRows(to + 4 * n * pitch, input.channels, dx + n * row, input.pitch, input.channels, pixels);
      }
    },
  };
}
