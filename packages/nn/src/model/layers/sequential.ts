/** Layers one after another, and the residual block around them: max(0, layers(x) + shortcut(x)). */

import { InputError } from "equitopo/input";
import { vectorBytes } from "../../kernel/kernels.ts";
import {
  type Activation,
  type GradientPlace,
  type Layer,
  type LayerParameter,
  numbers,
  type Pass,
  type Place,
  parameterCount,
} from "../layer.ts";
import type { LayerSpec } from "../spec.ts";
import { batchNorm } from "./batch-norm.ts";
import { convolution } from "./convolution.ts";
import { dense } from "./dense.ts";
import { dropout, relu } from "./elementwise.ts";
import { averagePool, maxPool } from "./pool.ts";

/** Counts the dropout layers of a network, so that each has random numbers of its own. */
export interface Counter {
  dropouts: number;
}

function layerOf(spec: LayerSpec, input: Activation, counter: Counter): Layer {
  switch (spec.kind) {
    case "convolution":
      return convolution(spec, input);
    case "dense":
      return dense(spec, input);
    case "max-pool":
      return maxPool(spec, input);
    case "average-pool":
      return averagePool(input);
    case "batch-norm":
      return batchNorm(spec, input);
    case "relu":
      return relu(input);
    case "dropout":
      return dropout(spec, input, counter.dropouts++);
    case "residual":
      return residual(spec.layers, input, counter);
  }
}

const activationBytes = (shape: Activation, images: number) => vectorBytes(4 * numbers(shape, images));

export function sequential(specs: readonly LayerSpec[], input: Activation, counter: Counter): Layer {
  if (specs.length === 0) throw new InputError("a network has at least one layer", specs, "add a dense layer");
  const layers: Layer[] = [];
  const parameters: LayerParameter[] = [];
  const starts: { parameters: number; statistics: number }[] = [];
  let shape = input;
  let statistics = 0;
  specs.forEach((spec, index) => {
    const layer = layerOf(spec, shape, counter);
    starts.push({ parameters: 4 * parameterCount(parameters), statistics: 4 * statistics });
    parameters.push(...layer.parameters.map((p) => ({ ...p, name: `${index}.${p.name}` })));
    statistics += layer.statistics;
    layers.push(layer);
    shape = layer.output;
  });
  const last = layers.length - 1;
  // Inner activations and what each layer keeps, one after another; two gradients in turn, then the layers' scratch.
  const inner = layers.slice(0, last);
  const widest = (images: number) => Math.max(0, ...inner.map((layer) => activationBytes(layer.output, images)));

  /** Every layer's place, from the first to the last. */
  function places(images: number, at: Place): Place[] {
    let x = at.x;
    let free = at.saved;
    const scratch = at.scratch + 2 * widest(images);
    return layers.map((layer, l) => {
      const saved = free;
      free += vectorBytes(layer.savedBytes(images));
      const y = l === last ? at.y : free;
      if (l !== last) free += activationBytes(layer.output, images);
      const own = at.parameters + starts[l].parameters;
      const place = { x, y, parameters: own, statistics: at.statistics + starts[l].statistics, saved, scratch };
      x = y;
      return place;
    });
  }

  return {
    output: shape,
    parameters,
    statistics,
    savedBytes: (images) =>
      layers.reduce((sum, layer) => sum + vectorBytes(layer.savedBytes(images)), 0) +
      inner.reduce((sum, layer) => sum + activationBytes(layer.output, images), 0),
    scratchBytes: (images) => 2 * widest(images) + Math.max(...layers.map((layer) => layer.scratchBytes(images))),
    forward(pass, at) {
      places(pass.images, at).forEach((place, l) => {
        layers[l].forward(pass, place);
      });
    },
    backward(pass, at) {
      const all = places(pass.images, at);
      let dy = at.dy;
      for (let l = last; l >= 0; l--) {
        const dx = l === 0 ? at.dx : at.scratch + (l % 2) * widest(pass.images);
        layers[l].backward(pass, { ...all[l], dy, dx, gradient: at.gradient + starts[l].parameters });
        dy = dx;
      }
    },
  };
}

function residual(specs: readonly LayerSpec[], input: Activation, counter: Counter): Layer {
  const main = sequential(specs, input, counter);
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
  const { kind, relu: clipped = false } = { relu: false, ...specs[specs.length - 1] };
  const apart = clipped || kind === "relu" || kind === "residual" || kind === "max-pool";
  const mainOutput = (images: number, at: Place) => (apart ? at.saved + vectorBytes(main.savedBytes(images)) : at.y);

  return {
    output,
    parameters: main.parameters,
    statistics: main.statistics,
    savedBytes: (images) => vectorBytes(main.savedBytes(images)) + (apart ? own(images) : 0),
    scratchBytes: (images) => own(images) + main.scratchBytes(images),
    forward(pass: Pass, at: Place) {
      const { call, images } = pass;
      const y = mainOutput(images, at);
      main.forward(pass, { ...at, y, scratch: at.scratch + own(images) });
      if (!same) call.shortcut(at.x, images, ...from, at.scratch, ...to);
      call.addRows(y, same ? at.x : at.scratch, at.y, numbers(output, images), 1);
    },
    backward(pass: Pass, at: GradientPlace) {
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
