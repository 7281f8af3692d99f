/**
 * What no circulant of a given degree goes below, whatever its shifts and weights. All of it comes from even moments: for
 * N = K + 1 weights w on any shifts,
 *
 *   sum over all k of |lambda_k|^(2m) >= n F_m(w),   F_m(w) = mean of |sum_j w_j z_j|^(2m) over independent turns z_j,
 *
 * with equality at m = 1 (coincidences among sums of shifts only add), and lambda_0 = 1. So with t = the rate
 *
 *   t^(2m) >= (n F_m - 1) / (n - 1)   and   t^(2m-2) >= (n F_m - 1) / (n F_1 - 1),   F_1 = sum w^2.
 *
 * m = 1 is Welch's bound. F_m is convex and symmetric: if the largest weight is a, F_m is least with the others equal, and
 * F_1 is at most what weights of at most a can have. The interval of a is cut finely; in every piece F_m is taken at the
 * lower end and F_1 at the upper, so that rounding apart the least over the pieces is a proof for all weights.
 *
 * Undirected, lambda_k = a + sum_j 2 b_j cos: convexity makes the pairs equal, a (and the weight of n/2) are cut finely,
 * and the first inequality is used.
 */

import { integer, nodes } from "../input/input.ts";

/** The highest moment that is looked at, and the pieces that an interval is cut into. */
const MOMENTS = 40;
const PIECES = 400;
const SQUARE_PIECES = 40;

export interface Bound {
  /** No rate is below it. */
  readonly value: number;
  /** Where it comes from: Welch's bound, or the moments above. */
  readonly name: "Welch" | "moments";
}

/**
 * sqrt((n / (K + 1) - 1) / (n - 1)): met by difference sets with equal weights.
 *
 * @example
 * ```ts
 * import { welchBound } from "equitopo/design";
 * welchBound(7, 2).toFixed(6) // => "0.471405"
 * ```
 */
export function welchBound(n: number, degree: number): number {
  return Math.sqrt(Math.max(0, (nodes(n) / (integer("degree", degree, 1) + 1) - 1) / (n - 1)));
}

/**
 * The best of these bounds for n nodes with K peers each. O(pieces x moments^2), some milliseconds.
 *
 * @example
 * ```ts
 * import { designBound } from "equitopo/design";
 * const { value, name } = designBound({ n: 300, degree: 9, directed: true });
 * value > 0.35 && value < 0.489 // => true
 * name // => "moments"
 * ```
 */
export function designBound(question: { n: number; degree: number; directed: boolean }): Bound {
  const { n, degree, directed } = question;
  const welch = welchBound(n, degree);
  if (degree >= n - 1) return { value: 0, name: "Welch" };
  const moments = directed ? directedMoments(n, degree) : undirectedMoments(n, degree);
  return moments > welch ? { value: moments, name: "moments" } : { value: welch, name: "Welch" };
}

function directedMoments(n: number, degree: number): number {
  const squares = binomials(MOMENTS).map((row) => row.map((c) => c * c));
  // The moments of K unit turns: one more each time.
  let others = Float64Array.from({ length: MOMENTS + 1 }, (_, m) => (m === 0 ? 1 : 0));
  const one = new Float64Array(MOMENTS + 1).fill(1);
  for (let j = 0; j < degree; j++) others = convolve(squares, one, others);
  let least = 1;
  for (let piece = 0; piece < PIECES; piece++) {
    const start = 1 / (degree + 1);
    const low = start + ((1 - start) * piece) / PIECES;
    const high = start + ((1 - start) * (piece + 1)) / PIECES;
    const rest = (1 - low) / degree;
    const full = Math.floor(1 / high);
    const mostSquare = full * high * high + (1 - full * high) ** 2;
    const first = n * mostSquare - 1;
    const scaled = others.map((value, m) => value * rest ** (2 * m));
    const moment = convolve(squares, powers(low * low), scaled);
    let best = 0;
    for (let m = 1; m <= MOMENTS; m++) {
      const above = n * moment[m] - 1;
      if (above <= 0) break;
      best = Math.max(best, (above / (n - 1)) ** (1 / (2 * m)));
      if (m > 1 && above < first) best = Math.max(best, (above / first) ** (1 / (2 * m - 2)));
    }
    least = Math.min(least, best);
  }
  return least;
}

function undirectedMoments(n: number, degree: number): number {
  const order = 2 * MOMENTS;
  const plain = binomials(order);
  const pairs = Math.floor(degree / 2);
  // Of 2 cos x: the middle binomial at even orders.
  const pair = Float64Array.from({ length: order + 1 }, (_, r) => (r % 2 === 0 ? plain[r][r / 2] : 0));
  let sum = Float64Array.from({ length: order + 1 }, (_, r) => (r === 0 ? 1 : 0));
  for (let j = 0; j < pairs; j++) sum = convolve(plain, pair, sum);
  const alone = degree % 2 === 1;
  const cuts = alone ? SQUARE_PIECES : PIECES;
  let least = 1;
  for (let p = 0; p < cuts; p++) {
    for (let q = 0; q < (alone ? cuts - p : 1); q++) {
      const own = p / cuts;
      const half = alone ? q / cuts : 0;
      const each = pairs === 0 ? 0 : Math.max(0, 1 - (p + 1) / cuts - (alone ? (q + 1) / cuts : 0)) / (2 * pairs);
      const scaled = sum.map((value, r) => value * each ** r);
      const mixed = convolve(plain, powers(own, order), scaled);
      const flipped = powers(half, order).map((value, r) => (r % 2 === 0 ? value : 0));
      const moment = alone ? convolve(plain, flipped, mixed) : mixed;
      let best = 0;
      for (let m = 1; m <= MOMENTS; m++) {
        const above = n * moment[2 * m] - 1;
        if (above > 0) best = Math.max(best, (above / (n - 1)) ** (1 / (2 * m)));
      }
      least = Math.min(least, best);
    }
  }
  return least;
}

/** x^0, x^1, ... */
function powers(x: number, order = MOMENTS): Float64Array {
  const out = new Float64Array(order + 1);
  out[0] = 1;
  for (let m = 1; m <= order; m++) out[m] = out[m - 1] * x;
  return out;
}

/** Pascal's triangle. */
function binomials(order: number): number[][] {
  const rows = [[1]];
  for (let r = 1; r <= order; r++) {
    const last = rows[r - 1];
    rows.push(Array.from({ length: r + 1 }, (_, i) => (i === 0 || i === r ? 1 : last[i - 1] + last[i])));
  }
  return rows;
}

/** sum_i C_ri a_i b_(r-i): the moments of a sum of independent terms, given their coefficients C. */
function convolve(coefficients: readonly number[][], a: Float64Array, b: Float64Array): Float64Array<ArrayBuffer> {
  return Float64Array.from({ length: a.length }, (_, r) => {
    let sum = 0;
    for (let i = 0; i <= r; i++) sum += coefficients[r][i] * a[i] * b[r - i];
    return sum;
  });
}
