/** y = gain (x - mean) / sqrt(variance + 1e-5) at every pixel by itself, mean and variance over its channels (Ba et al. 2016). */

import { bare, defineLayer, numbers, requireWhole } from "../layer.ts";

const EPSILON = 1e-5;

export const layerNorm = defineLayer({
  name: "layer-norm",
  summary: "normalises every pixel over its channels",
  options: {},
  build(_options, input) {
    requireWhole("layer-norm", input);
    const { channels } = input;
    const rows = (images: number) => numbers(input, images) / channels;
    return {
      ...{ ...bare, output: input },
      parameters: [{ name: "weight", shape: [channels], fanIn: 1, start: "ones" }],
      savedBytes: (images) => 8 * rows(images),
      forward({ call, images }, { x, y, parameters, saved }) {
        call.layerNorm(x, parameters, EPSILON, rows(images), channels, saved, y);
      },
      backward({ call, images }, { x, dy, dx, parameters, saved, gradient }) {
        call.layerNormGradient(x, dy, parameters, saved, rows(images), channels, dx, gradient);
      },
    };
  },
});
