/**
 * Distributed least squares (paper, Appendix D.3; errata 9):
 *
 *   f_i(x) = 1/2 ||A_i x - b_i||^2,   grad f_i = A_i^T (A_i x - b_i),   plus sigma_n times normal noise an iteration,
 *   A_i (K x d) normal,   b_i = A_i x_i* + sigma_s s_i,   x_i* = x* + sigma_h v_i,   x*, s_i, v_i normal.
 *
 * If d <= K a node keeps H_i = A_i^T A_i and m_i = -A_i^T b_i, and the gradient H_i x + m_i costs d^2 instead of 2 K d (and a
 * fifth of the memory at K = 50, d = 10); otherwise it goes over the rows.
 */

import { nonnegative as fromZero, InputError, integer, real } from "../input/input.ts";
import { about, type Given, nonnegative, seed as seedOption, settle, whole } from "../input/option.ts";
import { norm } from "../number/vectors.ts";
import { fillNormal } from "../random/normal.ts";
import { streams } from "../random/stream.ts";
import { meanRow } from "../round/distance.ts";
import type { Rows } from "../round/round.ts";
import { solveCholesky } from "./cholesky.ts";
import { symmetricEigenvalues } from "./eigenvalues.ts";
import { dot, type LinearData, linearData } from "./linear-kernel.ts";
import { defineProblem, type Problem, type ProblemConstants, type ProblemContext } from "./problem.ts";
import { requireAll, type Share, shareOf } from "./share.ts";
import { distanceTo } from "./spread.ts";

export interface LeastSquaresOptions extends Given<typeof squaresOptions> {}

const squaresOptions = {
  d: whole(10, 1),
  K: about(whole(50, 1), "rows per node"),
  sigmaS: about(nonnegative(0.1), "noise of the measurements"),
  /** Drawn anew in every iteration. */
  sigmaN: about(nonnegative(1), "noise of the gradients"),
  /** 0 as in the paper. */
  sigmaH: about(nonnegative(0), "how far the nodes' own solutions lie apart"),
  seed: seedOption,
};

export interface LeastSquares extends Problem {
  readonly K: number;
  /** The data: n x K x d and n x K numbers (those of its share, if it has one). */
  readonly A: Float64Array;
  readonly b: Float64Array;
  /** x_LS, the minimiser of f = 1/n sum_i f_i; computed when first asked for. */
  solution(): Float64Array;
  /** Exact, at the solution; O(n d^3). */
  constants(): ProblemConstants;
  /**
   * relativeError = ||X - 1 x_LS^T||_F / ||1 x_LS^T||_F, loss = f(mean of x), consensusDistance = ||X - 1 mean^T||_F.
   */
  metrics(x: Rows): Readonly<Record<"relativeError" | "loss" | "consensusDistance", number>>;
}

/**
 * The paper's least-squares problem from a seed. O(n K d^2) once; a gradient of all nodes O(n d min(2K, d)).
 *
 * @example
 * ```ts
 * import { leastSquares } from "equitopo";
 * const problem = leastSquares({ n: 300, seed: 1 });
 * problem.metrics(new Float64Array(300 * 10)).relativeError.toFixed(6) // => "1.000000"
 * const one = new Float64Array(10);
 * problem.gradient(new Float64Array(10), 0, one, 17, 1); // node 17 alone, in iteration 0
 * const all = new Float64Array(3000);
 * problem.gradient(new Float64Array(3000), 0, all, 0, 300);
 * one[3] === all[173] // => true
 * ```
 */
export function leastSquares(options: LeastSquaresOptions, context: ProblemContext = {}): LeastSquares {
  const n = integer("n", options.n, 1);
  const { d, K, sigmaS, sigmaN, sigmaH, seed } = settle("least-squares", squaresOptions, options, ["n"]);
  const share = shareOf(n, context);
  const { first, count } = share;
  // `each` numbers per node, for the nodes of the share.
  const normal = (each: number, stream: number) =>
    fillNormal(new Float64Array(count * each), seed, stream, 0, first * each);
  const centre = fillNormal(new Float64Array(d), seed, streams.solution, 0);
  const A = normal(K * d, streams.features);
  const b = normal(K, streams.measurement);
  const own = Float64Array.from(centre);
  const spread = sigmaH === 0 ? undefined : normal(d, streams.localSolution);
  for (let i = 0; i < count; i++) {
    if (spread !== undefined) for (let j = 0; j < d; j++) own[j] = centre[j] + sigmaH * spread[i * d + j];
    for (let row = i * K; row < (i + 1) * K; row++) b[row] = dot(A, row * d, own, 0, d) + sigmaS * b[row];
  }
  return leastSquaresFrom({ n, d, A, b, sigmaN, seed, share });
}

/**
 * Least squares on given data: A holds n x K x d numbers, b n x K. If `noise[t]` (n x d numbers each) is given, it replaces
 * the noise from the seed. With a share, A and b are those of its nodes only.
 *
 * @example
 * ```ts
 * import { leastSquaresFrom } from "equitopo/problem";
 * const problem = leastSquaresFrom({ n: 2, d: 1, A: Float64Array.of(1, 1, 2, 2), b: Float64Array.of(1, 3, 2, 6) });
 * problem.solution()[0].toFixed(6) // => "2.000000"
 * problem.metrics(Float64Array.of(1, 3)).consensusDistance.toFixed(6) // => "1.414214"
 * ```
 */
export function leastSquaresFrom(data: {
  readonly n: number;
  readonly d: number;
  readonly A: Float64Array;
  readonly b: Float64Array;
  readonly sigmaN?: number;
  readonly seed?: number;
  readonly noise?: readonly ArrayLike<number>[];
  readonly share?: Share;
}): LeastSquares {
  const { A, b, noise } = data;
  const n = integer("n", data.n, 1);
  const d = integer("d", data.d, 1);
  const sigmaN = real("sigmaN", data.sigmaN ?? 0, fromZero, 1);
  const seed = integer("seed", data.seed ?? 0, 0);
  const { share = { first: 0, count: n } } = data;
  const K = b.length / share.count;
  if (!Number.isInteger(K) || K < 1 || A.length !== b.length * d) {
    const rule = "A must hold n x K x d numbers and b n x K";
    throw new InputError(rule, `${A.length} and ${b.length} for n = ${n}, d = ${d}`, "check their shapes");
  }
  const whole: Data = { A, b, d, K };
  const held = holdData(share, whole);
  let known: ReturnType<typeof solve> | undefined;
  const solved = () => {
    requireAll("the solution and the metrics", n, share);
    known ??= solve(n, whole);
    return known;
  };
  return {
    name: "least-squares",
    n,
    ...whole,
    solution: () => solved().x.slice(),
    constants: () => ({
      ...constantsOf(n, whole, solved()),
      // Of d normal numbers, or the root mean square of the given ones.
      sigma: noise === undefined ? sigmaN * Math.sqrt(d) : Math.sqrt(meanSquare(noise) * d),
    }),
    gradient(x, t, out, first, count) {
      held.gradient(x, out, first, count, { sigma: noise === undefined ? sigmaN : 0, seed, t });
      if (noise !== undefined) for (let k = 0; k < count * d; k++) out[k] += noise[t][first * d + k];
    },
    metrics(x) {
      const { x: best, h, least } = solved();
      const mean = meanRow(x, x.length / d);
      // f(mean) = f(x_LS) + 1/2 e^T H e, e = mean - x_LS, H the mean of the H_i: no cancellation near the solution.
      const e = mean.map((v, j) => v - best[j]);
      let rise = 0;
      for (let j = 0; j < d; j++) rise += e[j] * dot(h, j * d, e, 0, d);
      return {
        relativeError: distanceTo(x, best) / (Math.sqrt(x.length / d) * norm(best)),
        loss: least + rise / 2,
        consensusDistance: distanceTo(x, mean),
      };
    },
  };
}

export const leastSquaresFamily = defineProblem({
  name: "least-squares",
  summary: "f_i(x) = 1/2 ||A_i x - b_i||^2, strongly convex",
  source: "paper, Appendix D.3",
  options: squaresOptions,
  metric: "relativeError",
  falls: true,
  numbersPerNode: ({ d, K }) => d * K,
  create: leastSquares,
});

/** The data in the kernels' memory: as H_i and m_i, or as it is. */
function holdData({ first, count: n }: Share, data: Data): LinearData {
  const { A, b, d, K } = data;
  if (d > K) {
    const held = linearData({ kind: "squares", n, first, d, samples: K });
    held.features.set(A);
    held.targets.set(b);
    return held;
  }
  const held = linearData({ kind: "normal", n, first, d, samples: K });
  for (let i = 0; i < n; i++) addNormalEquations(data, i * K, (i + 1) * K, held.features, i * d * (d + 1));
  return held;
}

/** All rows of some nodes, which have as many each. */
type Data = Pick<LeastSquares, "A" | "b" | "d" | "K">;

/** Adds the rows from `start` to `end`: -A^T b to out[at ...], then the columns of A^T A. */
function addNormalEquations({ A, b, d }: Data, start: number, end: number, out: Float64Array, at: number): void {
  for (let row = start; row < end; row++) {
    for (let j = 0; j < d; j++) {
      const a = A[row * d + j];
      out[at + j] -= a * b[row];
      const column = at + (j + 1) * d;
      for (let k = 0; k <= j; k++) out[column + k] += a * A[row * d + k];
    }
  }
  const h = at + d;
  for (let j = 0; j < d; j++) for (let k = 0; k < j; k++) out[h + k * d + j] = out[h + j * d + k];
}

/** x_LS by the normal equations of all rows, their mean H, and f(x_LS). */
function solve(n: number, data: Data) {
  const { A, b, d } = data;
  const normal = new Float64Array(d * (d + 1));
  addNormalEquations(data, 0, b.length, normal, 0);
  const x = solveCholesky(
    normal.slice(d),
    normal.subarray(0, d).map((v) => -v),
  );
  let sum = 0;
  for (let row = 0; row < b.length; row++) sum += (dot(A, row * d, x, 0, d) - b[row]) ** 2;
  return { x, h: normal.slice(d).map((v) => v / n), least: sum / (2 * n) };
}

/** hess f_i = H_i and grad f_i(x_LS) = H_i x_LS + m_i, node by node; hess f = their mean H. */
function constantsOf(n: number, data: Data, { x, h }: ReturnType<typeof solve>) {
  const { d, K } = data;
  let [largest, spread] = [0, 0];
  for (let i = 0; i < n; i++) {
    const own = new Float64Array(d * (d + 1));
    addNormalEquations(data, i * K, (i + 1) * K, own, 0);
    const hessian = own.subarray(d);
    largest = Math.max(largest, symmetricEigenvalues(hessian, d)[d - 1]);
    for (let j = 0; j < d; j++) spread += (own[j] + dot(hessian, j * d, x, 0, d)) ** 2;
  }
  return { b: Math.sqrt(spread / n), L: largest, mu: symmetricEigenvalues(h, d)[0] };
}

function meanSquare(noise: readonly ArrayLike<number>[]): number {
  const sums = noise.map((numbers) => norm(numbers) ** 2 / numbers.length);
  return sums.reduce((sum, one) => sum + one, 0) / Math.max(1, sums.length);
}
