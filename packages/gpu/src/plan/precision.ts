/**
 * In what numbers a network computes. `float32`: everything, on every adapter. `mixed`: products of halves on matrix units
 * (plan/mixed.ts), where the adapter has them.
 */

import type { Spelling } from "../matrix/matrix.ts";
import { planMixed } from "./mixed.ts";
import { type NetworkOptions, planNetwork } from "./network.ts";
import type { NetworkPlan } from "./stage.ts";

export type Precision = "float32" | "mixed";

/** The network's kernels; `spelling` as in matrix/matrix.ts, for tests. */
export function planFor(precision: Precision, options: NetworkOptions, spelling: Spelling = "subgroup"): NetworkPlan {
  return precision === "mixed" ? planMixed(options, spelling) : planNetwork(options);
}
