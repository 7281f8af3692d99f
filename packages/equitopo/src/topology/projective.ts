/**
 * The invertible 2 x 2 matrices mod an odd prime q up to scalars, PGL(2, q), and those of square determinant among them,
 * PSL(2, q), numbered 0, 1, 2, ... so that a matrix has its label, and a label its matrix, in O(1). q = 1 mod 4, where
 * -1 is a square.
 *
 * Of each class the matrix whose first nonzero entry is 1 stands for it: [[1, b], [c, b c + e]] with determinant e, or
 * [[0, 1], [c, d]] with determinant -c. With D determinants allowed (q - 1, or the (q - 1)/2 squares) the first kind has
 * the labels (b q + c) D + place of e, the second q^2 D + d D + place of c.
 */

import { isSquareModulo, powMod } from "../number/primes.ts";

/** Row by row, entries in [0, q). */
export type Matrix = readonly [number, number, number, number];

export interface ProjectiveGroup {
  readonly order: number;
  matrixOf(label: number): Matrix;
  labelOf(matrix: Matrix): number;
  product(a: Matrix, b: Matrix): Matrix;
}

/** PSL(2, q) where `special`, PGL(2, q) otherwise. Tables of q numbers. */
export function projectiveGroup(q: number, special: boolean): ProjectiveGroup {
  const allowed = Array.from({ length: q - 1 }, (_, k) => k + 1).filter((e) => !special || isSquareModulo(e, q));
  const place = new Int32Array(q).fill(-1);
  allowed.forEach((e, index) => {
    place[e] = index;
  });
  const inverse = Int32Array.from({ length: q }, (_, a) => (a === 0 ? 0 : powMod(a, q - 2, q)));
  const determinants = allowed.length;
  return {
    order: (q * q + q) * determinants,
    matrixOf(label) {
      const index = label % determinants;
      const rest = (label - index) / determinants;
      if (rest >= q * q) return [0, 1, allowed[index], rest - q * q];
      const c = rest % q;
      const b = (rest - c) / q;
      return [1, b, c, (b * c + allowed[index]) % q];
    },
    labelOf([a, b, c, d]) {
      const scale = inverse[a === 0 ? b : a];
      const low = (c * scale) % q;
      const last = (d * scale) % q;
      if (a === 0) return (q * q + last) * determinants + place[low];
      const top = (b * scale) % q;
      return (top * q + low) * determinants + place[(last + (q - ((top * low) % q))) % q];
    },
    product: ([a, b, c, d], [e, f, g, h]) => [
      (a * e + b * g) % q,
      (a * f + b * h) % q,
      (c * e + d * g) % q,
      (c * f + d * h) % q,
    ],
  };
}
