/** Batch norm: the layer before it writes y, and layers that read it see it normalised (shader/value.ts). */

import { type KnownLayer, layers } from "@equitopo/nn/internal";
import { momentsFromSums, slopesFromSums } from "../../matrix/norm.ts";
import { normFromStatistics, normGradient, normMoments } from "../../shader/norm.ts";
import type { GpuLayer } from "../layer.ts";

export const batchNorm: GpuLayer<Extract<KnownLayer, { kind: "batch-norm" }>> = {
  ...layers.get("batch-norm"),
  float32(network, { relu = false }, x, shared) {
    const isRaw = !shared && !x.relu && x.norm === undefined && x.readsNorm === true;
    const raw = isRaw ? x : network.copy(x);
    const { value, options } = network.normed(raw, relu);
    const { gradients } = network;
    network.push({
      forward: (mode, bound) => (mode === "training" ? [normMoments({ ...options, ...bound })] : []),
      prepare: (bound) => [normFromStatistics({ ...options, ...bound })],
      backward: () => [normGradient({ ...options, label: `back ${options.label}`, gradients })],
    });
    return value;
  },
  mixed(network, { relu = false }, x) {
    const sums = network.sums.get(x.y) ?? network.refuse();
    network.require(x.norm === undefined);
    const { value, options } = network.normed(x, relu);
    const { gradients, scale } = network;
    network.push({
      forward: (mode, bound) => (mode === "training" ? [momentsFromSums({ ...options, ...sums, ...bound })] : []),
      prepare: (bound) => [normFromStatistics({ ...options, ...bound })],
      backward: () => {
        const back = network.gradientSums.get(x.y) ?? network.refuse();
        return [slopesFromSums({ ...options, ...back, label: `back ${options.label}`, gradients, scale })];
      },
    });
    return value;
  },
};
