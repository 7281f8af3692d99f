/**
 * Static exponential graph: node i sends to i + 2^k mod n for k < L = ceil(log2 n), uniform weights 1/(L + 1).
 * Directed, degree L, any n >= 2; rate 1 - Theta(1/ln n), exactly (L - 1)/(L + 1) for even n (paper, Table 1).
 */

import { ceilLog2 } from "../number/integers.ts";
import { circulantRate } from "../rate/circulant.ts";
import { circulantTopology } from "./circulant.ts";
import { checkOptions, defineTopology, type Topology } from "./topology.ts";
import { type BaselineOptions, baselineSpec, lazy } from "./weights.ts";

/**
 * @example
 * ```ts
 * import { staticExp } from "equitopo";
 * staticExp({ n: 300 }).rate().rate.toFixed(6) // => "0.800000"
 * ```
 */
export function staticExp(options: BaselineOptions): Topology {
  const { n } = checkOptions(staticExpFamily, options);
  const shifts = Int32Array.from({ length: ceilLog2(n) }, (_, k) => 2 ** k);
  const weight = (options.lazy ? 0.5 : 1) / (shifts.length + 1);
  const weights = new Float64Array(shifts.length).fill(weight);
  const self = 1 - shifts.length * weight;
  return circulantTopology(baselineSpec("static-exp", options), self, shifts, weights, circulantRate);
}

export const staticExpFamily = defineTopology({
  name: "static-exp",
  summary: "directed, static, degree ceil(log2 n): i sends to i + 1, 2, 4, 8, ...",
  source: "paper, Table 1",
  group: "baseline",
  options: { lazy },
  work: ({ n }) => ({ shifts: ceilLog2(n) }),
  create: staticExp,
});
