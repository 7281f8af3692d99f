/**
 * Ring: i ~ i - 1, i + 1, uniform weights 1/3 (1/2 at n = 2, where the two neighbours are one).
 * lambda_k = (1 + 2 cos(2 pi k / n)) / 3: rate 1 - Theta(1/n^2) (paper, Table 1).
 */

import { nodes } from "../input/input.ts";
import { circulantTopology } from "./circulant.ts";
import { type BaselineOptions, baselineSpec, lazy, rateFromEigenvalues } from "./graph.ts";
import { defineTopology, type Topology } from "./topology.ts";

/**
 * @example
 * ```ts
 * import { ring } from "equitopo";
 * ring({ n: 300 }).rate().rate.toFixed(8) // => "0.99985379"
 * ```
 */
export function ring(options: BaselineOptions): Topology {
  const n = nodes(options.n);
  const shifts = Int32Array.from(n === 2 ? [1] : [1, n - 1]);
  const weight = (options.lazy ? 0.5 : 1) / (shifts.length + 1);
  const eigenvalue = (k: number) => (1 + shifts.length * Math.cos((2 * Math.PI * k) / n)) / (shifts.length + 1);
  // n = 2 and n = 3 are complete: every eigenvalue but the first is 0.
  const rate =
    n <= 3
      ? rateFromEigenvalues(0, 0, options.lazy)
      : rateFromEigenvalues(eigenvalue(1), eigenvalue(Math.floor(n / 2)), options.lazy);
  return circulantTopology(
    baselineSpec("ring", options),
    1 - shifts.length * weight,
    shifts,
    new Float64Array(shifts.length).fill(weight),
    () => rate,
  );
}

export const ringFamily = defineTopology({
  name: "ring",
  summary: "undirected, static, degree 2",
  source: "paper, Table 1",
  group: "baseline",
  options: { lazy },
  create: ring,
});
