/**
 * ATC gradient tracking (Aug-DGM): both models and trackers adapt, then combine:
 *
 *   X+ = W (X - g Y);   Y+ = W (Y + G+ - G);   Y_0 = G_0.
 *
 * W doubly stochastic. Exact. Two vectors per iteration in two exchanges, because G+ is known only once X+ is.
 */

import { defineAlgorithm, twoVectors } from "./algorithm.ts";
import { iterations } from "./iterations.ts";

export const atcGt = defineAlgorithm({
  name: "atc-gt",
  summary: "gradient tracking: models and trackers adapt, then combine",
  update: "X+ = W(X - g Y); Y+ = W(Y + G+ - G)",
  exact: true,
  sends: twoVectors,
  exchanges: () => ({ hops: 1, yields: 2 }),
  states: { y: "tracker", g: "counted" },
  start(world, _options, saved) {
    let gradient = world.rows();
    return iterations(world, saved, { y: world.rows(), g: world.rows() }, function* (state, t) {
      if (t === 0) {
        world.gradient(state.x, 0, state.g);
        world.passes.copy(state.y, state.g);
      }
      world.passes.descend(state.x, world.learningRate(t), state.y);
      [state.x] = yield { vectors: [state.x] };
      world.gradient(state.x, t + 1, gradient);
      world.passes.track(state.y, gradient, state.g);
      [gradient, state.g] = [state.g, gradient];
      [state.y] = yield { vectors: [state.y] };
    });
  },
});
