/** y = x W at every pixel by itself, without a shift. */

import { option } from "equitopo/internal/input";
import { pitchOf } from "../../kernel/kernels.ts";
import { bare, defineLayer } from "../layer.ts";
import { correlation } from "./correlation.ts";

export const linear = defineLayer({
  name: "linear",
  summary: "every output of a pixel from every input of this pixel",
  options: {
    units: option.required(option.whole(1, 1)),
    deviation: option.about(option.positive(0.02), "of the weights that it begins with"),
  },
  build({ units, deviation }, input) {
    const { height, width, channels, pitch } = input;
    const output = { ...input, channels: units, pitch: pitchOf(units) };
    // All pixels of a batch are one image, in lines of which a few fit the first-level cache.
    const geometry = (images: number) => {
      const pixels = images * height * width;
      let w = Math.max(1, Math.min(pixels, Math.floor(4096 / (pitch + output.pitch))));
      while (pixels % w !== 0) w--;
      const size = { h: pixels / w, w, oh: pixels / w, ow: w };
      return {
        ...size,
        images: 1,
        pitch,
        ic: channels,
        pad: 0,
        stride: 1,
        kh: 1,
        kw: 1,
        oc: units,
        outPitch: output.pitch,
      };
    };
    return {
      ...{ ...bare, output },
      ...correlation(geometry, { bias: false, relu: false }),
      parameters: [{ name: "weight", shape: [channels, units], fanIn: channels, start: "normal", deviation }],
    };
  },
});
