/**
 * A network of tokens whose first and last layer share one table E: y = h E', h = layers(E[x]), a score for every token of
 * the vocabulary at every position (Press and Wolf 2017). The gradient of E is the sum of both uses.
 */

import { InputError } from "equitopo/internal/input";
import { type ConvolutionGeometry, convolveScratch, pitchOf, vectorBytes } from "../../kernel/kernels.ts";
import { activationBytes, defineLayer, type Layer, type Place } from "../layer.ts";
import { tableOf, tableOptions } from "./embedding.ts";
import { layerList } from "./residual.ts";

export const tied = defineLayer({
  name: "tied",
  summary: "layers between a table of tokens and scores by the same table",
  options: { ...tableOptions, layers: layerList },
  packed: true,
  build({ layers, ...options }, input, building): Layer {
    const table = tableOf(options, input);
    const main = building.stack(layers, table.output);
    const { height, width, channels, pitch } = main.output;
    const { vocabulary, units } = options;
    if (height !== input.height || width !== input.width || channels !== units) {
      const rule = `layers between the two uses of a table keep its ${units} units at every position`;
      throw new InputError(rule, `${height} x ${width} x ${channels}`, `end with { kind: linear, units: ${units} }`);
    }
    const output = { ...input, channels: vocabulary, pitch: pitchOf(vocabulary) };
    const bytes = (images: number) => activationBytes(table.output, images);
    // The last product is a dense layer's backwards: from units to tokens it is the gradient of tokens to units.
    const geometry = (images: number): ConvolutionGeometry => ({
      ...{ h: 1, w: images * height * width, pitch: output.pitch, ic: vocabulary, pad: 0, stride: 1, kh: 1, kw: 1 },
      ...{ oh: 1, ow: images * height * width, oc: units, outPitch: pitch },
    });
    const shapeOf = (images: number) => {
      const g = geometry(images);
      return {
        image: [1, g.h, g.w, g.pitch, g.ic, g.pad, g.stride, g.kh, g.kw] as const,
        out: [g.oh, g.ow, g.oc, g.outPitch] as const,
      };
    };
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
      scratchBytes: (images) =>
        2 * bytes(images) + Math.max(main.scratchBytes(images), vectorBytes(convolveScratch(geometry(images)))),
      forward(pass, at) {
        const place = inner(pass.images, at);
        const { image, out } = shapeOf(pass.images);
        table.look(pass, at.x, at.parameters, place.x);
        main.forward(pass, place);
        pass.call.convolveInputGradient(place.y, ...image, at.parameters, at.y, ...out, place.scratch);
      },
      backward(pass, at) {
        const place = inner(pass.images, at);
        const { image, out } = shapeOf(pass.images);
        const [dy, dx] = [at.scratch, at.scratch + bytes(pass.images)];
        pass.call.convolveWeightGradient(at.dy, ...image, place.y, at.gradient, ...out, place.scratch);
        pass.call.convolve(at.dy, ...image, at.parameters, 0, dy, ...out, 0, place.scratch);
        main.backward(pass, { ...place, dy, dx, gradient: at.gradient + table.bytes });
        table.add(pass, at.x, dx, at.gradient);
      },
    };
  },
});
