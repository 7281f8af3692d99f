/**
 * Mean squares of a rule of local steps (outer-model.ts) where directions do not meet: each Fourier mode of circulant rounds,
 * each eigenvalue of one symmetric W, or all directions at once where a random W treats them alike. In a direction of which
 * W makes lambda times itself, P = E s s^* over the k vectors goes with every outer step to
 *
 *   L P + Q,   Q_ab = a_a a_b + E lambda b_a a_b + E lambda^* a_a b_b + E |lambda|^2 b_a b_b,
 *
 * L being `squareOf` of the recursion. It dies out if and only if the solution of P = L P + I is positive definite, which
 * costs one elimination of 2 k^2 numbers; and P = L P + Q is what it settles at.
 */

import { gcd } from "../number/integers.ts";
import { identity, solved, times, timesVector } from "./dense.ts";
import { spectralRadius } from "./eigenvalues.ts";
import type { OuterModel } from "./outer-model.ts";
import { complexMatrix, squareOf } from "./stability.ts";

/** What outer steps do to each of some modes: the steps repeat, the first after the last. */
export interface ModeSteps {
  /** Modes kept. */
  readonly count: number;
  /** How many directions mode k stands for. */
  times(k: number): number;
  /** E lambda of mode k in every outer step: [re, im, re, im, ...] over the modes. */
  readonly steps: readonly Float64Array[];
  /** E |lambda|^2 of drawn rounds, which have one step; |lambda|^2 where left out. */
  readonly squares?: Float64Array;
}

/** Whether some mode is multiplied by more than 1 + `slack` in an outer step. */
export function modesGrow(model: OuterModel, modes: ModeSteps, slack: number): boolean {
  const scale = (1 + slack) ** (-2 * modes.steps.length);
  for (let k = 0; k < modes.count; k++) {
    const product = productOf(model, modes, k);
    for (let at = 0; at < product.length; at++) product[at] *= scale;
    if (!diesOut(model, product)) return true;
  }
  return false;
}

/** The most that any mode is multiplied by in an outer step, in the root of the mean square. */
export function modesFactor(model: OuterModel, modes: ModeSteps): number {
  const { count, steps } = modes;
  const size = 2 * model.vectors ** 2;
  let most = 0;
  // Most modes are below the largest so far, which an elimination tells; in a scattered order few are not.
  const stride = strideOf(count);
  for (let step = 0, k = 0; step < count; step++, k = (k + stride) % count) {
    const product = productOf(model, modes, k);
    if (
      most > 0 &&
      diesOut(
        model,
        product.map((entry) => entry / most),
      )
    )
      continue;
    most = Math.max(most, spectralRadius(product, size));
  }
  return most ** (1 / (2 * steps.length));
}

/** The mean square of the disagreement that it settles at, as a share of the drift's; of modes that all die out. */
export function modesSquare(model: OuterModel, modes: ModeSteps): number {
  const { count, steps } = modes;
  const size = 2 * model.vectors ** 2;
  let [sum, all] = [0, 0];
  for (let k = 0; k < count; k++) {
    const maps = steps.map((_, t) => stepOf(model, modes, k, t));
    // P after a period is `product` P + `put`.
    let product = identity(size);
    let put: Float64Array = new Float64Array(size);
    for (const { square, drift } of maps) {
      product = times(square, product, size);
      put = plus(timesVector(square, put), drift);
    }
    let settled: Float64Array | undefined = solved(minus(identity(size), product), put, size, 1);
    if (settled === undefined) return Infinity;
    for (const { square, drift } of maps) {
      settled = plus(timesVector(square, settled), drift);
      sum += (modes.times(k) * settled[0]) / steps.length;
    }
    all += modes.times(k);
  }
  // One node has no directions to disagree in.
  return all === 0 ? 0 : sum / all;
}

/** L and Q of an outer step, as real numbers: all real parts, then all imaginary ones. */
function stepOf(model: OuterModel, { steps, squares }: ModeSteps, k: number, t: number) {
  const { vectors, drift } = model;
  const [re, im] = [steps[t][2 * k], steps[t][2 * k + 1]];
  const square = squares?.[k] ?? re * re + im * im;
  const put = new Float64Array(2 * vectors ** 2);
  for (let a = 0; a < vectors; a++) {
    for (let b = 0; b < vectors; b++) {
      const [one, other] = [drift.mix[a] * drift.stay[b], drift.stay[a] * drift.mix[b]];
      const both = drift.stay[a] * drift.stay[b] + square * drift.mix[a] * drift.mix[b];
      put[a * vectors + b] = both + re * (one + other);
      put[vectors ** 2 + a * vectors + b] = im * (one - other);
    }
  }
  return { square: squareOf(model, re, im, square), drift: put };
}

/** L over all steps of a period. */
function productOf(model: OuterModel, { steps, squares }: ModeSteps, k: number): Float64Array {
  const [re, im] = [steps[0][2 * k], steps[0][2 * k + 1]];
  if (steps.length === 1) return squareOf(model, re, im, squares?.[k] ?? re * re + im * im);
  // Nothing is drawn: F P F^*, F being the product of what every step does to the vectors.
  const { vectors: size, stay, mix } = model;
  let [now, next] = [new Float64Array(2 * size * size), new Float64Array(2 * size * size)];
  for (let a = 0; a < size; a++) now[2 * (a * size + a)] = 1;
  for (const values of steps) {
    const [x, y] = [values[2 * k], values[2 * k + 1]];
    next.fill(0);
    for (let a = 0; a < size; a++) {
      for (let c = 0; c < size; c++) {
        const [u, v] = [stay[a * size + c] + x * mix[a * size + c], y * mix[a * size + c]];
        for (let b = 0; b < size; b++) {
          const [p, q] = [now[2 * (c * size + b)], now[2 * (c * size + b) + 1]];
          next[2 * (a * size + b)] += u * p - v * q;
          next[2 * (a * size + b) + 1] += u * q + v * p;
        }
      }
    }
    [now, next] = [next, now];
  }
  return complexMatrix(size ** 2, (at) => {
    const [row, column] = [Math.floor(at / size ** 2), at % size ** 2];
    const one = 2 * (size * Math.floor(row / size) + Math.floor(column / size));
    const other = 2 * (size * (row % size) + (column % size));
    const [a, b, c, d] = [now[one], now[one + 1], now[other], now[other + 1]];
    return [a * c + b * d, b * c - a * d];
  });
}

/** Whether the powers of L go to 0: P = L P + I is positive definite. */
function diesOut({ vectors: k }: OuterModel, product: Float64Array): boolean {
  const size = 2 * k * k;
  const unit = new Float64Array(size);
  for (let a = 0; a < k; a++) unit[a * k + a] = 1;
  const p = solved(minus(identity(size), product), unit, size, 1);
  return p !== undefined && isPositive(p, k);
}

/** Whether a Hermitian matrix (real parts, then imaginary ones) is positive definite: Cholesky's pivots. */
function isPositive(p: Float64Array, k: number): boolean {
  const [re, im] = [p.slice(0, k * k), p.slice(k * k)];
  for (let a = 0; a < k; a++) {
    const pivot = re[a * k + a];
    if (!(pivot > 0 && pivot < Infinity)) return false;
    for (let i = a + 1; i < k; i++) {
      const [x, y] = [re[i * k + a] / pivot, im[i * k + a] / pivot];
      for (let j = a + 1; j < k; j++) {
        const [u, v] = [re[a * k + j], im[a * k + j]];
        re[i * k + j] -= x * u - y * v;
        im[i * k + j] -= x * v + y * u;
      }
    }
  }
  return true;
}

/** A step through all modes that has no factor in common with their number. */
function strideOf(count: number): number {
  let stride = Math.max(1, Math.floor(0.618 * count));
  while (gcd(stride, count) > 1) stride++;
  return stride;
}

const plus = (x: Float64Array, y: Float64Array) => x.map((value, k) => value + y[k]);
const minus = (x: Float64Array, y: Float64Array) => x.map((value, k) => value - y[k]);
