/**
 * DSGD (paper, section 5.1, eq. 12; adapt-then-combine):  X+ = W (X - g G).
 * By option combine-then-adapt:                          X+ = W X - g G.
 *
 * W doubly stochastic, one vector per iteration. Keeps a bias on heterogeneous data at a constant learning rate.
 */

import { word } from "../input/option.ts";
import { defineAlgorithm } from "./algorithm.ts";
import { iterations } from "./iterations.ts";

export const dsgd = defineAlgorithm({
  name: "dsgd",
  summary: "decentralised SGD",
  update: "X+ = W(X - g G), or X+ = W X - g G",
  options: { order: word("adapt-then-combine", "combine-then-adapt") },
  async: "models",
  start(world, { order }, saved) {
    const gradient = world.rows();
    return iterations(world, saved, {}, function* (state, t) {
      world.gradient(state.x, t, gradient);
      if (order === "adapt-then-combine") {
        world.passes.descend(state.x, world.learningRate(t), gradient);
        [state.x] = yield { vectors: [state.x] };
      } else {
        [state.x] = yield { vectors: [state.x] };
        world.passes.descend(state.x, world.learningRate(t), gradient);
      }
    });
  },
});
