/**
 * The gradients of linear models in plain TypeScript: the definition that the kernels of kernel/assembly/gradient.ts must
 * equal bit for bit. Arrays hold node after node, and one node's rows by ascending sample.
 */

import { sigmoid, softplus } from "../number/elementary.ts";

/** a . x = (sum over even j) + (sum over odd j); the last j of an odd d is even. */
export function dot(a: ArrayLike<number>, at: number, x: ArrayLike<number>, from: number, d: number): number {
  let even = 0;
  let odd = 0;
  for (let j = 0; j + 1 < d; j += 2) {
    even += a[at + j] * x[from + j];
    odd += a[at + j + 1] * x[from + j + 1];
  }
  if (d % 2 === 1) even += a[at + d - 1] * x[from + d - 1];
  return even + odd;
}

/** out += factor a. */
function addRow(out: Float64Array, to: number, factor: number, a: Float64Array, at: number, d: number): void {
  for (let j = 0; j < d; j++) out[to + j] += factor * a[at + j];
}

/** Rows of d numbers, so many for each node, with their targets where they have any. */
interface Samples {
  readonly features: Float64Array;
  readonly targets: Float64Array;
  readonly samples: number;
  readonly d: number;
}

/** out_i = A_i^T (A_i x_i - b_i). */
export function squaresGradientReference(rows: Samples, x: Float64Array, out: Float64Array): void {
  const { features, targets, samples, d } = rows;
  out.fill(0);
  for (let row = 0; row < (x.length / d) * samples; row++) {
    const node = Math.floor(row / samples) * d;
    addRow(out, node, dot(features, row * d, x, node, d) - targets[row], features, row * d, d);
  }
}

/** out_i = m_i + H_i x_i, `normal` holding m_i and the columns of H_i. */
export function normalGradientReference(normal: Float64Array, d: number, x: Float64Array, out: Float64Array): void {
  for (let node = 0; node < x.length; node += d) {
    const at = node * (d + 1);
    for (let j = 0; j < d; j++) out[node + j] = normal[at + j];
    for (let j = 0; j < d; j++) addRow(out, node, x[node + j], normal, at + (j + 1) * d, d);
  }
}

/** out_i = 2 R x_i / (1 + x_i^2)^2 - 1/L sum_l a_l / (1 + exp(a_l . x_i)), a_l = y_l h_l the rows of `features`. */
export function logisticGradientReference(rows: Samples, x: Float64Array, r: number, out: Float64Array): void {
  const { features, samples, d } = rows;
  out.fill(0);
  for (let row = 0; row < (x.length / d) * samples; row++) {
    const node = Math.floor(row / samples) * d;
    addRow(out, node, sigmoid(-dot(features, row * d, x, node, d)), features, row * d, d);
  }
  for (let k = 0; k < x.length; k++) {
    const w = 1 + x[k] * x[k];
    out[k] = (2 * r * x[k]) / (w * w) - out[k] / samples;
  }
}

/** sum_l ln(1 + exp(-a_l . x)) at each node: even samples, then odd ones; the last of an odd number is even. */
export function logisticLossReference(rows: Samples, x: ArrayLike<number>, out: Float64Array): void {
  const { features, samples, d } = rows;
  for (let i = 0; i < out.length; i++) {
    let even = 0;
    let odd = 0;
    for (let l = 0; l < samples; l++) {
      const loss = softplus(-dot(features, (i * samples + l) * d, x, 0, d));
      if (l % 2 === 0) even += loss;
      else odd += loss;
    }
    out[i] = even + odd;
  }
}

/** out += sigma noise. */
export function addNoiseReference(out: Float64Array, noise: Float64Array, sigma: number): void {
  if (sigma !== 0) for (let k = 0; k < out.length; k++) out[k] += sigma * noise[k];
}
