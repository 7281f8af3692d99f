/**
 * D-Adam (Nazari, Tarzanagh and Michailidis, 2019): Adam at every node, its models mixed, its moments local.
 *
 *   m = b1 m + (1 - b1) G;   v = b2 v + (1 - b2) G^2;   X+ = W (X - g mh / (sqrt(vh) + eps)),
 *
 * mh = m / (1 - b1^(t+1)), vh = v / (1 - b2^(t+1)). W doubly stochastic, one vector per iteration. Biased.
 */

import { positiveShare, share } from "../input/option.ts";
import { defineAlgorithm } from "./algorithm.ts";
import { moments } from "./inner.ts";
import { localUpdates } from "./local-updates.ts";

export const dAdam = defineAlgorithm({
  name: "d-adam",
  summary: "Adam at every node, models mixed",
  update: "X+ = W(X - g mh/(sqrt(vh) + eps)), moments local and bias-corrected",
  options: { beta1: share(0.9), beta2: share(0.999), epsilon: positiveShare(1e-8) },
  async: "models",
  states: moments,
  start: (world, { beta1, beta2, epsilon }, saved) => {
    const inner = { name: "adamw", beta1, beta2, epsilon, weightDecay: 0, clip: 0 };
    return localUpdates(world, saved, { steps: 1, inner }, {}, function* (state) {
      [state.x] = yield { vectors: [state.x] };
    });
  },
});
