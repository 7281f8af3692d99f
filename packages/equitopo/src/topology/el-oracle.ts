/**
 * EL-Oracle (Epidemic Learning, NeurIPS 2023): a random s-regular graph, drawn anew each round,
 *
 *   W(t) = (I + A_t) / (s + 1).
 *
 * A_t is one s-regular circulant under labels drawn for the round: shifts +-1, ..., +-floor(s/2), and n/2 where s is odd.
 * Its pairs are exchangeable, which is all that the mean square asks for:
 *
 *   E |W x|^2 = 1/(s+1) (1 - s/(n-1)) |x|^2   for every x of sum 0.
 *
 * Degree s, 1 <= s < n, any n >= 2. Undirected, but where s n is odd (no such graph exists): then the shifts are 1, ..., s,
 * directed. peers(t, i) in O(s) through a keyed permutation.
 */

import { integer } from "../input/input.ts";
import { about, type Given, seed, whole } from "../input/option.ts";
import { circulantRate } from "../rate/circulant.ts";
import { circulantTopology } from "./circulant.ts";
import { redrawnEveryRound } from "./fresh-labels.ts";
import { checkOptions, defineTopology, type Topology } from "./topology.ts";

export interface ElOracleOptions extends Given<typeof epidemicOptions> {}

/** The options of EL-Oracle and EL-Local: peers of a node in a round, or those that it pushes to. */
export const epidemicOptions = {
  s: about(whole(1, 1), "peers per round of an epidemic (el-oracle, el-local), default 1", "S"),
  seed,
};

/**
 * @example
 * ```ts
 * import { elOracle } from "equitopo/topology";
 * (elOracle({ n: 300, s: 4 }).rate().rate ** 2).toFixed(5) // => "0.19732"
 * elOracle({ n: 300, s: 4 }).peers(2, 7).from.length // => 4
 * ```
 */
export function elOracle(options: ElOracleOptions): Topology {
  const { n, s, seed: from } = checkOptions(elOracleFamily, options);
  integer("s", s, 1, n - 1);
  const spec = { name: "el-oracle", n, s, seed: from };
  const weights = new Float64Array(s).fill(1 / (s + 1));
  const graph = circulantTopology(spec, 1 / (s + 1), shiftsOf(n, s), weights, circulantRate);
  return redrawnEveryRound(spec, graph, (n - 1 - s) / ((s + 1) * (n - 1)));
}

/** s shifts, in opposite pairs as far as possible. */
function shiftsOf(n: number, s: number): number[] {
  if ((s * n) % 2 === 1) return Array.from({ length: s }, (_, k) => k + 1);
  const half = Array.from({ length: Math.floor(s / 2) }, (_, k) => k + 1);
  return [...half, ...(s % 2 === 1 ? [n / 2] : []), ...half.map((k) => n - k).reverse()];
}

export const elOracleFamily = defineTopology({
  name: "el-oracle",
  summary: "undirected where s n is even, degree s: a random regular graph, drawn anew each round",
  source: "Epidemic Learning (NeurIPS 2023)",
  group: "rival",
  random: true,
  options: epidemicOptions,
  variants: (_n, degree) => [{ s: degree }],
  work: ({ n, s }) => ({ edges: n * s }),
  create: elOracle,
});
