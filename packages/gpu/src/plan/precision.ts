/**
 * In what numbers a network computes. `float32`: everything, on every adapter. `mixed`: products of halves on matrix units
 * (plan/mixed.ts), where the adapter has them.
 */

import { type Matrices, subgroup } from "../matrix/matrix.ts";
import { Float32Network } from "./float32.ts";
import { layers } from "./layers/registry.ts";
import { MixedNetwork } from "./mixed.ts";
import type { NetworkOptions } from "./network.ts";

export type Precision = "float32" | "mixed";

/** The network's kernels, unless it has a layer without them; `matrices` as in matrix/matrix.ts, for tests. */
export function planFor(precision: Precision, given: Omit<NetworkOptions, "layers">, matrices: Matrices = subgroup) {
  const options = { ...given, layers };
  return precision === "mixed" ? MixedNetwork.plan(options, matrices) : Float32Network.plan(options);
}
