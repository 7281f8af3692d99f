/**
 * EXTRA (Shi, Ling, Wu and Yin, 2015):
 *
 *   X_1 = W X_0 - g G_0, then X+ = (I + W) X - (I + W)/2 X_prev - (g G - g_prev G_prev).
 *
 * W static and symmetric, one vector per iteration. Exact. With c = (I + W)/2 X - g G of the iteration before, and X_0 before
 * the first, both lines are X+ = X + W X - g G - c: the state is X and c.
 */

import { defineAlgorithm } from "./algorithm.ts";
import { staticSymmetric } from "./condition.ts";
import { iterations, likeModels } from "./iterations.ts";

export const extra = defineAlgorithm({
  name: "extra",
  summary: "exact first-order method: combine, then adapt",
  update: "X1 = W X0 - g G0; X+ = (I+W) X - (I+W)/2 X_prev - g(G - G_prev)",
  condition: staticSymmetric,
  exact: true,
  states: { c: "share" },
  start(world, _options, saved) {
    const gradient = world.rows();
    return iterations(world, saved, { c: likeModels(world) }, function* (state, t) {
      world.gradient(state.x, t, gradient);
      world.passes.extraLocal(gradient, state.c, state.x, world.learningRate(t));
      [state.x] = yield { vectors: [state.x] };
      world.passes.extraMixed(state.x, state.c, gradient);
    });
  },
});
