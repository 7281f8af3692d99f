/** y = b + x W over the flattened image (height, width, channels). */

import { option } from "equitopo/input";
import { pitchOf } from "../../kernel/kernels.ts";
import { type Activation, bare, defineLayer, type Layer } from "../layer.ts";
import { correlation } from "./correlation.ts";

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
  const product = correlation(
    (images) => ({
      ...{ images: 1, h: 1, w: images, pitch, ic: size, pad: 0, stride: 1, kh: 1, kw: 1 },
      ...{ oh: 1, ow: images, oc: units, outPitch: output.pitch },
    }),
    { bias: true, relu },
  );
  const row = 4 * pixels * input.pitch;
  const { channels } = input;
  const flatBytes = (images: number) => (holes ? 4 * images * pitch : 0);
  return {
    ...{ ...bare, output, readsOutput: relu },
    parameters: [
      { name: "weight", shape: [size, units], fanIn: size, start: "uniform" },
      { name: "bias", shape: [units], fanIn: size, start: "uniform" },
    ],
    savedBytes: flatBytes,
    scratchBytes: (images) => product.scratchBytes(images) + flatBytes(images),
    forward(pass, at) {
      if (!holes) return product.forward(pass, at);
      for (let n = 0; n < pass.images; n++) {
        pass.call.copyRows(at.x + n * row, input.pitch, at.saved + 4 * n * pitch, channels, channels, pixels);
      }
      product.forward(pass, { ...at, x: at.saved });
    },
    backward(pass, at) {
      if (!holes) return product.backward(pass, at);
      const { images, call, memory } = pass;
      const { dx, saved, scratch } = at;
      product.backward(pass, { ...at, x: saved, dx: dx && scratch, scratch: scratch + flatBytes(images) });
      if (dx === 0) return;
      new Uint8Array(memory, dx, images * row).fill(0);
      for (let n = 0; n < images; n++) {
        call.copyRows(scratch + 4 * n * pitch, channels, dx + n * row, input.pitch, channels, pixels);
      }
    },
  };
}
