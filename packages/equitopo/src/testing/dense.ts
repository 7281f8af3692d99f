/**
 * The dense oracle that exact rates are compared with: plain O(n^3) linear algebra on row-major n x n arrays, whose only aim
 * is to be obviously right. The library itself never makes a dense matrix to compute a rate.
 */

import { centre, dot, norm } from "../number/vectors.ts";
import { type Matrix as Dense, times, transpose } from "../rate/dense.ts";
import { denseMatrix } from "../round/round.ts";
import { sharedRound } from "../topology/pairs.ts";
import type { PairRound, Topology } from "../topology/topology.ts";

export { symmetricEigenvalues } from "../problem/eigenvalues.ts";

export { type Dense, times as multiply, transpose };

/** Pi W: every column without its mean. */
export function project(w: Dense, n: number): Dense {
  const out = Float64Array.from(w);
  centre(out, n);
  return out;
}

function angle(cotangent: number): { c: number; s: number } {
  const t = Math.sign(cotangent || 1) / (Math.abs(cotangent) + Math.hypot(1, cotangent));
  const c = 1 / Math.hypot(1, t);
  return { c, s: c * t };
}

/**
 * The largest singular value, by one-sided Jacobi: columns are rotated until they are orthogonal, and the longest is the
 * norm. Never forms A^T A, so small norms keep all their digits.
 */
export function spectralNorm(matrix: Dense, n: number): number {
  const transposed = transpose(matrix, n);
  const columns = Array.from({ length: n }, (_, j) => transposed.subarray(j * n, (j + 1) * n));
  const total = dot(matrix, matrix);
  for (let sweep = 0, turned = true; turned && sweep < 60; sweep++) {
    turned = false;
    for (let p = 0; p < n - 1; p++) {
      for (let q = p + 1; q < n; q++) {
        const [x, y] = [columns[p], columns[q]];
        const [coupling, xx, yy] = [dot(x, y), dot(x, x), dot(y, y)];
        if (Math.abs(coupling) <= 1e-14 * Math.sqrt(xx * yy) || xx * yy < 1e-64 * total * total) continue;
        turned = true;
        const { c, s } = angle((yy - xx) / (2 * coupling));
        for (let k = 0; k < n; k++) [x[k], y[k]] = [c * x[k] - s * y[k], s * x[k] + c * y[k]];
      }
    }
  }
  return Math.max(...columns.map(norm));
}

/** ||Pi W||_2. */
export function consensusNorm(w: Dense, n: number): number {
  return spectralNorm(project(w, n), n);
}

/** The dense product of rounds first .. first + m - 1; over two vectors, acting on an x that z starts as. */
export function denseProduct(topology: Topology, first: number, m: number): Dense {
  const { n, pair } = topology;
  const rounds = Array.from({ length: m }, (_, k) => denseMatrix(topology.round(first + k)));
  if (pair === undefined) return rounds.reduce((earlier, w) => times(w, earlier, n));
  const product = rounds
    .map((heard, k) => pairMatrix(n, heard, pair(first + k)))
    .reduce((earlier, w) => times(w, earlier, 2 * n));
  // The rows of x, the columns of x and of z added up.
  return Float64Array.from({ length: n * n }, (_, e) => {
    const [i, j] = [Math.floor(e / n), e % n];
    return product[i * 2 * n + j] + product[i * 2 * n + n + j];
  });
}

/** One round's W, dense; over two vectors, its action on x if z = x. */
export function denseRound(topology: Topology, t: number): Dense {
  return denseMatrix(sharedRound(topology, t));
}

/** The 2n x 2n matrix of a round on (x, z). */
function pairMatrix(n: number, heard: Dense, { sends, x, z }: PairRound): Dense {
  const w = new Float64Array(4 * n * n);
  const sent = sends === "x" ? 0 : n;
  for (let row = 0; row < 2 * n; row++) {
    const { own, heard: share } = row < n ? x : z;
    w[row * 2 * n + row] += own;
    for (let j = 0; j < n; j++) w[row * 2 * n + sent + j] += share * heard[(row % n) * n + j];
  }
  return w;
}
