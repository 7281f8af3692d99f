/**
 * The probabilities p_j and the step alpha of MATCHA for given matchings, whose Laplacians are L_j:
 *
 *   p maximises lambda_2(Lb), Lb = sum_j p_j L_j, under sum_j p_j <= C, 0 <= p_j <= 1;
 *   alpha minimises the mean square lambda_max(Pi - 2 alpha Lb + alpha^2 (Lb^2 + 2 Lt)), Lt = sum_j p_j (1 - p_j) L_j.
 *
 * Everything is done with sparse products, O(edges) each: nothing dense.
 *
 * lambda_2 is concave in p, and v^T L_j v, v its eigenvector, is the direction in which it grows: p begins with all alike
 * (the best there is where the graph looks the same from every edge), takes STEPS steps, and the best p met is kept.
 * Whatever p is, the alpha and the mean square that go with it are exact.
 */

import { largestEigenpair } from "../rate/lanczos.ts";
import { worked } from "../rate/watch.ts";
import type { Pair } from "./edge-colouring.ts";

const STEPS = 30;
/** Of the eigenvectors along which p is changed, and of those that decide. */
const COARSE = 1e-6;
/** The mean square and what parabolas promise of it may differ by this much. */
const GAP = 1e-14;

/**
 * p, alpha (at most `largestAlpha`) and the mean square: E ||W x||^2 <= square ||x||^2 for every x of sum 0, and no smaller
 * number will do; up to `error`.
 */
export function matchaWeights(
  n: number,
  edges: readonly Pair[],
  colours: Int32Array,
  budget: number,
  largestAlpha: number,
) {
  const probabilities = bestProbabilities(n, edges, colours, budget);
  return { probabilities, ...bestAlpha(n, edges, colours, probabilities, largestAlpha) };
}

/** y = sum over edges of weight(colour) (x_u - x_v) (e_u - e_v): a Laplacian times x. */
function laplacian(edges: readonly Pair[], colours: Int32Array, weight: ArrayLike<number>) {
  return (x: Float64Array, y: Float64Array): void => {
    y.fill(0);
    for (let e = 0; e < edges.length; e++) {
      const [u, v] = edges[e];
      const flow = weight[colours[e]] * (x[u] - x[v]);
      y[u] += flow;
      y[v] -= flow;
    }
    worked(2 * edges.length);
  };
}

function bestProbabilities(n: number, edges: readonly Pair[], colours: Int32Array, budget: number): Float64Array {
  const count = colours.reduce((most, c) => Math.max(most, c + 1), 0);
  const total = Math.min(budget, count);
  let p: Float64Array = new Float64Array(count).fill(total / count);
  if (total === count || count === 1) return p;
  let best = p;
  let bestValue = -1;
  for (let step = 0; step < STEPS; step++) {
    const { value, slope } = secondEigenvalue(n, edges, colours, p);
    if (value > bestValue * (1 + COARSE)) [best, bestValue] = [p, value];
    const mean = slope.reduce((sum, s) => sum + s, 0) / count;
    const size = Math.sqrt(slope.reduce((sum, s) => sum + (s - mean) ** 2, 0));
    if (size <= COARSE * mean) break;
    const length = total / count / Math.sqrt(step + 1);
    const moved = p.map((share, j) => share + (length * (slope[j] - mean)) / size);
    p = capped(moved, total);
  }
  return best;
}

/** lambda_2(Lb) and v^T L_j v for each matching. */
function secondEigenvalue(n: number, edges: readonly Pair[], colours: Int32Array, p: Float64Array) {
  const multiply = laplacian(edges, colours, p);
  const degrees = new Float64Array(n);
  edges.forEach(([u, v], e) => {
    degrees[u] += p[colours[e]];
    degrees[v] += p[colours[e]];
  });
  // No eigenvalue of a Laplacian is above twice the largest degree: the smallest becomes the largest.
  const top = 2 * degrees.reduce((most, d) => Math.max(most, d), 0);
  const flipped = (x: Float64Array, y: Float64Array) => {
    multiply(x, y);
    for (let i = 0; i < n; i++) y[i] = top * x[i] - y[i];
  };
  const { vector } = largestEigenpair(n, flipped, COARSE);
  const slope = new Float64Array(p.length);
  edges.forEach(([u, v], e) => {
    slope[colours[e]] += (vector[u] - vector[v]) ** 2;
  });
  return { value: slope.reduce((sum, s, j) => sum + p[j] * s, 0), slope };
}

/** The nearest p to x with 0 <= p_j <= 1 and sum p_j = total: x_j - shift, cut off at both ends. */
function capped(x: Float64Array, total: number): Float64Array {
  const cut = (shift: number) => x.map((share) => Math.min(1, Math.max(0, share - shift)));
  let low = Math.min(...x) - 1;
  let high = Math.max(...x);
  for (let k = 0; k < 60; k++) {
    const middle = (low + high) / 2;
    if (cut(middle).reduce((sum, share) => sum + share, 0) > total) low = middle;
    else high = middle;
  }
  return cut(high);
}

/** Lb and 2 Lt as products, and the mean square of an alpha: the largest eigenvalue of Pi - 2 alpha Lb + alpha^2 (Lb^2 + 2 Lt). */
export function meanSquares(n: number, edges: readonly Pair[], colours: Int32Array, p: Float64Array) {
  const mean = laplacian(edges, colours, p);
  const variance = p.map((share) => 2 * share * (1 - share));
  const spread = laplacian(edges, colours, variance);
  const [once, twice] = [new Float64Array(n), new Float64Array(n)];
  const squareAt = (alpha: number) =>
    largestEigenpair(n, (x, y) => {
      mean(x, once);
      mean(once, twice);
      spread(x, y);
      for (let i = 0; i < n; i++) y[i] = x[i] - 2 * alpha * once[i] + alpha * alpha * (twice[i] + y[i]);
    });
  return { mean, spread, squareAt };
}

/**
 * For a fixed x of length 1 the mean square is the parabola 1 - 2 alpha a + alpha^2 b, a = x^T Lb x, b = |Lb x|^2 +
 * 2 x^T Lt x, and lambda_max is the largest of them all. So each eigenvector adds the parabola of an alpha, and the next
 * alpha is the lowest point of all parabolas so far, until it promises nothing better.
 */
function bestAlpha(n: number, edges: readonly Pair[], colours: Int32Array, p: Float64Array, largest: number) {
  const { mean, spread, squareAt } = meanSquares(n, edges, colours, p);
  const [once, twice] = [new Float64Array(n), new Float64Array(n)];
  const parabolas: { a: number; b: number }[] = [];
  const at = ({ a, b }: { a: number; b: number }, alpha: number) => 1 - 2 * alpha * a + alpha * alpha * b;
  const promised = (alpha: number) => parabolas.reduce((most, one) => Math.max(most, at(one, alpha)), 0);
  let best = { alpha: 0, square: 1, error: 0 };
  let alpha = Math.min(largest, 1 / 2);
  for (let k = 0; k < 50; k++) {
    const { value, vector, residual } = squareAt(alpha);
    if (value < best.square) best = { alpha, square: Math.max(0, value), error: residual };
    mean(vector, once);
    spread(vector, twice);
    let [a, b] = [0, 0];
    for (let i = 0; i < n; i++) {
      a += vector[i] * once[i];
      b += once[i] * once[i] + vector[i] * twice[i];
    }
    parabolas.push({ a, b });
    const candidates = [largest, ...parabolas.map((one) => one.a / one.b)];
    // Two parabolas through 1 at alpha = 0 meet once more.
    for (const one of parabolas) for (const two of parabolas) candidates.push((2 * (one.a - two.a)) / (one.b - two.b));
    const allowed = candidates.filter((candidate) => candidate > 0 && candidate <= largest);
    alpha = allowed.reduce((low, candidate) => (promised(candidate) < promised(low) ? candidate : low));
    if (best.square - promised(alpha) <= GAP) break;
  }
  return best;
}
