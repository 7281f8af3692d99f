/**
 * Momentum tracking (Takezawa, Bao, Niwa, Sato and Yamada, 2022):
 *
 *   m = b m + G;   X+ = W X - g (m - c);   c+ = W (c - m) + m;   m_0 = c_0 = (G_0 - mean of G_0)/(1 - b), or 0.
 *
 * W doubly stochastic, two vectors per iteration (and one all-reduce at the start where c_0 is not 0). Exact.
 */

import { share, word } from "../input/option.ts";
import { defineAlgorithm, twoVectors } from "./algorithm.ts";
import { iterations } from "./iterations.ts";

export const momentumTracking = defineAlgorithm({
  name: "momentum-tracking",
  summary: "momentum SGD with the momenta's differences tracked",
  update: "m = b m + G; X+ = W X - g(m - c); c+ = W(c - m) + m",
  exact: true,
  options: { momentum: share(0.9), initial: word("zero", "mean") },
  sends: twoVectors,
  exchanges: ({ initial }) => ({ hops: 1, yields: 2, ...(initial === "mean" ? { means: true } : {}) }),
  states: { m: "own", c: "share" },
  start(world, { momentum, initial }, saved) {
    const gradient = world.rows();
    return iterations(world, saved, { m: world.rows(), c: world.rows() }, function* (state, t) {
      world.gradient(state.x, t, gradient);
      if (t === 0 && initial === "mean") {
        world.passes.copy(state.c, gradient);
        [state.c] = yield { vectors: [state.c], by: "mean" };
        world.passes.gap(state.c, gradient, 1 - momentum);
        world.passes.copy(state.m, state.c);
      }
      // The gradient's memory keeps g (c - m) while c - m is away.
      world.passes.momentumGap(state.m, state.c, gradient, momentum, world.learningRate(t));
      [state.x, state.c] = yield { vectors: [state.x, state.c] };
      world.passes.add(state.x, gradient);
      world.passes.add(state.c, state.m);
    });
  },
});
