/** Residual blocks: the sum of some layers and of what they read, through a ReLU. */

import { type KnownLayer, layers } from "@equitopo/nn/internal";
import { mergeHalves } from "../../matrix/elementwise.ts";
import { mergeBlock } from "../../shader/elementwise.ts";
import { gradientOf, numbersOf, type Value } from "../../shader/value.ts";
import type { GpuLayer } from "../layer.ts";
import type { Network } from "../network.ts";

type Spec = Extract<KnownLayer, { kind: "residual" }>;

/** The block's last value, its input, and the sum of both. */
function build<V extends Value, F>(network: Network<V, F>, { layers: inner }: Spec, given: V, sum: (main: V) => V) {
  // A block reads its input twice, and images have no gradient to complete.
  const x = given.gradient === undefined ? network.copy(given) : given;
  const block: { out?: V } = {};
  let main = network.walk(
    inner,
    x,
    network.completed(x, () => block.out as V),
  );
  // The block's own gradient is that of its last layer, as it is: so that one may have no ReLU.
  if (main.relu || main.y === x.y) main = network.copy(main);
  block.out = sum(main);
  return { main, x, out: block.out };
}

/** The sum has the gradient of the block's last value, and memory of its own. */
function sumOf<V extends Value, F>(network: Network<V, F>, main: V) {
  const { replicas, batch } = network.options;
  const y = network.memory("activations", replicas * batch * numbersOf(main.shape));
  return { shape: main.shape, relu: true, gradient: gradientOf(main), y };
}

export const residual: GpuLayer<Spec> = {
  ...layers.get("residual"),
  float32(network, spec, given) {
    const values = build(network, spec, given, (main) => sumOf(network, main));
    const options = { ...network.common("sum of a block"), ...values };
    network.push({ forward: () => [mergeBlock(options)], backward: () => [] });
    return values.out;
  },
  mixed(network, spec, given) {
    network.require(!network.inBlock && given.relu);
    network.inBlock = true;
    const values = build(network, spec, given, (main) => ({ ...sumOf(network, main), normed: main }));
    network.inBlock = false;
    const { main, x, out } = values;
    const isSame = out.shape.width === x.shape.width && out.shape.channels === x.shape.channels;
    const isHalved = 2 * out.shape.width === x.shape.width && out.shape.channels === 2 * x.shape.channels;
    network.require(main.norm !== undefined && (isSame || isHalved));
    const options = { ...network.common("sum of a block"), ...values, matrices: network.matrices };
    network.push({ forward: () => [mergeHalves(options)], backward: () => [] });
    return out;
  },
};
