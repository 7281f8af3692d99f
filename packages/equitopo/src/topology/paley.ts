/**
 * Paley graph: n = q, a prime = 1 mod 4 or the square of an odd prime; i ~ j iff i - j is a nonzero square of the field
 * GF(q). W = (I + A)/(d + 1), degree d = (q - 1)/2. The eigenvalues of A beside d are (-1 +- sqrt q)/2, so the rate is
 *
 *   (1 + sqrt q)/(q + 1),
 *
 * and 1/sqrt q with the best constant weight. (At q = 3 mod 4 the relation is not symmetric.)
 *
 * GF(p) is the integers mod p, and the graph a circulant. GF(p^2) is Z_p[r], r^2 the least non-residue of p; a r + b has
 * the label a p + b. A node needs the list of squares, which is as long as its degree.
 */

import { InputError, nearestAccepted } from "../input/input.ts";
import { isPrime, isSquareModulo } from "../number/factors.ts";
import { mulMod } from "../number/integers.ts";
import { uniformCirculant } from "./circulant.ts";
import { computedTopology, regularGraph } from "./graph.ts";
import { checkOptions, defineTopology, type Topology } from "./topology.ts";
import { baselineSpec, type UndirectedOptions, undirectedOptions } from "./weights.ts";

/** The prime whose square q is, or undefined. */
function primeRoot(q: number): number | undefined {
  const root = Math.round(Math.sqrt(q));
  return root * root === q && root > 2 && isPrime(root) ? root : undefined;
}

const isOrder = (q: number) => (q % 4 === 1 && isPrime(q)) || primeRoot(q) !== undefined;

/**
 * @example
 * ```ts
 * import { paley } from "equitopo/topology";
 * paley({ n: 101 }).rate().rate.toFixed(6) // => "0.108332"
 * paley({ n: 49 }).maxDegree // => 24
 * ```
 */
export function paley(options: UndirectedOptions): Topology {
  const { n } = checkOptions(paleyFamily, options);
  if (!isOrder(n)) {
    const rule = "a Paley graph needs n to be a prime = 1 mod 4, or the square of an odd prime";
    throw new InputError(rule, n, nearestAccepted(n, 5, isOrder));
  }
  const spec = baselineSpec("paley", options);
  const root = Math.sqrt(n);
  const ends = { largest: (1 + root) / (n + 1), smallest: (1 - root) / (n + 1) };
  const p = primeRoot(n);
  if (p !== undefined)
    return computedTopology(spec, { ...regularGraph((n - 1) / 2, squareField(p)), ends: () => ends });
  const shifts = [...new Set(Array.from({ length: (n - 1) / 2 }, (_, k) => mulMod(k + 1, k + 1, n)))];
  shifts.sort((a, b) => a - b);
  return uniformCirculant(spec, shifts, ends);
}

/** The neighbours of a node of GF(p^2): itself plus every nonzero square. */
function squareField(p: number): (i: number) => number[] {
  let nonResidue = 2;
  while (isSquareModulo(nonResidue, p)) nonResidue++;
  const squares = new Set<number>();
  for (let a = 0; a < p; a++) {
    for (let b = 0; b < p; b++) squares.add(((2 * a * b) % p) * p + ((b * b + ((a * a) % p) * nonResidue) % p));
  }
  squares.delete(0);
  const list = Int32Array.from(squares);
  return (i) => {
    const b = i % p;
    const a = (i - b) / p;
    return Array.from(list, (square) => ((a + Math.floor(square / p)) % p) * p + ((b + square) % p));
  };
}

export const paleyFamily = defineTopology({
  name: "paley",
  summary: "undirected, static, degree (n - 1)/2, n a prime = 1 mod 4 or its square: differences that are squares",
  source: "Paley 1933; Erdos and Renyi 1963",
  group: "rival",
  options: undirectedOptions,
  refuses: (n) => (isOrder(n) ? undefined : "needs a prime = 1 mod 4, or the square of an odd prime"),
  // One over a field of p^2 is listed edge by edge, one over a prime field is a circulant.
  work: ({ n }) =>
    primeRoot(n) === undefined ? { operationsPerNode: 50, bytesPerNode: 60 } : { edges: (n * (n - 1)) / 2 },
  create: paley,
});
