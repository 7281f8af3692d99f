/** What a layer is on the device: how it is built of kernels, in each precision that it has kernels for. */

import type { LayerSpec, Shape } from "@equitopo/nn";
import type { AnyFamily } from "equitopo/internal/input";
import type { HalfValue } from "../matrix/finish.ts";
import type { Value } from "../shader/value.ts";
import type { Float32Network } from "./float32.ts";
import type { MixedNetwork } from "./mixed.ts";

/** A member of the registry of layers (layers/registry.ts), one file each. Its name is the `kind` of a spec. */
export interface GpuLayer<S extends LayerSpec = LayerSpec> extends AnyFamily {
  /** What it makes of x. `shared`: somebody else reads x as it is. */
  float32(network: Float32Network, spec: S, x: Value, shared: boolean): Value;
  /** The same over halves; a layer without it is refused in mixed precision. */
  mixed?(network: MixedNetwork, spec: S, x: HalfValue, shared: boolean): HalfValue;
}

/** How many windows of this size go into an image with edges of `pad`, down and across. */
export function windows({ height, width }: Shape, size: number, stride: number, pad = 0) {
  const side = (length: number) => Math.floor((length + 2 * pad - size) / stride) + 1;
  return { height: side(height), width: side(width) };
}
