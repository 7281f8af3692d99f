/**
 * D-Adam (Nazari, Tarzanagh and Michailidis, 2019): Adam at every node, its models mixed, its moments local.
 *
 *   m = b1 m + (1 - b1) G;   v = b2 v + (1 - b2) G^2;   X+ = W (X - g mh / (sqrt(vh) + eps)),
 *
 * mh = m / (1 - b1^(t+1)), vh = v / (1 - b2^(t+1)). W doubly stochastic, one vector per iteration. Biased.
 */

import { positiveShare, share } from "../input/option.ts";
import { defineAlgorithm } from "./algorithm.ts";
import { iterations } from "./iterations.ts";

/** b^k by squaring: Math.pow may differ between engines in the last digit. */
function power(b: number, k: number): number {
  let result = 1;
  for (let square = b, rest = k; rest > 0; square *= square, rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result *= square;
  }
  return result;
}

export const dAdam = defineAlgorithm({
  name: "d-adam",
  summary: "Adam at every node, models mixed",
  update: "X+ = W(X - g mh/(sqrt(vh) + eps)), moments local and bias-corrected",
  options: { beta1: share(0.9), beta2: share(0.999), epsilon: positiveShare(1e-8) },
  async: "models",
  states: { m: "own", v: "own" },
  start(world, { beta1, beta2, epsilon }, saved) {
    const gradient = world.rows();
    return iterations(world, saved, { m: world.rows(), v: world.rows() }, function* (state, t) {
      world.gradient(state.x, t, gradient);
      world.passes.adamDescend(state.x, state.m, state.v, gradient, {
        b1: beta1,
        b2: beta2,
        c1: 1 - power(beta1, t + 1),
        c2: 1 - power(beta2, t + 1),
        s: world.learningRate(t),
        eps: epsilon,
      });
      [state.x] = yield { vectors: [state.x] };
    });
  },
});
