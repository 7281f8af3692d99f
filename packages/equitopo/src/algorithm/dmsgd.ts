/**
 * DmSGD, decentralised SGD with local momentum (used for the paper's neural networks; momentum is not mixed):
 *
 *   m = b m + G;   X+ = W (X - g m).
 *
 * W doubly stochastic, one vector per iteration. Keeps DSGD's bias, that of the rate g / (1 - b).
 */

import { share } from "../input/option.ts";
import { defineAlgorithm, type Running, type State, type World } from "./algorithm.ts";
import { localUpdates } from "./local-updates.ts";

/** DmSGD at work; with b = 0 it is DSGD. */
export function startMomentum(world: World, momentum: number, saved?: Readonly<State>, steps = 1): Running {
  const inner = { name: "momentum", momentum, clip: 0 };
  return localUpdates(world, saved, { steps, inner }, {}, function* (state) {
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
