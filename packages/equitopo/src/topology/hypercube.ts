/**
 * Hypercube: n = 2^D, i ~ i XOR 2^k, uniform weights 1/(D + 1). Eigenvalues (D + 1 - 2 j)/(D + 1):
 * rate (D - 1)/(D + 1) = 1 - Theta(1/ln n) at degree D = log2 n (paper, Table 1).
 */

import { InputError } from "../input/input.ts";
import { ceilLog2 } from "../number/integers.ts";
import { graphTopology } from "./graph.ts";
import { checkOptions, defineTopology, type Topology } from "./topology.ts";
import { baselineSpec, type UndirectedOptions, undirectedOptions } from "./weights.ts";

/**
 * @example
 * ```ts
 * import { hypercube } from "equitopo";
 * hypercube({ n: 8 }).rate().rate // => 0.5
 * ```
 */
export function hypercube(options: UndirectedOptions): Topology {
  const { n } = checkOptions(hypercubeFamily, options);
  const dimension = ceilLog2(n);
  if (2 ** dimension !== n) {
    throw new InputError("a hypercube needs n to be a power of 2", n, `try n = ${2 ** dimension}, or static-exp`);
  }
  const extreme = (dimension - 1) / (dimension + 1);
  const neighbours = (i: number) => Array.from({ length: dimension }, (_, k) => i ^ (2 ** k));
  const ends = { largest: extreme, smallest: -extreme };
  return graphTopology(baselineSpec("hypercube", options), neighbours, () => ends);
}

export const hypercubeFamily = defineTopology({
  name: "hypercube",
  layout: "hypercube",
  summary: "undirected, static, degree log2 n, n a power of 2",
  source: "paper, Table 1",
  group: "baseline",
  options: undirectedOptions,
  refuses: (n) => (2 ** ceilLog2(n) === n ? undefined : "needs a power of 2"),
  work: ({ n }) => ({ edges: n * ceilLog2(n), lists: "made" }),
  create: hypercube,
});
