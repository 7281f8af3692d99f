/** y = x W at every pixel by itself, without a shift. */

import { option } from "equitopo/internal/input";
import { pitchOf } from "../../kernel/kernels.ts";
import { bare, defineLayer } from "../layer.ts";
import { rowProducts } from "./row-products.ts";

export const linear = defineLayer({
  name: "linear",
  summary: "every output of a pixel from every input of this pixel",
  options: {
    units: option.required(option.whole(1, 1)),
    deviation: option.about(option.positive(0.02), "of the weights that it begins with"),
  },
  build({ units, deviation }, input) {
    const output = { ...input, channels: units, pitch: pitchOf(units) };
    const product = rowProducts(input, output);
    return {
      ...{ ...bare, output, scratchBytes: product.scratchBytes },
      parameters: [
        { name: "weight", shape: [input.channels, units], fanIn: input.channels, start: "normal", deviation },
      ],
      forward: (pass, { x, y, parameters, scratch }) => product.forward(pass, x, parameters, y, scratch),
      backward(pass, { x, dy, dx, parameters, gradient, scratch }) {
        product.weightGradient(pass, x, dy, gradient, scratch);
        if (dx !== 0) product.inputGradient(pass, dy, parameters, dx, scratch);
      },
    };
  },
});
