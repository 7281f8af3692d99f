/**
 * DmSGD, decentralised SGD with local momentum (used for the paper's neural networks; momentum is not mixed):
 *
 *   m = b m + G;   X+ = W (X - g m).
 *
 * W doubly stochastic, one vector per iteration. Keeps DSGD's bias, that of the rate g / (1 - b).
 */

import { share } from "../input/option.ts";
import {
  defineAlgorithm,
  initialState,
  oneExchange,
  oneVector,
  type Running,
  type State,
  type World,
} from "./algorithm.ts";
import { doublyStochastic } from "./condition.ts";

/** DmSGD at work; with b = 0 it is DSGD. */
export function startMomentum(world: World, b: number, saved?: Readonly<State>): Running {
  const gradient = world.rows();
  const state = initialState(world, saved, { m: world.rows() });
  return {
    state,
    *iterate(t) {
      world.gradient(state.x, t, gradient);
      world.passes.momentumDescend(state.x, state.m, gradient, b, world.learningRate(t));
      [state.x] = yield { vectors: [state.x] };
    },
  };
}

export const dmsgd = defineAlgorithm({
  name: "dmsgd",
  summary: "decentralised SGD with local momentum",
  update: "m = b m + G; X+ = W(X - g m)",
  condition: doublyStochastic,
  exact: false,
  options: { momentum: share(0.9) },
  sends: oneVector,
  exchanges: oneExchange,
  async: "models",
  states: { m: "own" },
  start: (world, { momentum }, saved) => startMomentum(world, momentum, saved),
});
