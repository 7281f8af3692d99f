/**
 * The largest or smallest eigenpair of a symmetric tridiagonal matrix: bisection on Sturm counts for the value
 * (accurate to the last bit, whatever the clustering), inverse iteration for the vector. O(m) memory, O(60 m) time.
 */

import { norm } from "../number/vectors.ts";

/** Diagonal `a`, off-diagonal b[0] .. b[m - 2] (further entries of b are not read). */
export function tridiagonalEnd(
  a: readonly number[],
  b: readonly number[],
  end: "largest" | "smallest",
): { value: number; vector: Float64Array } {
  const m = a.length;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < m; i++) {
    const radius = (i > 0 ? Math.abs(b[i - 1]) : 0) + (i < m - 1 ? Math.abs(b[i]) : 0);
    low = Math.min(low, a[i] - radius);
    high = Math.max(high, a[i] + radius);
  }
  const target = end === "largest" ? m - 1 : 0;
  for (let middle = (low + high) / 2; middle > low && middle < high; middle = (low + high) / 2) {
    if (countBelow(a, b, middle) > target) high = middle;
    else low = middle;
  }
  const value = (low + high) / 2;
  return { value, vector: inverseIteration(a, b, value) };
}

/** How many eigenvalues lie below x: the negative pivots of T - x I. */
function countBelow(a: readonly number[], b: readonly number[], x: number): number {
  let count = 0;
  let pivot = 1;
  for (let i = 0; i < a.length; i++) {
    const coupling = i > 0 ? b[i - 1] : 0;
    pivot = a[i] - x - (coupling * coupling) / pivot;
    if (pivot === 0) pivot = Number.MIN_VALUE;
    if (pivot < 0) count++;
  }
  return count;
}

/** Three steps of (T - x I)^-1 on a vector of ones, by elimination with row exchanges. */
function inverseIteration(a: readonly number[], b: readonly number[], x: number): Float64Array {
  const m = a.length;
  const vector = new Float64Array(m).fill(1);
  for (let pass = 0; pass < 3; pass++) {
    // Rows hold three superdiagonals after exchanges: (d, e, f).
    const d = Float64Array.from(a, (value) => value - x);
    const e = Float64Array.from({ length: m }, (_, i) => (i < m - 1 ? b[i] : 0));
    const f = new Float64Array(m);
    for (let i = 0; i < m - 1; i++) {
      let [ld, le] = [b[i], d[i + 1]];
      let lf = e[i + 1];
      if (Math.abs(ld) > Math.abs(d[i])) {
        [d[i], ld] = [ld, d[i]];
        [e[i], le] = [le, e[i]];
        [f[i], lf] = [lf, f[i]];
        [vector[i], vector[i + 1]] = [vector[i + 1], vector[i]];
      }
      const factor = d[i] === 0 ? 0 : ld / d[i];
      d[i + 1] = le - factor * e[i];
      e[i + 1] = lf - factor * f[i];
      vector[i + 1] -= factor * vector[i];
    }
    for (let i = m - 1; i >= 0; i--) {
      let value = vector[i];
      if (i < m - 1) value -= e[i] * vector[i + 1];
      if (i < m - 2) value -= f[i] * vector[i + 2];
      vector[i] = value / (d[i] === 0 ? Number.EPSILON * 1e-3 : d[i]);
    }
    const size = norm(vector);
    for (let i = 0; i < m; i++) vector[i] /= size;
  }
  return vector;
}
