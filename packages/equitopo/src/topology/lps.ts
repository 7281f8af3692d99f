/**
 * The Ramanujan graph X^(p,q) of Lubotzky, Phillips and Sarnak (1988): p, q distinct primes = 1 mod 4, q > 2 sqrt p.
 * Nodes are 2 x 2 matrices mod q up to scalars; a node g has the p + 1 neighbours g s, one for each solution of
 * a^2 + b^2 + c^2 + d^2 = p with a > 0 odd and b, c, d even,
 *
 *   s = [[a + ib, c + id], [-c + id, a - ib]],   i^2 = -1 mod q.
 *
 * Where p is a square mod q they are those of square determinant (PSL), n = q(q^2 - 1)/2; otherwise all invertible ones
 * (PGL), n = q(q^2 - 1), and the graph is bipartite: without an own weight it would never agree.
 *
 * W = (I + A)/(p + 2). Undirected, static, degree p + 1; eigenvalues of A beside +-(p + 1) are at most 2 sqrt p. A node
 * knows its neighbours from its label in O(p log p), with tables of q numbers.
 */

import { InputError } from "../input/input.ts";
import { about, optional, whole } from "../input/option.ts";
import { mod } from "../number/integers.ts";
import { isPrime, isSquareModulo } from "../number/primes.ts";
import { computedTopology, regularGraph } from "./computed.ts";
import { type Matrix, projectiveGroup } from "./projective.ts";
import { checkOptions, defineTopology, type Topology } from "./topology.ts";
import { baselineSpec, type UndirectedOptions, undirectedOptions } from "./weights.ts";

export interface LpsOptions extends UndirectedOptions {
  /** The degree less 1; the smallest that fits n by default. */
  readonly p?: number;
  /** By default the q that n is made of. */
  readonly q?: number;
}

/** Labels are 32-bit integers: q (q^2 - 1) stays below 2^31. */
const LARGEST_Q = 1290;

const isFit = (prime: number) => prime % 4 === 1 && isPrime(prime);
const sizeOf = (p: number, q: number) => (q * (q * q - 1)) / (isSquareModulo(p, q) ? 2 : 1);

const fitTogether = (p: number, q: number) => isFit(p) && isFit(q) && p !== q && 4 * p < q * q;

/** The primes q. */
const fields = () => Array.from({ length: LARGEST_Q / 4 }, (_, k) => 4 * k + 5).filter(isFit);

/** The given p, or else the smallest, whose graph with this q has n nodes. */
function degreeFor(n: number, q: number, given?: number): number | undefined {
  const most = q * (q * q - 1);
  if (n !== most && 2 * n !== most) return undefined;
  if (given !== undefined) return fitTogether(given, q) && sizeOf(given, q) === n ? given : undefined;
  for (let p = 5; 4 * p < q * q; p += 4) if (fitTogether(p, q) && sizeOf(p, q) === n) return p;
  return undefined;
}

/** The first pair whose graph has n nodes, among those with the given p and q. */
function pairFor(n: number, p?: number, q?: number): { p: number; q: number } | undefined {
  for (const field of q === undefined ? fields() : [q]) {
    const degree = degreeFor(n, field, p);
    if (degree !== undefined) return { p: degree, q: field };
  }
  return undefined;
}

/**
 * @example
 * ```ts
 * import { lps } from "equitopo/topology";
 * lps({ n: 1092, p: 17, q: 13 }).rate().rate.toFixed(6) // => "0.417274"
 * lps({ n: 2184 }).maxDegree // => 6
 * ```
 */
export function lps(options: LpsOptions): Topology {
  checkOptions(lpsFamily, options);
  const pair = pairFor(options.n, options.p, options.q);
  if (pair === undefined) throw refusal(options);
  const { p, q } = pair;
  const group = projectiveGroup(q, isSquareModulo(p, q));
  const generators = quaternions(p, q);
  const neighbours = (i: number) => {
    const g = group.matrixOf(i);
    return generators.map((s) => group.labelOf(group.product(g, s)));
  };
  return computedTopology(baselineSpec("lps", options, { p, q }), regularGraph(p + 1, neighbours));
}

/** The p + 1 generators, from the integer solutions of a^2 + b^2 + c^2 + d^2 = p with a > 0 odd, the others even. */
function quaternions(p: number, q: number): Matrix[] {
  let i = 2;
  while ((i * i) % q !== q - 1) i++;
  const most = Math.floor(Math.sqrt(p));
  const evens = Array.from({ length: 2 * most + 1 }, (_, k) => k - most).filter((k) => k % 2 === 0);
  const found: Matrix[] = [];
  for (let a = 1; a <= most; a += 2) {
    for (const b of evens) {
      for (const c of evens) {
        for (const d of evens) {
          if (a * a + b * b + c * c + d * d !== p) continue;
          found.push([mod(a + i * b, q), mod(c + i * d, q), mod(-c + i * d, q), mod(a - i * b, q)]);
        }
      }
    }
  }
  return found;
}

/** Why there is no such graph: p and q that are none, or an n that is not theirs. */
function refusal({ n, p, q }: LpsOptions): InputError {
  const sizes = (q === undefined ? fields() : [q])
    .flatMap((field) => [(field * (field * field - 1)) / 2, field * (field * field - 1)])
    .filter((size) => pairFor(size, p, q) !== undefined)
    .sort((a, b) => a - b);
  if (sizes.length === 0) {
    const rule = "p and q of an LPS graph must be distinct primes = 1 mod 4, q > 2 sqrt p";
    return new InputError(rule, { p, q }, "try p = 17, q = 13, n = 1092");
  }
  const near = [...sizes.filter((size) => size < n).slice(-1), ...sizes.filter((size) => size > n).slice(0, 1)];
  const rule = "an LPS graph needs n = q(q^2 - 1)/2 where p is a square mod q, and n = q(q^2 - 1) elsewhere";
  return new InputError(rule, n, `try n = ${near.join(" or ")}`);
}

export const lpsFamily = defineTopology({
  name: "lps",
  summary: "undirected, static, degree p + 1, n = q(q^2 - 1) or half of it: Ramanujan graphs",
  source: "Lubotzky, Phillips and Sarnak 1988",
  group: "rival",
  options: {
    p: about(optional(whole(17, 5)), "degree less 1 of an lps graph: a prime = 1 mod 4", "P"),
    q: about(optional(whole(13, 5, LARGEST_Q)), "the prime field of an lps graph: a prime = 1 mod 4", "Q"),
    ...undirectedOptions,
  },
  refuses: (n) => (pairFor(n) === undefined ? "needs q(q^2 - 1)/2 or q(q^2 - 1), q a prime = 1 mod 4" : undefined),
  create: lps,
});
