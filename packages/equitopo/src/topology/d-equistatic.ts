/**
 * D-EquiStatic (paper, section 3.2, eq. 5; drawn by Alg. 3):
 *
 *   W = 1/M sum_i A^(u_i),   A^(u) = 1/n I + (n-1)/n P^u   (eq. 4: node i receives from i - u).
 *
 * Directed, static, any n >= 2; degree = the number of distinct u_i <= M. Rate O(1) with M = Theta(ln n).
 */

import { bestDesign } from "../design/table.ts";
import { ceilLog2 } from "../number/integers.ts";
import { circulantExtremes, circulantRate } from "../rate/circulant.ts";
import { type RateWork, shiftsWork } from "../rate/work.ts";
import { type BasisOptions, basisLength, basisOptions, bestDegree, resolveBasis, tally } from "./basis.ts";
import { circulantTopology } from "./circulant.ts";
import { designedStatic } from "./designed-static.ts";
import { checkOptions, defineTopology, type Topology } from "./topology.ts";

/** The circulant of a D-EquiStatic basis. */
export function directedCirculant(n: number, basis: readonly number[]) {
  const { shifts, counts } = tally(basis);
  return { n, self: 1 / n, shifts, weights: counts.map((count) => (count * (n - 1)) / (n * basis.length)) };
}

/** ||Pi W||_2 of D-EquiStatic on this basis. O(n M). */
export function directedRate(n: number, basis: readonly number[]): number {
  return circulantExtremes(directedCirculant(n, basis)).maxModulus;
}

/**
 * The D-EquiStatic graph from a basis, from m (default ceil(log2 n)), or from rho and p. basis = best is the table's design of
 * degree m, whose weights are its own: a designed-static graph.
 *
 * @example
 * ```ts
 * import { dEquiStatic } from "equitopo";
 * const graph = dEquiStatic({ n: 300, basis: [173, 48, 118, 193, 252, 196, 10, 212, 278] });
 * graph.rate().rate.toFixed(6) // => "0.708909"
 * graph.peers(0, 0).to[0].node // => 10
 * dEquiStatic({ n: 13, m: 3, basis: "best" }).rate().rate.toFixed(6) // => "0.433013"
 * ```
 */
export function dEquiStatic(options: BasisOptions): Topology {
  checkOptions(dEquiStaticFamily, options);
  const { n, rho } = options;
  const degree = bestDegree(options, ceilLog2(n));
  if (degree !== undefined) {
    const { self, shifts, weights } = bestDesign({ n, degree, directed: true });
    return designedStatic({ n, self, shifts, weights });
  }
  const basis = resolveBasis(options, ceilLog2(n), directedRate);
  const { self, shifts, weights } = directedCirculant(n, basis);
  return circulantTopology({ name: "d-equistatic", n, basis }, self, shifts, weights, (round) => {
    return { ...circulantRate(round), bound: rho ?? null };
  });
}

export const dEquiStaticFamily = defineTopology({
  name: "d-equistatic",
  summary: "directed, static, degree up to M: the mean of M random shifts",
  source: "paper, section 3.2, eq. (5), Alg. 3",
  group: "equitopo",
  options: basisOptions,
  variants: (_n, degree) => [{ m: degree }],
  create: dEquiStatic,
});

/** What its rate takes (topology/work.ts). */
export function dEquiStaticWork(options: BasisOptions): RateWork {
  return shiftsWork(options.n, basisLength(options, ceilLog2(options.n)));
}
