/** y = x Phi(x), Phi the normal distribution function (Hendrycks and Gimpel 2016): GELU without the tanh. */

import { bare, defineLayer, numbers } from "../layer.ts";

export const gelu = defineLayer({
  name: "gelu",
  summary: "x times the chance that a normal number is below x",
  options: {},
  build: (_options, input) => ({
    ...{ ...bare, output: input },
    forward: ({ call, images }, { x, y }) => call.gelu(x, y, numbers(input, images)),
    backward({ call, images }, { x, dy, dx }) {
      if (dx !== 0) call.geluGradient(x, dy, dx, numbers(input, images));
    },
  }),
});
