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
import { about, type Given, optional, whole } from "../input/option.ts";
import { isPrime, isSquareModulo } from "../number/factors.ts";
import { mod, powMod } from "../number/integers.ts";
import { randomSteps } from "../rate/work.ts";
import { computedTopology, regularGraph } from "./graph.ts";
import { checkOptions, defineTopology, type Topology } from "./topology.ts";
import { baselineSpec, undirectedOptions } from "./weights.ts";

/** Row by row, entries in [0, q). */
export type Matrix = readonly [number, number, number, number];

/**
 * The invertible 2 x 2 matrices mod an odd prime q up to scalars, PGL(2, q), and those of square determinant among them,
 * PSL(2, q), numbered 0, 1, 2, ... so that a matrix has its label, and a label its matrix, in O(1). q = 1 mod 4, where
 * -1 is a square.
 *
 * Of each class the matrix whose first nonzero entry is 1 stands for it: [[1, b], [c, b c + e]] with determinant e, or
 * [[0, 1], [c, d]] with determinant -c. With D determinants allowed (q - 1, or the (q - 1)/2 squares) the first kind has
 * the labels (b q + c) D + place of e, the second q^2 D + d D + place of c.
 *
 * PSL(2, q) where `special`, PGL(2, q) otherwise. Tables of q numbers.
 */
export function projectiveGroup(q: number, special: boolean) {
  const allowed = Array.from({ length: q - 1 }, (_, k) => k + 1).filter((e) => !special || isSquareModulo(e, q));
  const place = new Int32Array(q).fill(-1);
  allowed.forEach((e, index) => {
    place[e] = index;
  });
  const inverse = Int32Array.from({ length: q }, (_, a) => (a === 0 ? 0 : powMod(a, q - 2, q)));
  const determinants = allowed.length;
  return {
    order: (q * q + q) * determinants,
    matrixOf(label: number): Matrix {
      const index = label % determinants;
      const rest = (label - index) / determinants;
      if (rest >= q * q) return [0, 1, allowed[index], rest - q * q];
      const c = rest % q;
      const b = (rest - c) / q;
      return [1, b, c, (b * c + allowed[index]) % q];
    },
    labelOf([a, b, c, d]: Matrix): number {
      const scale = inverse[a === 0 ? b : a];
      const low = (c * scale) % q;
      const last = (d * scale) % q;
      if (a === 0) return (q * q + last) * determinants + place[low];
      const top = (b * scale) % q;
      return (top * q + low) * determinants + place[(last + (q - ((top * low) % q))) % q];
    },
    product: ([a, b, c, d]: Matrix, [e, f, g, h]: Matrix): Matrix => [
      (a * e + b * g) % q,
      (a * f + b * h) % q,
      (c * e + d * g) % q,
      (c * f + d * h) % q,
    ],
  };
}

export interface LpsOptions extends Given<typeof lpsOptions> {}

/** Labels are 32-bit integers: q (q^2 - 1) stays below 2^31. */
const LARGEST_Q = 1290;

const lpsOptions = {
  /** By default the smallest that fits n. */
  p: about(optional(whole(17, 5)), "degree less 1 of an lps graph: a prime = 1 mod 4", "P"),
  /** By default the one that n is made of. */
  q: about(optional(whole(13, 5, LARGEST_Q)), "the prime field of an lps graph: a prime = 1 mod 4", "Q"),
  ...undirectedOptions,
};

const isFit = (prime: number) => prime % 4 === 1 && isPrime(prime);

const fields = () => Array.from({ length: LARGEST_Q / 4 }, (_, k) => 4 * k + 5).filter(isFit);

/** The first pair whose graph has n nodes, among those with the given p and q; of several p the smallest. */
function pairFor(n: number, given?: number, q?: number): { p: number; q: number } | undefined {
  for (const field of q === undefined ? fields() : [q]) {
    const most = field * (field * field - 1);
    if (!isFit(field) || (n !== most && 2 * n !== most)) continue;
    for (let p = given ?? 5; 4 * p < field * field; p += 4) {
      if (isFit(p) && p !== field && n === most / (isSquareModulo(p, field) ? 2 : 1)) return { p, q: field };
      if (given !== undefined) break;
    }
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
  const given = checkOptions(lpsFamily, options);
  const pair = pairFor(given.n, given.p, given.q);
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
  const most = (q === undefined ? fields() : [q]).map((field) => field * (field * field - 1));
  const both = most.flatMap((size) => [size / 2, size]).sort((a, b) => a - b);
  const sizes = both.filter((size) => pairFor(size, p, q) !== undefined);
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
  title: "LPS",
  summary: "undirected, static, degree p + 1, n = q(q^2 - 1) or half of it: Ramanujan graphs",
  source: "Lubotzky, Phillips and Sarnak 1988",
  group: "rival",
  options: lpsOptions,
  refuses: (n) => (pairFor(n) === undefined ? "needs q(q^2 - 1)/2 or q(q^2 - 1), q a prime = 1 mod 4" : undefined),
  work: ({ n, p = 5 }) => ({ edges: n * (p + 1), steps: 1.5 * randomSteps(n) }),
  create: lps,
});
