/**
 * The weights of static undirected graphs. All are W = (1 - f) I + f W0 for a factor f and a base W0:
 *
 * - metropolis:     W0 has w_ij = 1/(1 + max(d_i, d_j)), the uniform 1/(d + 1) where the graph is regular; f = 1.
 * - best-constant:  W = I - c L, L the Laplacian: one weight c on every edge. Of all c the least rate is that of
 *   c = 2/(lambda_2 + lambda_n) (Xiao and Boyd 2004), where the own weight of a node of degree d is 1 - c d. It must not
 *   be negative, so c is at most 1/(largest degree): where that is the smaller one, it is the best c of those allowed.
 * - lazy:           half the f, whatever the weights: (I + W)/2.
 *
 * With W0 = I - L/(1 + largest degree), and largest and smallest its eigenvalues beside the 1 of consensus, the best f is
 * 2/(2 - largest - smallest), and at most 1/(1 - the smallest own weight).
 */

import { about, flag, type Given, word } from "../input/option.ts";
import { sparseRate } from "../rate/lanczos.ts";
import type { Rate } from "../rate/rate.ts";
import type { Round } from "../round/round.ts";
import type { TopologySpec } from "./topology.ts";

export interface BaselineOptions extends Given<{ lazy: typeof lazy }> {}
export interface UndirectedOptions extends Given<typeof undirectedOptions> {}

export const lazy = about(flag(), "use (I + W) / 2 of a baseline");

export const undirectedOptions = {
  lazy,
  /** How much each edge weighs: by the degrees at its ends, or all alike and as good as can be; metropolis by default. */
  weights: about(
    word("metropolis", "best-constant"),
    "weights of an undirected graph: by degrees, or one best for all",
  ),
};

/** The spec of a baseline: `lazy` and `weights` only where they are not the default. */
export function baselineSpec(name: string, options: UndirectedOptions, more: object = {}): TopologySpec {
  const { n, lazy, weights } = options;
  return { name, n, ...more, ...(lazy ? { lazy } : {}), ...(weights === "best-constant" ? { weights } : {}) };
}

/** The extreme eigenvalues of a symmetric W beside the 1 of consensus. */
export interface Ends {
  readonly largest: number;
  readonly smallest: number;
  /** 1 - largest with all its digits, where that is known. */
  readonly gap?: number;
}

/** Whether a spec asks for one weight on every edge. */
export function isConstant(spec: TopologySpec): boolean {
  return spec["weights"] === "best-constant";
}

/**
 * The factor f of a spec; `ends` are those of W0, whose smallest own weight is `smallestSelf`, and asked for only where
 * they matter.
 */
export function factorOf(spec: TopologySpec, smallestSelf: number, ends: () => Ends): number {
  const keep = spec["lazy"] === true ? 0.5 : 1;
  if (!isConstant(spec)) return keep;
  const { largest, smallest } = ends();
  const spread = 2 - largest - smallest;
  // Without edges, or with nothing but loops, there is nothing to weigh.
  if (!(spread > 0 && smallestSelf < 1)) return keep;
  return keep * Math.min(2 / spread, 1 / (1 - smallestSelf));
}

/** The ends of a static symmetric round, by certified iteration. */
export function endsOf(round: Round): Ends {
  const { eigenvalues } = sparseRate(round, true);
  if (eigenvalues === undefined) throw new Error("a symmetric rate comes with its eigenvalues");
  return eigenvalues;
}

/** The rate of (1 - f) I + f W0 from the ends of W0. */
export function rateFromEigenvalues({ largest, smallest, gap }: Ends, factor = 1): Rate {
  const moved = (value: number) => factor * value + (1 - factor);
  const eigenvalues = { largest: moved(largest), smallest: moved(smallest) };
  const rate = Math.max(Math.abs(eigenvalues.largest), Math.abs(eigenvalues.smallest));
  const known = gap !== undefined && rate === eigenvalues.largest ? { gap: factor * gap } : {};
  return { rate, ...known, bound: null, method: "closed form", eigenvalues };
}
