/**
 * Local AdamW: H inner steps at every node, then the models are averaged (local SGD with AdamW as its inner optimiser).
 *
 *   X <- H inner steps;   X+ = W X.
 *
 * No outer rule, no state beside the inner moments, one vector every H updates. What all outer rules are held against.
 * Biased on heterogeneous data, more so the longer H is.
 */

import { defineAlgorithm } from "./algorithm.ts";
import { outerRounds } from "./condition.ts";
import { everySteps, localOptions, localStates, localUpdates, rounds, throughRounds } from "./local-updates.ts";

export const localAdamw = defineAlgorithm({
  name: "local-adamw",
  summary: "H local steps of AdamW, then the models are averaged",
  update: "X = H inner steps; X+ = W X",
  condition: outerRounds,
  options: { ...localOptions, rounds },
  sends: (options) => everySteps(options).sends,
  exchanges: (options) => everySteps(options).exchanges,
  outer: ({ rounds }) => ({
    ...{ vectors: 1, stay: [0], mix: [1], drift: { stay: [0], mix: [1] } },
    ...{ rounds, speed: 1 },
  }),
  states: localStates,
  start(world, { rounds, ...local }, saved) {
    const through = throughRounds(world, rounds, 1);
    return localUpdates(world, saved, local, {}, function* (state, k) {
      [state.x] = yield* through([state.x], k);
    });
  },
});
