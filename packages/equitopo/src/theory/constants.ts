/**
 * The numbers of a problem f = 1/n sum_i f_i that the theorems speak of (paper, Assumptions of section 5), at a point x:
 *
 *   sigma^2 = 1/n sum_i E ||g_i(x) - grad f_i(x)||^2      the noise of the stochastic gradients g_i
 *   b^2     = 1/n sum_i ||grad f_i(x) - grad f(x)||^2     the heterogeneity of the nodes' functions
 *   L       = max_i largest eigenvalue of hess f_i(x)     smoothness
 *   mu      = smallest eigenvalue of hess f(x)            strong convexity; kappa = L / mu
 *
 * A problem that knows them answers itself (least squares: exact, at its solution). Elsewhere x is where gradient descent
 * on f arrives, noise and heterogeneity are sample means, and eigenvalues come from power iterations on Hessian times
 * vector = (g(x + h v, t) - g(x - h v, t)) / 2h: the noise is a function of t, so it cancels. The theorems ask for bounds
 * over all x; these are values at one, which is why they are called estimates.
 */

import { number, settle, type Values, whole } from "../input/option.ts";
import { dot, norm } from "../number/vectors.ts";
import type { Problem, ProblemConstants } from "../problem/problem.ts";
import { fillNormal } from "../random/normal.ts";
import { streams } from "../random/stream.ts";
import { meanRow } from "../round/distance.ts";

const estimateOptions = {
  /** Gradients drawn at the point; default 32. */
  samples: whole(32, 2),
  /** Steps of gradient descent to the point, and of each power iteration; default 200. */
  steps: whole(200, 1),
  /** Half the distance over which gradients are compared; default 1e-4. */
  h: number(1e-4, { min: 0, max: Number.POSITIVE_INFINITY, open: "both" }),
};

export interface EstimateOptions extends Partial<Values<typeof estimateOptions>> {}

export interface EstimatedConstants extends ProblemConstants {
  /** L / mu; Infinity where f is not strongly convex there. */
  readonly kappa: number;
  readonly method: "exact" | "sampled";
  /** sampled only: L and mu lie within these of eigenvalues of the Hessians, as they were measured. */
  readonly error?: { readonly L: number; readonly mu: number };
}

/**
 * sigma, b, L, mu and kappa of a problem. Exact ones cost what the problem says; estimates cost
 * (samples + 7 steps) gradients of all nodes and n d numbers of memory, six times.
 *
 * @example
 * ```ts
 * import { leastSquares } from "equitopo";
 * import { estimateConstants } from "equitopo/theory";
 * const { sigma, kappa, method } = estimateConstants(leastSquares({ n: 20, sigmaN: 2, seed: 1 }));
 * method + " " + sigma.toFixed(3) // => "exact 6.325"
 * kappa > 1 && kappa < 5 // => true
 * ```
 */
export function estimateConstants(problem: Problem, options: EstimateOptions = {}): EstimatedConstants {
  const { samples, steps, h } = settle("estimateConstants", estimateOptions, options);
  const known = problem.constants?.();
  if (known !== undefined) return { ...known, kappa: conditionNumber(known), method: "exact" };
  // Curvature at the start sets the step of the descent; what is reported is that at its end.
  const start = Float64Array.from(problem.start ?? new Float64Array(problem.d));
  const x = descend(problem, start, steps, 1 / largest(problem, h, start, Math.min(steps, 50)).value);
  const top = largest(problem, h, x, steps);
  const bottom = smallest(problem, h, x, steps, top.value + top.error);
  const found = { ...sampleGradients(problem, x, samples), L: top.value, mu: bottom.value };
  const error = { L: top.error, mu: bottom.error };
  return { ...found, kappa: conditionNumber(found), method: "sampled", error };
}

function conditionNumber({ L, mu }: { readonly L: number; readonly mu: number }): number {
  return mu > 0 ? Math.max(1, L / mu) : Number.POSITIVE_INFINITY;
}

interface Eigenvalue {
  readonly value: number;
  /** ||H v - value v||, ||v|| = 1: a symmetric H has an eigenvalue no further away. */
  readonly error: number;
}

/** Gradients of iteration t, each node at its own row. */
function gradients(problem: Problem, rows: Float64Array, t: number): Float64Array {
  const out = new Float64Array(rows.length);
  problem.gradient(rows, t, out, 0, problem.n);
  return out;
}

function everywhere({ n }: Problem, x: Float64Array): Float64Array {
  return Float64Array.from({ length: n * x.length }, (_, at) => x[at % x.length]);
}

/** Row i is hess f_i(x) times row i of v. */
function hessians(problem: Problem, h: number, x: Float64Array, v: Float64Array): Float64Array {
  const rows = everywhere(problem, x);
  const moved = (step: number) => rows.map((value, k) => value + step * v[k]);
  const ahead = gradients(problem, moved(h), 0);
  const behind = gradients(problem, moved(-h), 0);
  return ahead.map((value, k) => (value - behind[k]) / (2 * h));
}

/** The largest of the nodes' largest eigenvalues: one power iteration per node, all in step. */
function largest(problem: Problem, h: number, x: Float64Array, steps: number): Eigenvalue {
  const { n, d } = problem;
  let v = normalised(fillNormal(new Float64Array(n * d), 0, streams.lanczos, 0), d);
  let best: Eigenvalue = { value: 0, error: 0 };
  for (let step = 0; step < steps; step++) {
    const w = hessians(problem, h, x, v);
    best = { value: 0, error: 0 };
    for (let at = 0; at < w.length; at += d) {
      const found = rayleigh(v.subarray(at, at + d), w.subarray(at, at + d));
      if (found.value > best.value) best = found;
    }
    v = normalised(w, d);
  }
  return best;
}

/** The smallest eigenvalue of the mean Hessian: the power iteration of `above` I - H. */
function smallest(problem: Problem, h: number, x: Float64Array, steps: number, above: number): Eigenvalue {
  const { n, d } = problem;
  let v = normalised(fillNormal(new Float64Array(d), 0, streams.lanczos, 1), d);
  let found: Eigenvalue = { value: 0, error: 0 };
  for (let step = 0; step < steps; step++) {
    const w = meanRow(hessians(problem, h, x, everywhere(problem, v)), n);
    found = rayleigh(v, w);
    const next = v.map((value, k) => above * value - w[k]);
    v = normalised(next, d);
  }
  return found;
}

/** Gradient descent on f with a constant step, over the noise of as many iterations. */
function descend(problem: Problem, start: Float64Array, steps: number, step: number): Float64Array {
  const x = start.slice();
  if (!(step < Number.POSITIVE_INFINITY)) return x;
  for (let t = 0; t < steps; t++) {
    const g = meanRow(gradients(problem, everywhere(problem, x), t), problem.n);
    for (let k = 0; k < x.length; k++) x[k] -= step * g[k];
  }
  return x;
}

/** Unbiased: what the noise adds to the spread of the nodes' mean gradients is taken off again. */
function sampleGradients(problem: Problem, x: Float64Array, samples: number): { sigma: number; b: number } {
  const { n, d } = problem;
  const rows = everywhere(problem, x);
  const mean = new Float64Array(rows.length);
  const squares = new Float64Array(rows.length);
  for (let t = 0; t < samples; t++) {
    gradients(problem, rows, t).forEach((value, k) => {
      // Welford's recurrence: no cancellation where gradients are large and the noise is small.
      const change = value - mean[k];
      mean[k] += change / (t + 1);
      squares[k] += change * (value - mean[k]);
    });
  }
  const sigma2 = squares.reduce((sum, value) => sum + value, 0) / (samples - 1) / n;
  const centre = meanRow(mean, n);
  const spread = mean.reduce((sum, value, k) => sum + (value - centre[k % d]) ** 2, 0) / n;
  return { sigma: Math.sqrt(sigma2), b: Math.sqrt(Math.max(0, spread - ((1 - 1 / n) * sigma2) / samples)) };
}

function normalised(rows: Float64Array, d: number): Float64Array {
  const out = new Float64Array(rows.length);
  for (let at = 0; at < rows.length; at += d) {
    const length = norm(rows.subarray(at, at + d));
    if (length > 0) for (let k = at; k < at + d; k++) out[k] = rows[k] / length;
  }
  return out;
}

function rayleigh(v: Float64Array, w: Float64Array): Eigenvalue {
  const value = dot(v, w);
  return { value, error: norm(w.map((wk, k) => wk - value * v[k])) };
}
