/**
 * Push-sum SGD, SGP (Assran, Loizou, Ballas and Rabbat, 2019):
 *
 *   U+ = P (U - g G(Z));   w+ = P w;   Z = U / w,   w_0 = 1.
 *
 * P column-stochastic only: a sender needs to know its own weights only. One vector and one number per iteration.
 * The models are Z; on a doubly stochastic P this is DSGD. Keeps its bias.
 */

import { defineAlgorithm } from "./algorithm.ts";
import { columnStochastic } from "./condition.ts";
import { iterations, likeModels } from "./iterations.ts";

export const pushSum = defineAlgorithm({
  name: "push-sum",
  summary: "stochastic gradient push, for weights whose rows do not sum to 1",
  update: "U+ = P(U - g G(Z)); w+ = P w; Z = U/w",
  condition: columnStochastic,
  sends: () => ({ vectors: 1, scalars: 1 }),
  async: "shares",
  states: { u: "share", w: "share" },
  start(world, _options, saved) {
    const gradient = world.rows();
    return iterations(world, saved, { u: likeModels(world), w: world.rows(1).fill(1) }, function* (state, t) {
      world.gradient(state.x, t, gradient);
      world.passes.descend(state.u, world.learningRate(t), gradient);
      [state.u, state.w] = yield { vectors: [state.u, state.w] };
      world.passes.divideRows(state.x, state.u, state.w);
    });
  },
});
