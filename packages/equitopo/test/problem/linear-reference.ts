/**
 * The gradients of linear models in plain TypeScript: the definition that the kernels of kernel/assembly/gradient.ts must
 * equal bit for bit. Arrays hold node after node, and one node's rows by ascending sample.
 */

import { sigmoid, softplus } from "../../src/number/elementary.ts";
import { type DataOptions, dot, type LinearData } from "../../src/problem/linear-kernel.ts";
import { fillNormal } from "../../src/random/normal.ts";
import { streams } from "../../src/random/stream.ts";

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
function squaresGradientReference(rows: Samples, x: Float64Array, out: Float64Array): void {
  const { features, targets, samples, d } = rows;
  out.fill(0);
  for (let row = 0; row < (x.length / d) * samples; row++) {
    const node = Math.floor(row / samples) * d;
    addRow(out, node, dot(features, row * d, x, node, d) - targets[row], features, row * d, d);
  }
}

/** out_i = m_i + H_i x_i, `normal` holding m_i and the columns of H_i. */
function normalGradientReference(normal: Float64Array, d: number, x: Float64Array, out: Float64Array): void {
  for (let node = 0; node < x.length; node += d) {
    const at = node * (d + 1);
    for (let j = 0; j < d; j++) out[node + j] = normal[at + j];
    for (let j = 0; j < d; j++) addRow(out, node, x[node + j], normal, at + (j + 1) * d, d);
  }
}

/** out_i = 2 R x_i / (1 + x_i^2)^2 - 1/L sum_l a_l / (1 + exp(a_l . x_i)), a_l = y_l h_l the rows of `features`. */
function logisticGradientReference(rows: Samples, x: Float64Array, r: number, out: Float64Array): void {
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
function logisticLossReference(rows: Samples, x: ArrayLike<number>, out: Float64Array): void {
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
function addNoiseReference(out: Float64Array, noise: Float64Array, sigma: number): void {
  if (sigma !== 0) for (let k = 0; k < out.length; k++) out[k] += sigma * noise[k];
}

/** What linearData gives, in ordinary memory. */
export function plainData({ kind, n, first: base = 0, d, samples, regulariser = 0 }: DataOptions): LinearData {
  const perNode = (kind === "normal" ? d + 1 : samples) * d;
  const features = new Float64Array(n * perNode);
  const targets = new Float64Array(kind === "squares" ? n * samples : 0);
  return {
    features,
    targets,
    gradient(x, out, first, count, { sigma, seed, t }) {
      const at = Float64Array.from(x.subarray(0, count * d));
      const g = new Float64Array(count * d);
      const from = first - base;
      const own = features.subarray(from * perNode, (from + count) * perNode);
      const rows = { features: own, targets: targets.subarray(from * samples), samples, d };
      if (kind === "squares") squaresGradientReference(rows, at, g);
      else if (kind === "normal") normalGradientReference(own, d, at, g);
      else logisticGradientReference(rows, at, regulariser, g);
      if (sigma !== 0) {
        const noise = fillNormal(new Float64Array(count * d), seed, streams.gradientNoise, t, first * d);
        addNoiseReference(g, noise, sigma);
      }
      out.set(g);
    },
    losses: (x, out) => logisticLossReference({ features, targets, samples, d }, x, out),
  };
}
