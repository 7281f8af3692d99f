/** Layers one after another. */

import { InputError, settle } from "equitopo/internal/input";
import { vectorBytes } from "../../kernel/kernels.ts";
import type { Activation, Building, Layer, LayerParameter, Place } from "../layer.ts";
import { activationBytes, parameterCount } from "../layer.ts";
import type { LayerSpec } from "../spec.ts";
import { layers as registry } from "./registry.ts";

function layerOf({ kind, ...options }: LayerSpec, input: Activation, building: Building): Layer {
  const member = registry.get(kind);
  return member.build(settle(kind, member.options, options, [], `${kind}'s `), input, building);
}

export function sequential(
  specs: readonly LayerSpec[],
  input: Activation,
  building: Building = { dropouts: 0, stack: (inner, from) => sequential(inner, from, building) },
): Layer {
  if (specs.length === 0) throw new InputError("a network has at least one layer", specs, "add a dense layer");
  const layers: Layer[] = [];
  const parameters: LayerParameter[] = [];
  const starts: { parameters: number; statistics: number }[] = [];
  let shape = input;
  let statistics = 0;
  specs.forEach((spec, index) => {
    const layer = layerOf(spec, shape, building);
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
    startStatistics(out) {
      layers.forEach(({ statistics: size, startStatistics }, l) => {
        const from = starts[l].statistics / 4;
        startStatistics?.(out.subarray(from, from + size));
      });
    },
    readsOutput: layers[last].readsOutput,
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
