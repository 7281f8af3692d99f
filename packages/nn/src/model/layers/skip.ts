/** y = x + layers(x): a residual block without a ReLU. */

import { InputError } from "equitopo/internal/input";
import { vectorBytes } from "../../kernel/kernels.ts";
import { activationBytes, defineLayer, type Layer, numbers, type Place } from "../layer.ts";
import { layerList } from "./residual.ts";

export const skip = defineLayer({
  name: "skip",
  summary: "x + layers(x)",
  options: { layers: layerList },
  build({ layers }, input, building): Layer {
    const main = building.stack(layers, input);
    const sizes = [input, main.output].map((one) => `${one.height} x ${one.width} x ${one.channels}`);
    if (sizes[0] !== sizes[1] || input.pitch !== main.output.pitch) {
      throw new InputError(`the layers of a skip keep ${sizes[0]}`, sizes[1], "end with as many units as they read");
    }
    // Most last layers do not look at their output again, and the sum may take its place.
    const apart = (images: number) => (main.readsOutput ? activationBytes(input, images) : 0);
    const place = (images: number, at: Place): Place =>
      main.readsOutput ? { ...at, y: at.saved, saved: at.saved + apart(images) } : at;
    return {
      ...{ ...main, readsOutput: false },
      savedBytes: (images) => apart(images) + vectorBytes(main.savedBytes(images)),
      forward(pass, at) {
        const inner = place(pass.images, at);
        main.forward(pass, inner);
        pass.call.addRows(inner.y, at.x, at.y, numbers(input, pass.images), 0);
      },
      backward(pass, at) {
        main.backward(pass, { ...at, ...place(pass.images, at) });
        if (at.dx !== 0) pass.call.addRows(at.dx, at.dy, at.dx, numbers(input, pass.images), 0);
      },
    };
  },
});
