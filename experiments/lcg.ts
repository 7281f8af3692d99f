/**
 * The data of the rivals' experiments, which any program in any language can make again: a linear congruential generator and
 * sums of twelve uniform numbers, exact in double precision,
 *
 *   X <- (1664525 X + 1013904223) mod 2^32 from X = seed,   u = (X + 1/2) / 2^32,   normal = (sum of 12 u) - 6.
 *
 * They are poor random numbers, but good enough as data.
 */

import { type LeastSquares, leastSquaresFrom } from "equitopo/internal/problem";

export function lcgNormals(seed: number): (count: number) => Float64Array {
  let state = seed;
  const normal = () => {
    let sum = 0;
    for (let k = 0; k < 12; k++) {
      state = (1664525 * state + 1013904223) % 4294967296;
      sum += (state + 0.5) / 4294967296;
    }
    return sum - 6;
  };
  return (count) => Float64Array.from({ length: count }, normal);
}

/** Whether each node has its own solution, or each of ten groups of neighbouring labels. */
export type Heterogeneity = "iid" | "sorted";

/**
 * Least squares whose nodes have different solutions: b_i = A_i (x* + v_i) + 0.1 s_i, A_i 50 x 10, all normal, no noise
 * in the gradients. Drawn from seed 5: x*, then for each node v_i, A_i and s_i; sorted, v_i are instead the first normals
 * of seed 1005 + floor(10 i / n). Stretched, the columns of all A_i have lengths from 1 to 1 / stretch, and x* is 1 or -1 in
 * every direction, so that the start is as far from it in flat ones as in steep ones. O(n K d^2).
 */
export function rivalProblem(
  n: number,
  spread: Heterogeneity,
  { seed = 5, stretch }: { readonly seed?: number; readonly stretch?: number } = {},
): LeastSquares {
  const [d, K] = [10, 50];
  const draw = lcgNormals(seed);
  const centre = draw(d).map((value) => (stretch === undefined ? value : Math.sign(value)));
  const A = new Float64Array(n * K * d);
  const b = new Float64Array(n * K);
  for (let i = 0; i < n; i++) {
    const own = draw(d);
    const rows = draw(K * d).map((value, k) => value * (stretch ?? 1) ** (-(k % d) / (d - 1)));
    const noise = draw(K);
    const v = spread === "iid" ? own : lcgNormals(1000 + seed + Math.floor((10 * i) / n))(d);
    A.set(rows, i * K * d);
    for (let k = 0; k < K; k++) {
      let value = 0.1 * noise[k];
      for (let j = 0; j < d; j++) value += rows[k * d + j] * (centre[j] + v[j]);
      b[i * K + k] = value;
    }
  }
  return leastSquaresFrom({ n, d, A, b });
}
