/**
 * The exact mean-square factor of all one-peer EquiTopo rounds (errata, "Exact rates"): with c = eta (n-1)/n and p_v the
 * fraction of nodes that have a partner at label difference v (1 for OD-EquiDyn),
 *
 *   beta^2 = 1 - 2 c (1 - c) min over k != 0 of mean over v in the basis of p_v (1 - cos(2 pi k v / n)).
 */

import { gcd } from "../number/integers.ts";
import type { Circulant } from "../round/circulant.ts";
import { circulantExtremes } from "./circulant.ts";
import type { ShiftDraws } from "./sequence.ts";

/** The fraction of nodes that Alg. 2 (greedy) matches at label difference v: all but |n - 2 q round(n / 2 q)|. */
export function greedyMatched(n: number, v: number): number {
  const q = Math.min(v, n - v);
  const r = n % (2 * q);
  return 1 - Math.min(r, 2 * q - r) / n;
}

/** The same for the alternative construction (Alg. 5): cycles of length n / gcd(v, n), the odd ones leave one node idle. */
export function euclidMatched(n: number, v: number): number {
  const d = gcd(v, n);
  return (n / d) % 2 === 0 ? 1 : 1 - d / n;
}

type Tally = Pick<ShiftDraws, "shifts" | "counts">;

/** beta^2 for distinct shifts with their multiplicities; `matched(v)` is the share of nodes with a partner at difference v. O(n M), O(n log n) for many shifts. */
export function equiDynFactor(n: number, basis: Tally, c: number, matched: (v: number) => number): number {
  const { shifts, counts } = basis;
  let total = 0;
  for (let j = 0; j < counts.length; j++) total += counts[j];
  const weights = Float64Array.from(counts, (count, j) => (count / total) * matched(shifts[j]));
  let sum = 0;
  for (const weight of weights) sum += weight;
  const circulant: Circulant = { n, self: 0, shifts, weights };
  // A disconnected basis leaves some k with cos = 1 for every v: no contraction there.
  const top = circulantExtremes(circulant, "real").maxReal;
  return 1 - 2 * c * (1 - c) * Math.max(0, sum - Math.min(top, sum));
}
