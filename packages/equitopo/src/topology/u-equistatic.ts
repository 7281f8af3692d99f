/**
 * U-EquiStatic (paper, section 4.1, eq. 8):
 *
 *   W = 1/(2M) sum_i (A^(u_i) + [A^(u_i)]^T),   basis {u_i, -u_i}.
 *
 * Undirected, static, symmetric, any n >= 2; degree up to 2M, not M (errata 4). Rate at most D-EquiStatic's.
 */

import { bestDesign } from "../design/table.ts";
import { ceilLog2 } from "../number/integers.ts";
import { circulantExtremes, circulantRate } from "../rate/circulant.ts";
import { type RateWork, shiftsWork } from "../rate/work.ts";
import { type BasisOptions, basisLength, basisOptions, bestDegree, resolveBasis } from "./basis.ts";
import { circulantTopology } from "./circulant.ts";
import { directedCirculant, directedRate } from "./d-equistatic.ts";
import { designedStatic } from "./designed-static.ts";
import { checkOptions, defineTopology, type Topology } from "./topology.ts";

/** {u_i, -u_i}. */
function bothWays(n: number, basis: readonly number[]): readonly number[] {
  return [...basis, ...basis.map((u) => n - u)];
}

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
  checkOptions(uEquiStaticFamily, options);
  const { n, rho } = options;
  const degree = bestDegree(options, ceilLog2(n) >> 1);
  if (degree !== undefined) {
    const { self, shifts, weights } = bestDesign({ n, degree: 2 * degree, directed: false });
    return designedStatic({ n, self, shifts, weights });
  }
  const basis = resolveBasis(options, ceilLog2(n), undirectedRate);
  const { self, shifts, weights } = directedCirculant(n, bothWays(n, basis));
  return circulantTopology({ name: "u-equistatic", n, basis }, self, shifts, weights, (round) => {
    return { ...circulantRate(round), bound: rho ?? directedRate(n, basis) };
  });
}

export const uEquiStaticFamily = defineTopology({
  name: "u-equistatic",
  summary: "undirected, static, degree up to 2M: the mean of M random shifts both ways",
  source: "paper, section 4.1, eq. (8)",
  group: "equitopo",
  options: basisOptions,
  variants: (_n, degree) => [{ m: Math.max(1, Math.floor(degree / 2)) }],
  create: uEquiStatic,
});

/** What its rate takes (topology/work.ts). The rate sums both directions of the basis, its bound one. */
export function uEquiStaticWork(options: BasisOptions): RateWork {
  return shiftsWork(options.n, basisLength(options, ceilLog2(options.n)), 3);
}
