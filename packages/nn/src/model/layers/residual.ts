/**
 * A residual block: max(0, layers(x) + shortcut(x)). Where the shapes differ, the shortcut is every stride-th pixel of x
 * with zero channels before and after.
 */

import { InputError } from "equitopo/internal/input";
import { vectorBytes } from "../../kernel/kernels.ts";
import { readBy } from "../../options.ts";
import { type Activation, activationBytes, defineLayer, type Layer, numbers, type Place } from "../layer.ts";
import type { LayerSpec } from "../spec.ts";

/** The option of layers that have layers within. */
export const layerList = readBy<readonly LayerSpec[]>(
  [],
  "a list of layers",
  'try [{ kind: "dense", units: 10 }]',
  (value) => (Array.isArray(value) ? value : undefined),
);

export const residual = defineLayer({
  name: "residual",
  summary: "max(0, layers(x) + x)",
  options: { layers: layerList },
  build: ({ layers }, input, building) => block(building.stack(layers, input), input),
});

function block(main: Layer, input: Activation): Layer {
  const { height, width, channels, pitch } = input;
  const { output } = main;
  const stride = Math.round(height / output.height);
  const same = output.height === height && output.width === width && output.channels === channels;
  const fits = Math.ceil(height / stride) === output.height && Math.ceil(width / stride) === output.width;
  if (!fits || output.channels < channels || pitch % 4 !== 0) {
    throw new InputError(
      "a residual block keeps the image's size or divides it by a stride, and keeps or adds channels",
      `${height} x ${width} x ${channels} to ${output.height} x ${output.width} x ${output.channels}`,
      "change the stride, the padding or the channels of its convolutions",
    );
  }
  const front = Math.floor((output.channels - channels) / 2);
  const from = [height, width, pitch, channels, stride] as const;
  const to = [output.height, output.width, output.pitch, front] as const;
  const own = (images: number) => activationBytes(output, images);
  // Most last layers do not look at their output again, and the sum may take its place.
  const apart = main.readsOutput;
  const mainOutput = (images: number, at: Place) => (apart ? at.saved + vectorBytes(main.savedBytes(images)) : at.y);

  return {
    ...{ ...main, readsOutput: true },
    savedBytes: (images) => vectorBytes(main.savedBytes(images)) + (apart ? own(images) : 0),
    scratchBytes: (images) => own(images) + main.scratchBytes(images),
    forward(pass, at) {
      const { call, images } = pass;
      const y = mainOutput(images, at);
      main.forward(pass, { ...at, y, scratch: at.scratch + own(images) });
      if (!same) call.shortcut(at.x, images, ...from, at.scratch, ...to);
      call.addRows(y, same ? at.x : at.scratch, at.y, numbers(output, images), 1);
    },
    backward(pass, at) {
      const { call, images } = pass;
      const masked = at.scratch;
      call.reluGradient(at.y, at.dy, masked, numbers(output, images));
      main.backward(pass, { ...at, y: mainOutput(images, at), dy: masked, scratch: at.scratch + own(images) });
      if (at.dx === 0) return;
      if (same) call.addRows(at.dx, masked, at.dx, numbers(output, images), 0);
      else call.shortcutGradient(masked, images, ...from, at.dx, ...to);
    },
  };
}
