/** ReLU by itself, and dropout. */

import { DROPOUT_BLOCKS, type KnownLayer, layers } from "@equitopo/nn/internal";
import type { GpuLayer } from "../layer.ts";

export const relus: GpuLayer<Extract<KnownLayer, { kind: "relu" }>> = {
  ...layers.get("relu"),
  float32: (network, _spec, x, shared) => ({
    ...(shared || x.gradient === undefined ? network.copy(x) : x),
    relu: true,
  }),
};

export const dropouts: GpuLayer<Extract<KnownLayer, { kind: "dropout" }>> = {
  ...layers.get("dropout"),
  float32(network, { rate, of }, x) {
    const block = network.dropouts++ * DROPOUT_BLOCKS;
    const drop = { rate, channels: of === "channels", block };
    return network.passOn("dropout", x, { drop });
  },
};
