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

import { integer, onlyKeys, real } from "../input/input.ts";
import type { Problem, ProblemConstants } from "../problem/problem.ts";
import { norm } from "../problem/spread.ts";
import { fillNormal } from "../random/normal.ts";
import { streams } from "../random/stream.ts";
import { meanRow } from "../round/distance.ts";

export interface EstimateOptions {
  /** Gradients drawn at the point; default 32. */
  readonly samples?: number;
  /** Steps of gradient descent to the point, and of each power iteration; default 200. */
  readonly steps?: number;
  /** Half the distance over which gradients are compared; default 1e-4. */
  readonly h?: number;
}

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
  onlyKeys("estimateConstants", options, ["samples", "steps", "h"]);
  const samples = integer("samples", options.samples ?? 32, 2);
  const steps = integer("steps", options.steps ?? 200, 1);
  const h = real("h", options.h ?? 1e-4, { min: 0, max: Number.POSITIVE_INFINITY, open: "both" }, 1e-4);
  const known = problem.constants?.();
  if (known !== undefined) return { ...known, kappa: conditionNumber(known), method: "exact" };
  const nodes = new Nodes(problem, h);
  // Curvature at the start sets the step of the descent; what is reported is that at its end.
  const x = descend(nodes, steps, 1 / nodes.largest(nodes.start(), Math.min(steps, 50)).value);
  const { sigma, b } = sampleGradients(nodes, x, samples);
  const top = nodes.largest(x, steps);
  const bottom = nodes.smallest(x, steps, top.value + top.error);
  const found = { sigma, b, L: top.value, mu: bottom.value };
  return {
    ...found,
    kappa: conditionNumber(found),
    method: "sampled",
    error: { L: top.error, mu: bottom.error },
  };
}

function conditionNumber({ L, mu }: { readonly L: number; readonly mu: number }): number {
  return mu > 0 ? Math.max(1, L / mu) : Number.POSITIVE_INFINITY;
}

interface Eigenvalue {
  readonly value: number;
  /** ||H v - value v||, ||v|| = 1: a symmetric H has an eigenvalue no further away. */
  readonly error: number;
}

/** All nodes' gradients at one point each, and their Hessians times vectors. */
class Nodes {
  readonly n: number;
  readonly d: number;
  readonly #problem: Problem;
  readonly #h: number;

  constructor(problem: Problem, h: number) {
    this.#problem = problem;
    this.n = problem.n;
    this.d = problem.d;
    this.#h = h;
  }

  start(): Float64Array {
    return Float64Array.from(this.#problem.start ?? new Float64Array(this.d));
  }

  /** Gradients of iteration t, each node at its own row. */
  gradients(rows: Float64Array, t: number): Float64Array {
    const out = new Float64Array(rows.length);
    this.#problem.gradient(rows, t, out, 0, this.n);
    return out;
  }

  /** x in every row. */
  everywhere(x: Float64Array): Float64Array {
    const rows = new Float64Array(this.n * this.d);
    for (let at = 0; at < rows.length; at += this.d) rows.set(x, at);
    return rows;
  }

  /** Row i is hess f_i(x) times row i of v. */
  hessians(x: Float64Array, v: Float64Array): Float64Array {
    const rows = this.everywhere(x);
    const ahead = this.gradients(
      rows.map((value, k) => value + this.#h * v[k]),
      0,
    );
    const behind = this.gradients(
      rows.map((value, k) => value - this.#h * v[k]),
      0,
    );
    return ahead.map((value, k) => (value - behind[k]) / (2 * this.#h));
  }

  /** The largest of the nodes' largest eigenvalues: one power iteration per node, all in step. */
  largest(x: Float64Array, steps: number): Eigenvalue {
    const { n, d } = this;
    const v = normalised(fillNormal(new Float64Array(n * d), 0, streams.lanczos, 0), d);
    let best: Eigenvalue = { value: 0, error: 0 };
    for (let step = 0; step < steps; step++) {
      const w = this.hessians(x, v);
      best = { value: 0, error: 0 };
      for (let at = 0; at < w.length; at += d) {
        const found = rayleigh(v.subarray(at, at + d), w.subarray(at, at + d));
        if (found.value > best.value) best = found;
      }
      v.set(normalised(w, d));
    }
    return best;
  }

  /** The smallest eigenvalue of the mean Hessian: the power iteration of `above` I - H. */
  smallest(x: Float64Array, steps: number, above: number): Eigenvalue {
    const { n, d } = this;
    let v = normalised(fillNormal(new Float64Array(d), 0, streams.lanczos, 1), d);
    let found: Eigenvalue = { value: 0, error: 0 };
    for (let step = 0; step < steps; step++) {
      const w = meanRow(this.hessians(x, this.everywhere(v)), n);
      found = rayleigh(v, w);
      v = normalised(
        v.map((value, k) => above * value - w[k]),
        d,
      );
    }
    return found;
  }
}

/** Gradient descent on f with a constant step, over the noise of as many iterations. */
function descend(nodes: Nodes, steps: number, step: number): Float64Array {
  const x = nodes.start();
  if (!(step < Number.POSITIVE_INFINITY)) return x;
  for (let t = 0; t < steps; t++) {
    const g = meanRow(nodes.gradients(nodes.everywhere(x), t), nodes.n);
    for (let k = 0; k < x.length; k++) x[k] -= step * g[k];
  }
  return x;
}

/** Unbiased: what the noise adds to the spread of the nodes' mean gradients is taken off again. */
function sampleGradients(nodes: Nodes, x: Float64Array, samples: number): { sigma: number; b: number } {
  const { n } = nodes;
  const rows = nodes.everywhere(x);
  const mean = new Float64Array(rows.length);
  const squares = new Float64Array(rows.length);
  for (let t = 0; t < samples; t++) {
    nodes.gradients(rows, t).forEach((value, k) => {
      // Welford's recurrence: no cancellation where gradients are large and the noise is small.
      const change = value - mean[k];
      mean[k] += change / (t + 1);
      squares[k] += change * (value - mean[k]);
    });
  }
  const sigma2 = squares.reduce((sum, value) => sum + value, 0) / (samples - 1) / n;
  const centre = meanRow(mean, n);
  const spread = mean.reduce((sum, value, k) => sum + (value - centre[k % nodes.d]) ** 2, 0) / n;
  return { sigma: Math.sqrt(sigma2), b: Math.sqrt(Math.max(0, spread - ((1 - 1 / n) * sigma2) / samples)) };
}

/** Every row of d numbers divided by its norm. */
function normalised(rows: Float64Array, d: number): Float64Array {
  const out = new Float64Array(rows.length);
  for (let at = 0; at < rows.length; at += d) {
    const length = norm(rows.subarray(at, at + d));
    if (length > 0) for (let k = at; k < at + d; k++) out[k] = rows[k] / length;
  }
  return out;
}

function rayleigh(v: Float64Array, w: Float64Array): Eigenvalue {
  const value = v.reduce((sum, vk, k) => sum + vk * w[k], 0);
  return { value, error: norm(w.map((wk, k) => wk - value * v[k])) };
}
