/**
 * ||Pi W||_2 of a sparse W by Lanczos iteration, with a certificate: the residual r = ||A x - theta x|| of the returned
 * vector is computed anew from W itself, and some eigenvalue of A lies within r of theta, whatever the iteration did.
 *
 * A = Pi W for symmetric W (both ends of its spectrum are wanted), Pi W^T W Pi otherwise (the largest is the square of
 * the norm). Each step costs one or two products with W: O(edges) time, O(n) memory; the Ritz vector is rebuilt by
 * running the recurrence a second time instead of keeping the basis.
 */

import { centre, dot, norm, scale } from "../number/vectors.ts";
import { fillNormal } from "../random/normal.ts";
import { streams } from "../random/stream.ts";
import { applyRound } from "../round/apply.ts";
import type { Round } from "../round/round.ts";
import type { Rate } from "./rate.ts";
import { applyTransposed, workOf } from "./sequence.ts";
import { tridiagonalEnd } from "./tridiagonal.ts";
import { PER_STEP, worked } from "./watch.ts";

/**
 * Where the iteration stops. The error of an eigenvalue is at most its residual, and mostly about its square; so the end
 * of the spectrum that does not decide the rate, often the slow one, may stop at a coarser one.
 */
const RESIDUAL = 1e-12;
const COARSE_RESIDUAL = 1e-7;
const MAX_STEPS = 50_000;
/** An operator below this is rounding error: sigma^2 of W = J computed from weights that are off by 1e-16. */
const NOTHING = 1e-30;

/** The exact rate of a static round, by certified iteration. */
export function sparseRate(round: Round, symmetric: boolean): Rate {
  const { n } = round;
  const method = "certified iteration";
  // No doubly stochastic W stretches anything: what is above 1 is rounding.
  const atMostOne = (rate: number) => Math.min(1, rate);
  const forward: Product = (x, y) => counted(applyRound, round, x, y);
  if (symmetric) {
    const [largest, smallest] = extremeEigenpairs(n, centred(forward), true);
    const eigenvalues = { largest: atMostOne(largest.value), smallest: -atMostOne(-smallest.value) };
    const decisive = largest.value >= -smallest.value ? largest : smallest;
    return { rate: atMostOne(Math.abs(decisive.value)), bound: null, method, error: decisive.residual, eigenvalues };
  }
  const { value, error } = largestSingularValue(n, forward, (x, y) => counted(applyTransposed, round, x, y));
  return { rate: atMostOne(value), bound: null, method, error };
}

/** Applies a round, and reports its work to `watched`. */
export function counted(apply: typeof applyTransposed, round: Round, x: Float64Array, y: Float64Array): void {
  apply(round, x, y);
  worked(workOf(round));
}

/** y = A x, for x and y of length n that do not overlap. */
type Product = (x: Float64Array, y: Float64Array) => void;

/** Pi A. */
const centred =
  (multiply: Product): Product =>
  (x, y) => {
    multiply(x, y);
    centre(y);
  };

/**
 * ||Pi A Pi||_2 of any linear map that is given by its products with vectors, `backward` being A^T. The error is a bound
 * on the distance to a true singular value. Two products a step.
 */
export function largestSingularValue(n: number, forward: Product, backward: Product): { value: number; error: number } {
  const image = new Float64Array(n);
  const ahead = centred(forward);
  const back = centred(backward);
  const { value, vector, residual } = largestEigenpair(n, (x, y) => {
    ahead(x, image);
    back(image, y);
  });
  ahead(vector, image);
  const error = value > 0 ? Math.min(residual / Math.sqrt(value), Math.sqrt(residual)) : 0;
  // The norm of A x itself is never below 0, as rounding may leave `value` where A = J.
  return { value: norm(image), error };
}

export interface Eigenpair {
  readonly value: number;
  /** Of length 1. */
  readonly vector: Float64Array;
  /** ||A vector - value vector||, computed anew: some eigenvalue lies within it of `value`. */
  readonly residual: number;
}

/**
 * The largest eigenpair of a nonnegative symmetric operator on the vectors that sum to zero, to a residual of
 * `precision` times its root. `multiply` writes the operator times x into y, and must leave its sum at zero.
 */
export function largestEigenpair(n: number, multiply: Product, precision = RESIDUAL): Eigenpair {
  return extremeEigenpairs(n, multiply, false, precision)[0];
}

/** The largest (and smallest) eigenpair of a symmetric operator on the vectors that sum to zero. */
function extremeEigenpairs(n: number, multiply: Product, both: boolean, precision = RESIDUAL): Eigenpair[] {
  const alphas: number[] = [];
  const betas: number[] = [];
  const ends: { coefficients?: Float64Array }[] = both ? [{}, {}] : [{}];
  let nextCheck = 4;
  let size = 0;
  lanczos(n, multiply, (step, _vector, alpha, beta) => {
    alphas.push(alpha);
    betas.push(beta);
    // A vanishing beta: the Krylov space is complete, and its extremes are the operator's. (n - 1 steps would complete
    // it in exact arithmetic; with rounding the vectors lose their orthogonality, and it goes on to converge later.)
    size = Math.max(size, Math.abs(alpha), beta);
    const complete = beta < 1e-14 * size || size < NOTHING || step + 1 >= MAX_STEPS;
    if (!complete && step + 1 < nextCheck) return true;
    nextCheck = Math.ceil(1.2 * nextCheck) + 4;
    const ritz = ends.map((_, side) => tridiagonalEnd(alphas, betas, side === 0 ? "largest" : "smallest"));
    const rate = Math.max(...ritz.map((pair) => Math.abs(pair.value)));
    ends.forEach((end, side) => {
      if (end.coefficients !== undefined) return;
      const { value, vector } = ritz[side];
      const decides = Math.abs(value) + COARSE_RESIDUAL >= rate;
      // The largest alone is a square, sigma^2: a residual r moves sigma by r / sigma.
      const scale = both ? 1 : Math.sqrt(Math.max(value, NOTHING));
      const allowed = scale * (decides ? precision : COARSE_RESIDUAL);
      if (complete || beta * Math.abs(vector[step]) < allowed) end.coefficients = vector;
    });
    return !complete && ends.some((end) => end.coefficients === undefined);
  });
  const sums = ends.map(() => new Float64Array(n));
  const longest = Math.max(...ends.map((end) => end.coefficients!.length));
  lanczos(n, multiply, (step, vector) => {
    ends.forEach((end, side) => {
      const coefficient = end.coefficients![step];
      if (coefficient !== undefined) for (let i = 0; i < n; i++) sums[side][i] += coefficient * vector[i];
    });
    return step + 1 < longest;
  });
  return sums.map((vector) => rayleigh(vector, multiply));
}

/** The three-term recurrence from a fixed start; `visit` sees each basis vector and says whether to go on. */
function lanczos(
  n: number,
  multiply: Product,
  visit: (step: number, vector: Float64Array, alpha: number, beta: number) => boolean,
): void {
  let previous = new Float64Array(n);
  let current = fillNormal(new Float64Array(n), 0, streams.lanczos, 0);
  let next = new Float64Array(n);
  centre(current);
  scale(current, 1 / norm(current));
  let beta = 0;
  for (let step = 0; ; step++) {
    multiply(current, next);
    let alpha = 0;
    for (let i = 0; i < n; i++) {
      next[i] -= beta * previous[i];
      alpha += next[i] * current[i];
    }
    for (let i = 0; i < n; i++) next[i] -= alpha * current[i];
    centre(next);
    beta = norm(next);
    worked(PER_STEP * n);
    if (!visit(step, current, alpha, beta) || beta === 0) return;
    scale(next, 1 / beta);
    [previous, current, next] = [current, next, previous];
  }
}

function rayleigh(vector: Float64Array, multiply: Product): Eigenpair {
  centre(vector);
  scale(vector, 1 / norm(vector));
  const image = new Float64Array(vector.length);
  multiply(vector, image);
  const value = dot(vector, image);
  for (let i = 0; i < vector.length; i++) image[i] -= value * vector[i];
  return { value, vector, residual: norm(image) };
}
