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
import { type BasisOptions, basisLength, basisOptions, bestDegree, resolveBasis, tally } from "./basis.ts";
import { circulantTopology } from "./circulant.ts";
import { designedStatic } from "./designed-static.ts";
import { checkOptions, defineTopology, type Topology, type TopologySpec } from "./topology.ts";

export function directedCirculant(n: number, basis: readonly number[]) {
  const { shifts, counts } = tally(basis);
  return { n, self: 1 / n, shifts, weights: counts.map((count) => (count * (n - 1)) / (n * basis.length)) };
}

/** ||Pi W||_2 of D-EquiStatic on this basis. O(n M). */
export function directedRate(n: number, basis: readonly number[]): number {
  return circulantExtremes(directedCirculant(n, basis)).maxModulus;
}

/** The table's design of this degree. */
export function bestStatic(n: number, degree: number, directed: boolean): Topology {
  const { self, shifts, weights } = bestDesign({ n, degree, directed });
  return designedStatic({ n, self, shifts, weights });
}

/** The topology of the circulant of all these shifts, with the paper's bound on its rate. */
export function equiStatic(spec: TopologySpec, all: readonly number[], bound: () => number | null): Topology {
  const { self, shifts, weights } = directedCirculant(spec.n, all);
  return circulantTopology(spec, self, shifts, weights, (round) => ({ ...circulantRate(round), bound: bound() }));
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
  const { n, rho } = checkOptions(dEquiStaticFamily, options);
  const degree = bestDegree(options, ceilLog2(n));
  if (degree !== undefined) return bestStatic(n, degree, true);
  const basis = resolveBasis(options, ceilLog2(n), directedRate);
  return equiStatic({ name: "d-equistatic", n, basis }, basis, () => rho ?? null);
}

export const dEquiStaticFamily = defineTopology({
  name: "d-equistatic",
  title: "D-EquiStatic",
  summary: "directed, static, degree up to M: the mean of M random shifts",
  source: "paper, section 3.2, eq. (5), Alg. 3",
  group: "equitopo",
  options: basisOptions,
  variants: (_n, degree) => [{ m: degree }],
  work: (options) => ({ shifts: basisLength(options, ceilLog2(options.n)) }),
  create: dEquiStatic,
});
