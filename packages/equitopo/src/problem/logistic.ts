/**
 * Logistic regression with a non-convex regulariser (paper, Appendix D.4; errata 10):
 *
 *   f_i(x) = 1/L sum_l ln(1 + exp(-y_il h_il . x)) + R sum_j x_j^2 / (1 + x_j^2),
 *   grad f_i = -1/L sum_l y_il h_il / (1 + exp(y_il h_il . x)) + 2 R x_j / (1 + x_j^2)^2 (each j), plus sigma_n noise,
 *   h_il normal,   y_il = 1 where z_il < 1 / (1 + exp(-h_il . x_i*)), else -1,   x_i* = x* + sigma_h v_i,
 *
 * z uniform, x* and v_i normal. What is stored is y_il h_il: neither f nor its gradient needs more.
 */

import { nonnegative as fromZero, InputError, integer, real } from "../input/input.ts";
import { about, type Given, nonnegative, seed as seedOption, settle, whole } from "../input/option.ts";
import { sigmoid } from "../number/elementary.ts";
import { norm } from "../number/vectors.ts";
import { fillNormal } from "../random/normal.ts";
import { RandomStream, streams } from "../random/stream.ts";
import { meanRow } from "../round/distance.ts";
import type { Rows } from "../round/round.ts";
import { dot, linearData } from "./linear-kernel.ts";
import { defineProblem, type Problem, type ProblemContext } from "./problem.ts";
import { requireAll, type Share, shareOf } from "./share.ts";
import { distanceTo } from "./spread.ts";

export interface LogisticOptions extends Given<typeof logisticOptions> {}

const logisticOptions = {
  d: whole(10, 1),
  L: about(whole(1000, 1), "samples per node"),
  R: about(nonnegative(0.001), "weight of the regulariser"),
  sigmaH: about(nonnegative(0.2), "how far the nodes' own solutions lie apart"),
  /** Drawn anew in every iteration. */
  sigmaN: about(nonnegative(1e-6), "noise of the gradients"),
  seed: seedOption,
};

export interface Logistic extends Problem {
  readonly L: number;
  readonly R: number;
  /** y_il h_il: n x L x d numbers (those of its share, if it has one). */
  readonly signedFeatures: Float64Array;
  /** gradientNorm = ||grad f(mean of x)||, loss = f(mean of x), consensusDistance = ||X - 1 mean^T||_F. */
  metrics(x: Rows): Readonly<Record<"gradientNorm" | "loss" | "consensusDistance", number>>;
}

/**
 * The paper's logistic regression from a seed. Its data has 8 n L d bytes; a gradient of all nodes goes over it once.
 *
 * @example
 * ```ts
 * import { logistic } from "equitopo";
 * const problem = logistic({ n: 20, L: 100, seed: 1 });
 * problem.metrics(new Float64Array(20 * 10)).loss.toFixed(6) // => "0.693147"
 * ```
 */
export function logistic(options: LogisticOptions, context: ProblemContext = {}): Logistic {
  const n = integer("n", options.n, 1);
  const { d, L, R, sigmaH, sigmaN, seed } = settle("logistic", logisticOptions, options, ["n"]);
  const centre = fillNormal(new Float64Array(d), seed, streams.solution, 0);
  const share = shareOf(n, context);
  const { first, count } = share;
  const spread = fillNormal(new Float64Array(count * d), seed, streams.localSolution, 0, first * d);
  const labels = new RandomStream(seed, streams.labels);
  const own = new Float64Array(d);
  return build({ n, d, L, R, sigmaN, seed, share }, (features) => {
    fillNormal(features, seed, streams.features, 0, first * L * d);
    for (let i = 0; i < count; i++) {
      labels.at(first + i);
      for (let j = 0; j < d; j++) own[j] = centre[j] + sigmaH * spread[i * d + j];
      for (let row = i * L; row < (i + 1) * L; row++) {
        if (labels.uniform() < sigmoid(dot(features, row * d, own, 0, d))) continue;
        for (let j = row * d; j < (row + 1) * d; j++) features[j] = -features[j];
      }
    }
  });
}

/**
 * Logistic regression on given data: h holds n x L x d numbers, y n x L labels 1 or -1.
 *
 * @example
 * ```ts
 * import { logisticFrom } from "equitopo/problem";
 * const problem = logisticFrom({ n: 1, d: 1, h: Float64Array.of(2, 1), y: Float64Array.of(1, -1) });
 * problem.metrics(Float64Array.of(0)).gradientNorm // => 0.25
 * ```
 */
export function logisticFrom(data: {
  readonly n: number;
  readonly d: number;
  readonly h: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  readonly R?: number;
  readonly sigmaN?: number;
  readonly seed?: number;
}): Logistic {
  const { h, y, R = 0.001, sigmaN = 0, seed = 0 } = data;
  const n = integer("n", data.n, 1);
  const d = integer("d", data.d, 1);
  const L = y.length / n;
  if (!Number.isInteger(L) || L < 1 || h.length !== y.length * d) {
    const came = `${h.length} and ${y.length} for n = ${n}, d = ${d}`;
    throw new InputError("h must hold n x L x d numbers and y n x L", came, "check their shapes");
  }
  const wrong = Array.from(y).find((label) => label !== 1 && label !== -1);
  if (wrong !== undefined) throw new InputError("a label must be 1 or -1", wrong, "write -1 for the second class");
  return build({ n, d, L, R, sigmaN, seed, share: { first: 0, count: n } }, (features) => {
    for (let k = 0; k < features.length; k++) features[k] = y[Math.floor(k / d)] * h[k];
  });
}

export const logisticFamily = defineProblem({
  name: "logistic",
  summary: "logistic regression with the non-convex regulariser R sum_j x_j^2 / (1 + x_j^2)",
  source: "paper, Appendix D.4",
  options: logisticOptions,
  metric: "gradientNorm",
  falls: true,
  numbersPerNode: ({ d, L }) => d * L,
  create: logistic,
});

function build(
  size: { n: number; d: number; L: number; R: number; sigmaN: number; seed: number; share: Share },
  fill: (features: Float64Array) => void,
): Logistic {
  const { n, d, L, seed, share } = size;
  const R = real("R", size.R, fromZero, 0.001);
  const sigmaN = real("sigmaN", size.sigmaN, fromZero, 1e-6);
  const held = linearData({ kind: "logistic", n: share.count, first: share.first, d, samples: L, regulariser: R });
  fill(held.features);
  return {
    name: "logistic",
    n,
    d,
    L,
    R,
    signedFeatures: held.features,
    gradient: (x, t, out, first, count) => held.gradient(x, out, first, count, { sigma: sigmaN, seed, t }),
    metrics(x) {
      requireAll("the metrics", n, share);
      const mean = meanRow(x, x.length / d);
      const everywhere = new Float64Array(n * d);
      for (let at = 0; at < everywhere.length; at += d) everywhere.set(mean, at);
      const gradients = new Float64Array(n * d);
      held.gradient(everywhere, gradients, 0, n, { sigma: 0, seed, t: 0 });
      const losses = new Float64Array(n);
      held.losses(mean, losses);
      let loss = 0;
      for (const sum of losses) loss += sum;
      loss /= n * L;
      for (const v of mean) loss += (R * v * v) / (1 + v * v);
      return {
        gradientNorm: norm(meanRow(gradients, gradients.length / d)),
        loss,
        consensusDistance: distanceTo(x, mean),
      };
    },
  };
}
