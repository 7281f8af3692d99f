/** Dense layers, in float32 in both precisions. */

import { type KnownLayer, layers } from "@equitopo/nn/internal";
import { dense, denseInputGradient, denseWeightGradient } from "../../shader/dense.ts";
import { finishForward } from "../../shader/elementwise.ts";
import { numbersOf, type Part, type Value } from "../../shader/value.ts";
import type { GpuLayer } from "../layer.ts";
import type { Network } from "../network.ts";

/** `finished`: how the gradient of its input is stored, from how it is completed. */
function build<V extends Value, F>(network: Network<V, F>, x: V, out: Value, finished: (finish: F) => Part): void {
  const { gradients } = network;
  const label = `dense ${numbersOf(x.shape)}->${out.shape.channels}`;
  const options = { ...network.common(label), x, out, weights: network.take(2) };
  network.push(
    {
      forward: (_mode, { parameters }) => [dense({ ...options, parameters })],
      backward: ({ parameters }, finish) => [
        ...(finish === undefined ? [] : [denseInputGradient({ ...options, parameters, finish: finished(finish) })]),
        denseWeightGradient({ ...options, gradients }),
      ],
    },
    x,
  );
}

export const denses: GpuLayer<Extract<KnownLayer, { kind: "dense" }>> = {
  ...layers.get("dense"),
  float32(network, { units, relu = false }, x) {
    const out = network.value({ height: 1, width: 1, channels: units }, relu);
    build(network, x, out, (finish) => finish("f32"));
    return out;
  },
  mixed(network, { units, relu = false }, x) {
    network.require(x.pooled === true && !relu);
    const out = network.floats(units);
    build(network, x, out, () => finishForward("f32"));
    return out;
  },
};
