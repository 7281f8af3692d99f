/** The largest number of a window, and the mean over all pixels. */

import { type KnownLayer, layers } from "@equitopo/nn/internal";
import { poolGradient, poolHalves } from "../../matrix/elementwise.ts";
import { averagePool, averagePoolGradient, maxPool, maxPoolGradient } from "../../shader/elementwise.ts";
import { type GpuLayer, windows } from "../layer.ts";

export const maxPools: GpuLayer<Extract<KnownLayer, { kind: "max-pool" }>> = {
  ...layers.get("max-pool"),
  float32(network, { size, stride = size, relu = false }, x) {
    const out = network.value({ ...x.shape, ...windows(x.shape, size, stride) }, relu);
    const options = { ...network.common("max-pool"), x, out, window: { size, stride } };
    network.pushPlain(x, options, maxPool, maxPoolGradient);
    return out;
  },
};

export const averagePools: GpuLayer<Extract<KnownLayer, { kind: "average-pool" }>> = {
  ...layers.get("average-pool"),
  float32(network, _spec, x) {
    const out = network.value({ height: 1, width: 1, channels: x.shape.channels }, false);
    const options = { ...network.common("average-pool"), x, out };
    network.pushPlain(x, options, averagePool, averagePoolGradient);
    return out;
  },
  mixed(network, _spec, x) {
    network.require(x.relu && !network.inBlock);
    const { matrices, scale } = network;
    const out = network.floats(x.shape.channels);
    const { parts } = network.sumsBack(x, network.options.batch);
    const options = { ...network.common("average-pool"), matrices, x, out };
    network.push({
      forward: () => [poolHalves(options)],
      backward: () => [poolGradient({ ...options, parts, scale })],
    });
    return { ...out, pooled: true };
  },
};
