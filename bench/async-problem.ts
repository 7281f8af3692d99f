/**
 * What the peers of `npm run bench -- async` learn: softmax regression with an intercept on 10 clouds of points, a ridge
 * that gives it one minimum, and gradients of batches drawn from (node, iteration). The data is dealt out at random, or
 * sorted by label: a node then holds one or two of the ten.
 */

import { customProblem, type Problem, RandomStream } from "equitopo";
import { fillNormal } from "equitopo/random";

const [classes, features] = [10, 8];
const width = features + 1;
const ridge = 0.05;
const streams = { centres: 300, points: 301, order: 302, batch: 303 } as const;

export interface Learning extends Problem {
  /** f at one model, over all data or with weights of the nodes. */
  objective(x: Float64Array, weights?: readonly number[]): number;
  /** Where that is least. */
  minimum(weights?: readonly number[]): Float64Array;
}

export interface LearningOptions {
  readonly n: number;
  readonly sorted: boolean;
  /** Samples of a node, and those of one gradient; all where left out. */
  readonly samples?: number;
  readonly batch?: number;
  /** Done before a gradient: a real peer sleeps. */
  readonly before?: () => void;
}

export function learning({ n, sorted, samples = 20, batch, before = () => {} }: LearningOptions): Learning {
  const centres = fillNormal(new Float64Array(classes * features), 7, streams.centres, 0);
  const total = n * samples;
  const points = fillNormal(new Float64Array(total * features), 7, streams.points, 0);
  const dealt = new RandomStream(7, streams.order).permutation(total);
  /** Sample k of node i, by its number: numbers go by label. */
  const at = (i: number, k: number) => (sorted ? i * samples + k : dealt[i * samples + k]);
  const labelOf = (sample: number) => Math.floor((sample * classes) / total);
  const point = new Float64Array(width);
  const scores = new Float64Array(classes);
  /** The loss of one sample; its gradient, times a weight, is added to `out`. */
  const visit = (x: ArrayLike<number>, sample: number, weight: number, out: Float64Array): number => {
    const label = labelOf(sample);
    for (let j = 0; j < features; j++) point[j] = centres[label * features + j] + 1.5 * points[sample * features + j];
    point[features] = 1;
    let top = Number.NEGATIVE_INFINITY;
    for (let c = 0; c < classes; c++) {
      let score = 0;
      for (let j = 0; j < width; j++) score += x[c * width + j] * point[j];
      scores[c] = score;
      top = Math.max(top, score);
    }
    let sum = 0;
    for (let c = 0; c < classes; c++) sum += Math.exp(scores[c] - top);
    for (let c = 0; c < classes; c++) {
      const error = Math.exp(scores[c] - top) / sum - (c === label ? 1 : 0);
      for (let j = 0; j < width; j++) out[c * width + j] += weight * error * point[j];
    }
    return top + Math.log(sum) - scores[label];
  };
  /** f_i and its gradient, over all of node i's data or a batch of it. */
  const local = (x: ArrayLike<number>, i: number, out: Float64Array, chosen?: readonly number[]): number => {
    const list = chosen ?? Array.from({ length: samples }, (_, k) => k);
    for (let k = 0; k < out.length; k++) out[k] = ridge * x[k];
    let loss = 0;
    for (let k = 0; k < out.length; k++) loss += 0.5 * ridge * x[k] * x[k];
    for (const k of list) loss += visit(x, at(i, k), 1 / list.length, out) / list.length;
    return loss;
  };
  const d = classes * width;
  const own = new Float64Array(d);
  const whole = (x: Float64Array, out: Float64Array, weights: readonly number[] | undefined): number => {
    out.fill(0);
    let loss = 0;
    for (let i = 0; i < n; i++) {
      const weight = weights?.[i] ?? 1 / n;
      loss += weight * local(x, i, own);
      for (let k = 0; k < d; k++) out[k] += weight * own[k];
    }
    return loss;
  };
  const gradient = new Float64Array(d);
  const objective = (x: Float64Array, weights?: readonly number[]) => whole(x, new Float64Array(d), weights);
  return {
    ...customProblem({
      ...{ name: "clouds", n, d, loss: (x) => objective(x) },
      gradient(x, i, t, out) {
        before();
        const random = new RandomStream(11, streams.batch, t * n + i);
        local(
          x,
          i,
          gradient,
          batch === undefined ? undefined : Array.from({ length: batch }, () => random.below(samples)),
        );
        out.set(gradient);
      },
    }),
    objective,
    minimum(weights) {
      const x = new Float64Array(d);
      const slope = new Float64Array(d);
      const speed = new Float64Array(d);
      // Gradient descent with momentum: the ridge makes it converge.
      for (let t = 0; t < 300; t++) {
        whole(x, slope, weights);
        for (let k = 0; k < d; k++) {
          speed[k] = 0.9 * speed[k] + slope[k];
          x[k] -= 0.1 * speed[k];
        }
      }
      return x;
    },
  };
}
