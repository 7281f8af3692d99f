/**
 * Hyper-hypercube H_k(n) (Takezawa and others, NeurIPS 2023): n = f_1 f_2 ... f_m with factors of at most k + 1, labels in
 * the mixed radix (f_1, ..., f_m), digit 1 the least significant. In round l nodes that differ in digit l alone average:
 *
 *   partners i + (c - digit) s,   s = f_1 ... f_{l-1},   digit = floor(i / s) mod f_l,   c != digit,   weights 1 / f_l.
 *
 * Undirected, degree f_l - 1 <= k, for n without a prime factor above k + 1. Each round is a projection and they all
 * commute, so that any m rounds in a row are exact; until then the norm is 1 (a digit has not been touched). k = 1 is the
 * one-peer hypercube. peers(t, i) in O(k).
 */

import { InputError } from "../input/input.ts";
import { about, type Given, whole, word } from "../input/option.ts";
import { nearestSmooth, primeFactors, smoothPart } from "../number/factors.ts";
import { clique, type FiniteTime, finiteTimeTopology, type Part } from "./finite-time.ts";
import { checkOptions, defineTopology, type Topology } from "./topology.ts";

/** Option k of the finite-time graphs. */
export const mostPeers = about(whole(1, 1), "peers of a node in a round, at most", "K");

export interface HyperHypercubeOptions extends Given<typeof cubeOptions> {}

const cubeOptions = {
  k: mostPeers,
  /** published (default): divide by k + 1, k, ..., 2. fewest: the fewest factors, and of these the fewest messages. */
  factors: about(word("published", "fewest"), "how hyper-hypercube splits n: as published, or in the fewest rounds"),
};

/**
 * @example
 * ```ts
 * import { hyperHypercube } from "equitopo/topology";
 * hyperHypercube({ n: 300, k: 9 }).exactAfter // => 3
 * hyperHypercube({ n: 216, k: 7 }).exactAfter // => 4
 * hyperHypercube({ n: 216, k: 7, factors: "fewest" }).exactAfter // => 3
 * ```
 */
export function hyperHypercube(given: HyperHypercubeOptions): Topology {
  const { n, k, factors } = checkOptions(hyperHypercubeFamily, given);
  if (smoothPart(n, k + 1) !== n) {
    const { prime } = primeFactors(n).at(-1)!;
    const rule = `a hyper-hypercube of k = ${k} needs n without a prime factor above ${k + 1}, such as ${prime}`;
    const near = nearestSmooth(n, k + 1, 2 ** 31 - 1).join(" or ");
    throw new InputError(rule, n, `try k = ${prime - 1}, n = ${near}, or base, which takes any n`);
  }
  const rounds = cuboid(factors === "fewest" ? fewestFactors(n, k) : publishedFactors(n, k));
  return finiteTimeTopology({ name: "hyper-hypercube", n, k, factors }, rounds);
}

/** n divided by k + 1, k, ..., 2 as often as each will, ascending; for n without a prime above k + 1. */
export function publishedFactors(n: number, k: number): number[] {
  const factors: number[] = [];
  let rest = n;
  for (let factor = Math.min(k + 1, n); rest > 1; factor--) {
    for (; rest % factor === 0; rest /= factor) factors.unshift(factor);
  }
  return factors;
}

/** The fewest factors up to k + 1 with the product n, of these those of the least sum, ascending. O(divisors^2). */
export function fewestFactors(n: number, k: number): number[] {
  const divisors = primeFactors(n).reduce(
    (all, { prime, exponent }) =>
      all.flatMap((d) => Array.from({ length: exponent + 1 }, (_, power) => d * prime ** power)),
    [1],
  );
  const steps = divisors.filter((d) => d > 1 && d <= k + 1);
  const best = new Map<number, { count: number; sum: number; step: number }>([[1, { count: 0, sum: 0, step: 1 }]]);
  for (const d of divisors.sort((a, b) => a - b).slice(1)) {
    for (const step of steps) {
      const rest = d % step === 0 ? best.get(d / step) : undefined;
      if (rest === undefined) continue;
      const found = { count: rest.count + 1, sum: rest.sum + step, step };
      const known = best.get(d) ?? { count: Number.POSITIVE_INFINITY, sum: 0 };
      if (found.count < known.count || (found.count === known.count && found.sum < known.sum)) best.set(d, found);
    }
  }
  const factors: number[] = [];
  for (let rest = n; rest > 1; rest /= factors[factors.length - 1]) factors.push(best.get(rest)?.step ?? rest);
  return factors.sort((a, b) => a - b);
}

/** The rounds of a hyper-hypercube, which also runs on places that lie `unit` labels apart. */
export interface Cuboid extends FiniteTime {
  part(t: number, i: number, origin?: number, unit?: number): Part;
}

export function cuboid(factors: readonly number[]): Cuboid {
  const strides = factors.map((_, l) => factors.slice(0, l).reduce((product, factor) => product * factor, 1));
  return {
    length: factors.length,
    norm: (m) => (m < factors.length ? 1 : 0),
    degree: Math.max(0, ...factors) - 1,
    part: (t, i, origin = 0, unit = 1) => clique(origin, i - origin, strides[t] * unit, factors[t]),
  };
}

export const hyperHypercubeFamily = defineTopology({
  name: "hyper-hypercube",
  summary: "undirected, at most k peers per round, periodic, exact; n without a prime above k + 1",
  source: "Takezawa, Sato, Bao, Niwa, Yamada 2023",
  group: "rival",
  options: cubeOptions,
  variants: (_n, degree) => [{ k: degree, factors: "fewest" }],
  refuses: (n) => (smoothPart(n, 2) === n ? undefined : "needs n without a prime above k + 1: at k = 1 a power of 2"),
  work: () => ({ bytesPerNode: 30 }),
  create: hyperHypercube,
});
