/** Dense products of rounds: of n x n matrices, or, over two vectors a node, of the 2n x 2n ones that take (x, z) to (x, z). */

import { denseMatrix } from "../round/round.ts";
import { sharedRound } from "../topology/pair.ts";
import type { PairRound, Topology } from "../topology/topology.ts";
import { type Dense, multiply } from "./dense.ts";

/** What rounds first .. first + m - 1 make of x, dense; over two vectors of an x that z starts as. */
export function denseProduct(topology: Topology, first: number, m: number): Dense {
  const { n, pair } = topology;
  const rounds = Array.from({ length: m }, (_, k) => denseMatrix(topology.round(first + k)));
  if (pair === undefined) return rounds.reduce((earlier, w) => multiply(w, earlier, n));
  const product = rounds
    .map((heard, k) => pairMatrix(n, heard, pair(first + k)))
    .reduce((earlier, w) => multiply(w, earlier, 2 * n));
  // The rows of x, the columns of x and of z added up.
  return Float64Array.from({ length: n * n }, (_, e) => {
    const [i, j] = [Math.floor(e / n), e % n];
    return product[i * 2 * n + j] + product[i * 2 * n + n + j];
  });
}

/** One round's W, dense; over two vectors what it makes of x where z = x. */
export function denseRound(topology: Topology, t: number): Dense {
  return denseMatrix(sharedRound(topology, t));
}

/** The 2n x 2n matrix of a round on (x, z). */
export function pairMatrix(n: number, heard: Dense, { sends, x, z }: PairRound): Dense {
  const w = new Float64Array(4 * n * n);
  const sent = sends === "x" ? 0 : n;
  for (const [first, { own, heard: share }] of [
    [0, x],
    [n, z],
  ] as const) {
    for (let i = 0; i < n; i++) {
      w[(first + i) * 2 * n + first + i] += own;
      for (let j = 0; j < n; j++) w[(first + i) * 2 * n + sent + j] += share * heard[i * n + j];
    }
  }
  return w;
}
