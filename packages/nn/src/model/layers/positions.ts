/** y = x + P: every position (pixel) of a text has a row of its own, which is learned. */

import { option } from "equitopo/internal/input";
import { bare, defineLayer, requireWhole } from "../layer.ts";

export const positions = defineLayer({
  name: "positions",
  summary: "adds a row of numbers of its own to every position",
  options: { deviation: option.about(option.positive(0.02), "of the numbers that it begins with") },
  build({ deviation }, input) {
    requireWhole("positions", input);
    const count = input.height * input.width;
    const size = count * input.channels;
    return {
      ...{ ...bare, output: input },
      parameters: [{ name: "weight", shape: [count, input.channels], fanIn: 1, start: "normal", deviation }],
      forward({ call, images }, { x, y, parameters }) {
        for (let n = 0; n < images; n++) call.addRows(x + 4 * n * size, parameters, y + 4 * n * size, size, 0);
      },
      backward({ call, images }, { dy, dx, gradient }) {
        call.columnSums(dy, images, size, size, gradient);
        if (dx !== 0) call.copyRows(dy, size, dx, size, size, images);
      },
    };
  },
});
