/**
 * DSGT, gradient tracking (paper, section 5.2, eq. 14):
 *
 *   X+ = W (X - g Y);   Y+ = W Y + G+ - G;   Y_0 = G_0.
 *
 * W doubly stochastic, two vectors per iteration. Exact. G+ is taken where the next iteration starts, so that X - g Y and Y
 * go in one exchange: the state holds W Y and G of the iteration before (both 0 at first, which makes Y_0 = G_0).
 */

import { defineAlgorithm, twoVectors } from "./algorithm.ts";
import { iterations } from "./iterations.ts";

export const dsgt = defineAlgorithm({
  name: "dsgt",
  summary: "gradient tracking as in the paper: models adapt, then combine",
  update: "X+ = W(X - g Y); Y+ = W Y + G+ - G",
  exact: true,
  sends: twoVectors,
  states: { y: "tracker", g: "counted" },
  start(world, _options, saved) {
    let gradient = world.rows();
    return iterations(world, saved, { y: world.rows(), g: world.rows() }, function* (state, t) {
      world.gradient(state.x, t, gradient);
      world.passes.trackDescend(state.x, state.y, gradient, state.g, world.learningRate(t));
      [gradient, state.g] = [state.g, gradient];
      [state.x, state.y] = yield { vectors: [state.x, state.y] };
    });
  },
});
