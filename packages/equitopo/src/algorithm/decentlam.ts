/**
 * DecentLaM (Yuan et al., 2021), momentum whose bias is DSGD's own, not 1/(1 - b) times as large:
 *
 *   gt = (X - W (X - g G)) / g;   m = b m + gt;   X+ = X - g m.
 *
 * W static and symmetric, one vector per iteration.
 */

import { share } from "../input/option.ts";
import { defineAlgorithm } from "./algorithm.ts";
import { staticSymmetric } from "./condition.ts";
import { iterations } from "./iterations.ts";

export const decentLam = defineAlgorithm({
  name: "decentlam",
  summary: "momentum SGD without momentum's extra bias",
  update: "gt = (X - W(X - g G))/g; m = b m + gt; X+ = X - g m",
  condition: staticSymmetric,
  options: { momentum: share(0.9) },
  states: { m: "own" },
  start(world, { momentum }, saved) {
    let gradient = world.rows();
    return iterations(world, saved, { m: world.rows() }, function* (state, t) {
      const step = world.learningRate(t);
      world.gradient(state.x, t, gradient);
      world.passes.descendInto(gradient, state.x, step);
      [gradient] = yield { vectors: [gradient] };
      world.passes.gossipMomentumDescend(state.x, state.m, gradient, momentum, step);
    });
  },
});
