/**
 * Ring: i ~ i - 1, i + 1, uniform weights 1/3 (1/2 at n = 2, where the two neighbours are one).
 * lambda_k = (1 + 2 cos(2 pi k / n)) / 3: rate 1 - Theta(1/n^2) (paper, Table 1). By option lazy, or with the best
 * constant weight (weights.ts).
 */

import { cosine, versine } from "../number/roots.ts";
import { uniformCirculant } from "./circulant.ts";
import { checkOptions, defineTopology, type Topology } from "./topology.ts";
import { baselineSpec, type UndirectedOptions, undirectedOptions } from "./weights.ts";

/**
 * @example
 * ```ts
 * import { ring } from "equitopo";
 * ring({ n: 300 }).rate().rate.toFixed(8) // => "0.99985379"
 * ```
 */
export function ring(options: UndirectedOptions): Topology {
  const { n } = checkOptions(ringFamily, options);
  const shifts = n === 2 ? [1] : [1, n - 1];
  const eigenvalue = (k: number) => (1 + shifts.length * cosine(k, n)) / (shifts.length + 1);
  // n = 2 and n = 3 are complete: every eigenvalue but the first is 0.
  const ends =
    n <= 3
      ? { largest: 0, smallest: 0 }
      : { largest: eigenvalue(1), smallest: eigenvalue(Math.floor(n / 2)), gap: (2 / 3) * versine(1, n) };
  return uniformCirculant(baselineSpec("ring", options), shifts, ends);
}

export const ringFamily = defineTopology({
  name: "ring",
  summary: "undirected, static, degree 2",
  source: "paper, Table 1",
  group: "baseline",
  options: undirectedOptions,
  create: ring,
});
