/**
 * DSGD (paper, section 5.1, eq. 12; adapt-then-combine):  X+ = W (X - g G).
 * By option combine-then-adapt:                          X+ = W X - g G.
 *
 * W doubly stochastic, one vector a round. Keeps a bias on heterogeneous data at a constant learning rate.
 */

import { oneOf } from "../input.ts";
import type { Algorithm } from "./algorithm.ts";

/** x <- x - step g. */
function descend(x: { [k: number]: number; length: number }, step: number, g: ArrayLike<number>): void {
  for (let k = 0; k < x.length; k++) x[k] -= step * g[k];
}

export const dsgd: Algorithm = {
  name: "dsgd",
  summary: "decentralised SGD",
  update: "X+ = W(X - g G), or X+ = W X - g G",
  vectors: 1,
  exact: false,
  options: { order: "adapt-then-combine" },
  unfit: () => undefined,
  start(world, options) {
    const order = oneOf("order", options["order"], ["adapt-then-combine", "combine-then-adapt"]);
    const gradient = world.rows();
    const state = { x: world.x0 };
    return {
      state,
      *iterate(t) {
        world.gradient(state.x, t, gradient);
        if (order === "adapt-then-combine") {
          descend(state.x, world.learningRate(t), gradient);
          [state.x] = yield { vectors: [state.x] };
        } else {
          [state.x] = yield { vectors: [state.x] };
          descend(state.x, world.learningRate(t), gradient);
        }
      },
    };
  },
};
