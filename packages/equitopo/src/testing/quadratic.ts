/**
 * A small problem whose solution is known: least squares with d + 1 normal rows at each node, so that every f_i is strongly
 * convex and has a minimiser of its own. Noise is a function of (node, t).
 */

import { leastSquaresFrom } from "../problem/least-squares.ts";
import type { Problem } from "../problem/problem.ts";
import { fillNormal } from "../random/normal.ts";

/** Random streams that no run uses. */
const [DATA, NOISE] = [1000, 1001];

export interface Quadratic extends Problem {
  /** The minimiser of the mean of all f_i. */
  readonly solution: Float64Array;
}

export interface QuadraticOptions {
  readonly n: number;
  readonly d: number;
  readonly sigma?: number;
  /** Every node has the data and the noise of node 0. */
  readonly homogeneous?: boolean;
  readonly start?: Float64Array;
}

export function quadratic({ n, d, sigma = 0, homogeneous = false, start }: QuadraticOptions): Quadratic {
  const [K, width] = [d + 1, d + 1];
  const data = fillNormal(new Float64Array(n * K * width), 4, DATA, 0);
  if (homogeneous) for (let i = 1; i < n; i++) data.copyWithin(i * K * width, 0, K * width);
  const A = data.filter((_, k) => k % width < d);
  const squares = leastSquaresFrom({ n, d, A, b: data.filter((_, k) => k % width === d) });
  const noise = new Float64Array(d);
  return {
    ...squares,
    name: "quadratic",
    ...(start === undefined ? {} : { start }),
    solution: squares.solution(),
    metrics: (x) => ({ error: squares.metrics(x).relativeError }),
    gradient(x, t, out, first, count) {
      squares.gradient(x, t, out, first, count);
      for (let row = 0; row < count && sigma > 0; row++) {
        fillNormal(noise, 4, NOISE, t, homogeneous ? 0 : (first + row) * d);
        for (let j = 0; j < d; j++) out[row * d + j] += sigma * noise[j];
      }
    },
  };
}
