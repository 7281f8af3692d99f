/**
 * Base-(k+1) graph (Takezawa and others, NeurIPS 2023): with n = p q, p the part of n without primes above k + 1, the
 * Simple Base-(k+1) graph of q in each of p groups of q labels in a row, then the hyper-hypercube H_k(p) over the groups, at
 * equal places. Where p or q is 1, and where it is shorter, the Simple Base-(k+1) graph of n.
 *
 * Undirected, degree at most k, periodic, any n >= 2, exact after at most 2 log_{k+1} n + 2 rounds from the start of a
 * period. Rounds do not commute: who starts in the middle waits up to twice as long. peers(t, i) in O(k + log n).
 */

import { smoothPart } from "../number/factors.ts";
import { type FiniteTime, finiteTimeTopology, finiteTimeWork } from "./finite-time.ts";
import { cuboid, mostPeers, publishedFactors } from "./hyper-hypercube.ts";
import { simpleRounds } from "./simple-base.ts";
import { checkOptions, defineTopology, type Topology } from "./topology.ts";

/**
 * @example
 * ```ts
 * import { base } from "equitopo/topology";
 * base({ n: 300 }).exactAfter // => 15
 * base({ n: 300, k: 4 }).exactAfter // => 4
 * ```
 */
export function base(given: { readonly n: number; readonly k?: number }): Topology {
  const { n, k } = checkOptions(baseFamily, given);
  return finiteTimeTopology({ name: "base", n, k }, baseRounds(n, k));
}

function baseRounds(n: number, k: number): FiniteTime {
  const simple = simpleRounds(n, k);
  const groups = smoothPart(n, k + 1);
  if (groups === 1 || groups === n) return simple;
  const size = n / groups;
  const inside = simpleRounds(size, k);
  const across = cuboid(publishedFactors(groups, k));
  const length = inside.length + across.length;
  if (simple.length < length) return simple;
  return {
    length,
    degree: Math.max(inside.degree, across.degree),
    part: (t, i) =>
      t < inside.length ? inside.part(t, i, i - (i % size)) : across.part(t - inside.length, i, 0, size),
  };
}

export const baseFamily = defineTopology({
  name: "base",
  summary: "undirected, at most k peers per round, periodic, exact for any n, sooner than simple-base where n factors",
  source: "Takezawa, Sato, Bao, Niwa, Yamada 2023",
  group: "rival",
  featured: true,
  options: { k: mostPeers },
  variants: (_n, degree) => [{ k: degree }, { k: 1 }],
  work: (options) => finiteTimeWork(base(options)),
  create: base,
});
