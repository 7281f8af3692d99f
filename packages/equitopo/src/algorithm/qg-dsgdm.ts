/**
 * QG-DSGDm, quasi-global momentum (Lin, Karimireddy, Stich and Jaggi, 2021):
 *
 *   Xh = X - g (b q + G);   X+ = W Xh;   q = mu q + (1 - mu) (X - X+) / g.
 *
 * W doubly stochastic, one vector per iteration. The momentum follows what the network did, not the local gradient. Keeps
 * DSGD's bias.
 */

import { share } from "../input/option.ts";
import { defineAlgorithm } from "./algorithm.ts";
import { iterations } from "./iterations.ts";

export const qgDsgdm = defineAlgorithm({
  name: "qg-dsgdm",
  summary: "DSGD with quasi-global momentum",
  update: "Xh = X - g(b q + G); X+ = W Xh; q = mu q + (1-mu)(X - X+)/g",
  options: { momentum: share(0.9), mu: share(0.9) },
  async: "models",
  states: { q: "own" },
  start(world, { momentum, mu }, saved) {
    let gradient = world.rows();
    return iterations(world, saved, { q: world.rows() }, function* (state, t) {
      const step = world.learningRate(t);
      world.gradient(state.x, t, gradient);
      world.passes.quasiGlobalDescend(gradient, state.x, state.q, momentum, step);
      const [mixed] = yield { vectors: [gradient] };
      world.passes.quasiGlobalMomentum(state.q, state.x, mixed, mu, step);
      [gradient, state.x] = [state.x, mixed];
    });
  },
});
