/**
 * The problem that a gradient method's forecast is for: the paper's least squares (A_i 50 x 10, normal), brought to the
 * condition number and the heterogeneity that are asked for,
 *
 *   f_i(x) = 1/2 x' H_i x + g_i' x,   H_i = D A_i' A_i D + c I,   the sum of all g_i 0,
 *
 * in units in which L, the largest eigenvalue of any H_i, and the way from the start to the solution 0 are 1. D stretches the
 * directions, or c makes them alike, until the smallest eigenvalue of the mean of all H_i is 1 / kappa. The g_i are those of
 * nodes with solutions of their own, or of ten blocks of nodes alike where data is sorted, with b for their root mean square.
 */

import { centre, norm, scale } from "../number/vectors.ts";
import { symmetricEigenvalues } from "../problem/eigenvalues.ts";
import type { Problem } from "../problem/problem.ts";
import { fillNormal } from "../random/normal.ts";
import { streams } from "../random/stream.ts";
import type { Question } from "./question.ts";

/** The constants of a problem, and whether its data is sorted by label. */
export type ProblemClass = Pick<Question, "kappa" | "b" | "sigma" | "heterogeneous">;

export interface ModelProblem extends Problem {
  /** The eigenvalues of the mean of all H_i. */
  readonly curvatures: Float64Array;
  /** All g_i: the nodes' gradients at the solution. */
  readonly apart: Float64Array;
}

const d = 10;
const SAMPLES = 50;
/** More kinds of nodes than this are not drawn: node i is of kind i mod 256. */
const KINDS = 256;
const BLOCKS = 10;

/** Draws the problem. O(n d^2). */
export function modelProblem(n: number, { kappa, b, sigma, heterogeneous }: ProblemClass, seed: number): ModelProblem {
  const drawn = hessians(Math.min(n, KINDS), seed);
  let found = shaped(drawn, 1, 0);
  if (found.kappa < kappa) {
    // The condition number grows about as the stretch does.
    for (let k = 0, stretch = 1; k < 5; k++) {
      stretch *= kappa / found.kappa;
      found = shaped(drawn, stretch, 0);
    }
  } else found = shaped(drawn, 1, (found.L - kappa * found.mu) / Math.max(kappa - 1, 1e-9));
  const { matrices, L, curvatures } = found;
  scale(matrices, 1 / L);
  scale(curvatures, 1 / L);
  const times = (x: ArrayLike<number>, at: number, i: number, out: Float64Array, to: number) => {
    const matrix = (i % KINDS) * d * d;
    for (let j = 0; j < d; j++) {
      let sum = 0;
      for (let k = 0; k < d; k++) sum += matrices[matrix + j * d + k] * x[at + k];
      out[to + j] = sum;
    }
  };
  const own = ownSolutions(n, d, heterogeneous, seed);
  const apart = new Float64Array(n * d);
  for (let i = 0; i < n; i++) times(own, i * d, i, apart, i * d);
  centre(apart, d);
  scale(apart, (b * Math.sqrt(n)) / (norm(apart) || 1));
  return {
    name: "model",
    n,
    d,
    start: new Float64Array(d).fill(-1 / Math.sqrt(d)),
    curvatures,
    apart,
    gradient(x, t, out, first, count) {
      const noise = new Float64Array(sigma > 0 ? count * d : 0);
      if (sigma > 0) scale(fillNormal(noise, seed, streams.gradientNoise, t, first * d), sigma / Math.sqrt(d));
      for (let i = 0; i < count; i++) {
        times(x, i * d, first + i, out as Float64Array, i * d);
        for (let j = 0; j < d; j++) out[i * d + j] += apart[(first + i) * d + j] + (sigma > 0 ? noise[i * d + j] : 0);
      }
    },
    metrics: (x) => ({ relativeError: norm(x) / Math.sqrt(n) }),
  };
}

/** How far the nodes' own solutions are from the common one, normal: each its own, or one for each of ten blocks. */
function ownSolutions(n: number, width: number, heterogeneous: boolean, seed: number): Float64Array {
  if (!heterogeneous) return fillNormal(new Float64Array(n * width), seed, streams.localSolution, 0);
  const kinds = fillNormal(new Float64Array(BLOCKS * width), seed, streams.localSolution, 1);
  const blockOf = (i: number) => Math.floor((BLOCKS * i) / n);
  return Float64Array.from(
    { length: n * width },
    (_, k) => kinds[blockOf(Math.floor(k / width)) * width + (k % width)],
  );
}

/** A' A for so many normal A. */
function hessians(count: number, seed: number): Float64Array {
  const A = fillNormal(new Float64Array(count * SAMPLES * d), seed, streams.features, 0);
  const out = new Float64Array(count * d * d);
  for (let row = 0; row < count * SAMPLES; row++) {
    const at = Math.floor(row / SAMPLES) * d * d;
    for (let j = 0; j < d; j++) for (let k = 0; k < d; k++) out[at + j * d + k] += A[row * d + j] * A[row * d + k];
  }
  return out;
}

/** The matrices with directions stretched and `ridge` on the diagonal, and what condition they are then in. */
function shaped(drawn: Float64Array, stretch: number, ridge: number) {
  const count = drawn.length / (d * d);
  const matrices = drawn.slice();
  const mean = new Float64Array(d * d);
  let L = 0;
  for (let i = 0; i < count; i++) {
    const own = matrices.subarray(i * d * d, (i + 1) * d * d);
    for (let j = 0; j < d; j++) {
      for (let k = 0; k < d; k++) own[j * d + k] *= stretch ** (-(j + k) / (2 * (d - 1)));
      own[j * d + j] += ridge;
    }
    for (let k = 0; k < d * d; k++) mean[k] += own[k] / count;
    L = Math.max(L, symmetricEigenvalues(own, d)[d - 1]);
  }
  const curvatures = symmetricEigenvalues(mean, d);
  return { matrices, L, mu: curvatures[0], kappa: L / curvatures[0], curvatures };
}
