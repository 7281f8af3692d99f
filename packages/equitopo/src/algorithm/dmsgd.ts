/**
 * DmSGD, decentralised SGD with local momentum (used for the paper's neural networks; momentum is not mixed):
 *
 *   m = b m + G;   X+ = W (X - g m).
 *
 * W doubly stochastic, one vector per iteration. Keeps DSGD's bias, that of the rate g / (1 - b).
 */

import { share } from "../input/option.ts";
import { defineAlgorithm, type Running, type State, type World } from "./algorithm.ts";
import { iterations } from "./iterations.ts";

/** DmSGD at work; with b = 0 it is DSGD. */
export function startMomentum(world: World, b: number, saved?: Readonly<State>): Running {
  const gradient = world.rows();
  return iterations(world, saved, { m: world.rows() }, function* (state, t) {
    world.gradient(state.x, t, gradient);
    world.passes.momentumDescend(state.x, state.m, gradient, b, world.learningRate(t));
    [state.x] = yield { vectors: [state.x] };
  });
}

export const dmsgd = defineAlgorithm({
  name: "dmsgd",
  summary: "decentralised SGD with local momentum",
  update: "m = b m + G; X+ = W(X - g m)",
  options: { momentum: share(0.9) },
  async: "models",
  states: { m: "own" },
  start: (world, { momentum }, saved) => startMomentum(world, momentum, saved),
});
