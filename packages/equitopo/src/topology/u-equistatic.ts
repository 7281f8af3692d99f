/**
 * U-EquiStatic (paper, section 4.1, eq. 8):
 *
 *   W = 1/(2M) sum_i (A^(u_i) + [A^(u_i)]^T),   basis {u_i, -u_i}.
 *
 * Undirected, static, symmetric, any n >= 2; degree up to 2M, not M (errata 4). Rate at most D-EquiStatic's.
 */

import { ceilLog2 } from "../number/integers.ts";
import { circulantExtremes } from "../rate/circulant.ts";
import { type BasisOptions, basisLength, basisOptions, bestDegree, resolveBasis } from "./basis.ts";
import { bestStatic, directedCirculant, directedRate, equiStatic } from "./d-equistatic.ts";
import { checkOptions, defineTopology, type Topology } from "./topology.ts";

/** ||Pi W||_2 of U-EquiStatic on this basis. O(n M). */
export function undirectedRate(n: number, basis: readonly number[]): number {
  // The real part of D-EquiStatic's spectrum: no need to double the basis.
  return circulantExtremes(directedCirculant(n, basis), "real").maxModulus;
}

/**
 * The U-EquiStatic graph from a basis, from m (default ceil(log2 n)), or from rho and p. basis = best is the table's
 * undirected design of degree 2 m (m = floor(log2(n) / 2) by default): a designed-static graph.
 *
 * @example
 * ```ts
 * import { uEquiStatic } from "equitopo";
 * uEquiStatic({ n: 17, basis: [1, 2, 4, 8] }).rate().rate.toFixed(6) // => "0.242536"
 * ```
 */
export function uEquiStatic(options: BasisOptions): Topology {
  const { n, rho } = checkOptions(uEquiStaticFamily, options);
  const degree = bestDegree(options, ceilLog2(n) >> 1);
  if (degree !== undefined) return bestStatic(n, 2 * degree, false);
  const basis = resolveBasis(options, ceilLog2(n), undirectedRate);
  const both = [...basis, ...basis.map((u) => n - u)];
  return equiStatic({ name: "u-equistatic", n, basis }, both, () => rho ?? directedRate(n, basis));
}

export const uEquiStaticFamily = defineTopology({
  name: "u-equistatic",
  title: "U-EquiStatic",
  summary: "undirected, static, degree up to 2M: the mean of M random shifts both ways",
  source: "paper, section 4.1, eq. (8)",
  group: "equitopo",
  options: basisOptions,
  variants: (_n, degree) => [{ m: Math.max(1, Math.floor(degree / 2)) }],
  // The rate sums both directions of the basis, its bound one.
  work: (options) => ({ shifts: basisLength(options, ceilLog2(options.n)), times: 3 }),
  create: uEquiStatic,
});
