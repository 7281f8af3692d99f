/**
 * DIGing (Nedic, Olshevsky and Shi, 2017), gradient tracking that combines before it adapts:
 *
 *   X+ = W X - g Y;   Y+ = W Y + G+ - G;   Y_0 = G_0.
 *
 * W doubly stochastic, two vectors per iteration. Exact; stable for smaller learning rates than DSGT.
 */

import { defineAlgorithm, twoVectors } from "./algorithm.ts";
import { iterations } from "./iterations.ts";

export const diging = defineAlgorithm({
  name: "diging",
  summary: "gradient tracking: combine, then adapt",
  update: "X+ = W X - g Y; Y+ = W Y + G+ - G",
  exact: true,
  sends: twoVectors,
  states: { y: "tracker", g: "counted" },
  start(world, _options, saved) {
    let gradient = world.rows();
    return iterations(world, saved, { y: world.rows(), g: world.rows() }, function* (state, t) {
      world.gradient(state.x, t, gradient);
      // The old gradient's memory keeps g Y while Y is away.
      world.passes.trackStep(state.y, gradient, state.g, world.learningRate(t));
      [gradient, state.g] = [state.g, gradient];
      [state.x, state.y] = yield { vectors: [state.x, state.y] };
      world.passes.subtract(state.x, gradient);
    });
  },
});
