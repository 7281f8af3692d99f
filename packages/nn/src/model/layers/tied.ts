/**
 * A network of tokens whose first and last layer share one table E: y = h E', h = layers(E[x]), a score for every token of
 * the vocabulary at every position (Press and Wolf 2017). The gradient of E is the sum of both uses.
 */

import { InputError } from "equitopo/internal/input";
import { pitchOf } from "../../kernel/kernels.ts";
import { activationBytes, defineLayer, type Layer, type Place } from "../layer.ts";
import { tableOf, tableOptions } from "./embedding.ts";
import { layerList } from "./residual.ts";
import { rowProducts } from "./row-products.ts";

export const tied = defineLayer({
  name: "tied",
  summary: "layers between a table of tokens and scores by the same table",
  options: { ...tableOptions, layers: layerList },
  packed: true,
  build({ layers, ...options }, input, building): Layer {
    const table = tableOf(options, input);
    const main = building.stack(layers, table.output);
    const { height, width, channels } = main.output;
    const { vocabulary, units } = options;
    if (height !== input.height || width !== input.width || channels !== units) {
      const rule = `layers between the two uses of a table keep its ${units} units at every position`;
      throw new InputError(rule, `${height} x ${width} x ${channels}`, `end with { kind: linear, units: ${units} }`);
    }
    const output = { ...input, channels: vocabulary, pitch: pitchOf(vocabulary) };
    const bytes = (images: number) => activationBytes(table.output, images);
    // The last product is a linear layer backwards: from units to tokens it is the gradient of tokens to units.
    const product = rowProducts(output, main.output);
    /** What the layers read and put out is kept; in scratch, their two gradients. */
    const inner = (images: number, at: Place) => ({
      ...at,
      x: at.saved,
      y: at.saved + bytes(images),
      saved: at.saved + 2 * bytes(images),
      scratch: at.scratch + 2 * bytes(images),
      parameters: at.parameters + table.bytes,
    });
    return {
      ...{ output, readsOutput: false, statistics: main.statistics },
      ...(main.startStatistics === undefined ? {} : { startStatistics: main.startStatistics }),
      parameters: [table.parameter, ...main.parameters],
      savedBytes: (images) => 2 * bytes(images) + main.savedBytes(images),
      scratchBytes: (images) => 2 * bytes(images) + Math.max(main.scratchBytes(images), product.scratchBytes(images)),
      forward(pass, at) {
        const place = inner(pass.images, at);
        table.look(pass, at.x, at.parameters, place.x);
        main.forward(pass, place);
        product.inputGradient(pass, place.y, at.parameters, at.y, place.scratch);
      },
      backward(pass, at) {
        const place = inner(pass.images, at);
        const [dy, dx] = [at.scratch, at.scratch + bytes(pass.images)];
        product.weightGradient(pass, at.dy, place.y, at.gradient, place.scratch);
        product.forward(pass, at.dy, at.parameters, dy, place.scratch);
        main.backward(pass, { ...place, dy, dx, gradient: at.gradient + table.bytes });
        table.add(pass, at.x, dx, at.gradient);
      },
    };
  },
});
