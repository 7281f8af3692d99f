/**
 * De Bruijn graph, generalised to any n >= p >= 2 (Reddy, Pradhan and Kuhl 1980; Imase and Itoh 1981): node i hears from
 *
 *   p i + c mod n,   c = 0 .. p - 1,   weight 1/p,   and j sends to floor((j + r n) / p),   r = 0 .. p - 1.
 *
 * Static, directed, degree p (a loop is an own weight). Doubly stochastic for every n: the numbers p i + c run through
 * 0 .. p n - 1 once. Not normal: W^m looks at p^m labels in a row from p^m i on, so that with d = gcd(p^m, n)
 *
 *   ||W^m - J|| = max over f of |sin(pi P f / N)| / (P |sin(pi f / N)|),   P = p^m / d,   N = n / d:
 *
 * mode f goes to mode p^m f, and the d modes with the same target add up by sum_j 1/sin^2(x + pi j/d) = d^2/sin^2(d x).
 * It is 0 where n divides p^m, and p^-m where p^m = +-1 mod n. In one round it is near 1, which says nothing; in the long
 * run it shrinks by 1/p a round, the modulus of every other eigenvalue that is not 0.
 */

import { InputError } from "../input/input.ts";
import { about, whole } from "../input/option.ts";
import { dividingPowers } from "../number/factors.ts";
import { gcd, powMod } from "../number/integers.ts";
import { windowNorm } from "../rate/window.ts";
import type { SparseRound } from "../round/round.ts";
import { sparseRound } from "./graph.ts";
import { checkOptions, defineTopology, type Neighbour, type Topology, topologyOf } from "./topology.ts";

/**
 * peers(t, i) in O(p), both ways.
 *
 * @example
 * ```ts
 * import { deBruijn } from "equitopo/topology";
 * const graph = deBruijn({ n: 300, p: 7 });
 * graph.peers(0, 100).from.map(({ node }) => node).join() // => "106,105,104,103,102,101"
 * graph.norm?.(4).toExponential(2) // => "4.16e-4"
 * deBruijn({ n: 64, p: 4 }).exactAfter // => 3
 * ```
 */
export function deBruijn(given: { readonly n: number; readonly p?: number }): Topology {
  const { n, p } = checkOptions(deBruijnFamily, given);
  if (p > n) throw new InputError(`a de Bruijn graph needs n of at least p = ${p}`, n, `try n = ${p}, or p = 2`);
  if (n * p > Number.MAX_SAFE_INTEGER) throw new InputError("n p must be below 2^53", n * p, "try p = 2");
  const { part, steps } = dividingPowers(n, p);
  const exact = part === n;
  const weight = 1 / p;
  // All are met both ways with p = n, and with p = n - 1 all but each node's mirror image -1 - i.
  const symmetric = p >= n - 1;
  const norm = (m: number) => {
    const d = commonDivisor(p, m, n);
    return Math.min(1, windowNorm(n / d, [{ size: p ** m / d, residue: powMod(p, m, n) / d, times: 1 }]));
  };
  /** p labels in a row, in the order of additions at i; i itself is left out. */
  const heard = (i: number): Neighbour[] => {
    const first = (p * i) % n;
    const last = first + p - 1;
    // i, or i + n, or i - n: the last such label up to the end of the row.
    const own = i + n * Math.floor((last - i) / n);
    const from: Neighbour[] = [];
    // i - j mod n ascends as j falls from i, and goes on with the labels behind it.
    for (let j = own - 1; j >= first; j--) from.push({ node: j < n ? j : j - n, weight });
    for (let j = last; j > own && j >= first; j--) from.push({ node: j < n ? j : j - n, weight });
    return from;
  };
  const self = (from: readonly Neighbour[]) => (from.length < p ? weight : 0);
  let round: SparseRound | undefined;
  return topologyOf({
    kind: "static",
    symmetric,
    // Everybody has a loop only where the n / g multiples of g = n - p + 1 all lie in one row of p labels.
    maxDegree: n % (n - p + 1) === 0 ? p - 1 : p,
    ...(exact ? { exactAfter: steps } : {}),
    spec: { name: "de-bruijn", n, p },
    round: () => {
      round ??= sparseRound(
        n,
        heard,
        new Float64Array(n).map((_, i) => self(heard(i))),
      );
      return round;
    },
    peers(_t, i) {
      const from = heard(i);
      const receivers = Array.from({ length: p }, (_, r) => Math.floor((i + r * n) / p));
      const to = receivers.flatMap((node) => (node === i ? [] : [{ node, weight }]));
      return { self: self(from), from, to };
    },
    norm,
    rate() {
      const asymptotic = exact ? 0 : weight;
      const extremes = symmetric ? { eigenvalues: { largest: asymptotic, smallest: 0 - asymptotic } } : {};
      return { rate: norm(1), bound: null, method: "closed form", asymptotic, ...extremes };
    },
  });
}

/** gcd(p^m, n), which p^m itself is too large for. */
function commonDivisor(p: number, m: number, n: number): number {
  let divisor = 1;
  for (let k = 0; k < m; k++) {
    const next = gcd(p * divisor, n);
    if (next === divisor) break;
    divisor = next;
  }
  return divisor;
}

export const deBruijnFamily = defineTopology({
  name: "de-bruijn",
  summary: "directed, static, degree p, any n: i hears from p i, p i + 1, ..., p i + p - 1",
  source: "Reddy, Pradhan, Kuhl 1980; Imase, Itoh 1981",
  group: "rival",
  featured: true,
  options: { p: about(whole(2, 2), "peers of a node of de-bruijn", "P") },
  variants: (_n, degree) => [{ p: Math.max(2, degree) }],
  work: ({ n, p }) => ({ edges: n * p }),
  create: deBruijn,
});
