/**
 * GASLoC, gossip with acceleration and local steps (2606.11081). READ SECOND HAND: its text was not to be had, only its abstract
 * and a transcription of its rule, which may differ from the paper's; the defaults are ours. With Y = A + s (X - A):
 *
 *   transcribed:  A <- (I - p (I - W)) Y + b (Y - Y_before): the difference is not mixed;
 *   mix-first:    Y <- (I - p (I - W)) Y;   A <- Y + b (Y - Y_before);           then X <- A. Y_before begins as A.
 *
 * Over the complete graph mix-first is DiLoCo, to rounding; as transcribed it is DiLoCo in the mean of the nodes only.
 * Disagreement enters the difference, so that b near 1 diverges over fast W. W doubly stochastic, one vector every H updates.
 */

import { about, positiveShare, word } from "../input/option.ts";
import { defineAlgorithm } from "./algorithm.ts";
import { likeModels } from "./iterations.ts";
import {
  everySteps,
  localOptions,
  localStates,
  localUpdates,
  outerOptions,
  rounds,
  throughRounds,
} from "./local-updates.ts";

export const gasloc = defineAlgorithm({
  name: "gasloc",
  summary: "H local steps and accelerated gossip, read second hand",
  update: "Y = A + s (X - A); X+ = A+ = (I - p (I - W)) Y + b (Y - Y-), or Y = (I - p (I - W)) Y first",
  options: {
    ...localOptions,
    ...outerOptions(0.7, 0.5),
    rounds,
    pull: about(positiveShare(1), "p, the factor of the mixing step"),
    form: about(word("transcribed", "mix-first"), "whether the accelerating difference is that of mixed models"),
  },
  sends: (options) => everySteps(options).sends,
  exchanges: (options) => everySteps(options).exchanges,
  // Of (A, Y-): with mix-first what is sent is in the difference, too.
  outer({ outerRate: s, outerMomentum: b, rounds, pull: p, form }) {
    // Y+ is this much of A + s D and of W (A + s D); A+ takes (1 + b) Y+, or b times the Y+ that is not mixed.
    const [kept, mixed] = form === "mix-first" ? [1 - p, p] : [1, 0];
    const [stays, sent] = form === "mix-first" ? [(1 + b) * kept, (1 + b) * mixed] : [1 - p + b, p];
    return {
      ...{ vectors: 2, stay: [stays, -b, kept, 0], mix: [sent, 0, mixed, 0] },
      ...{ drift: { stay: [s * stays, s * kept], mix: [s * sent, s * mixed] }, rounds, speed: s / (1 - b) },
    };
  },
  states: { ...localStates, anchor: "own", before: "own" },
  start(world, { outerRate, outerMomentum, rounds, pull, form, ...local }, saved) {
    const { towards, copy, accelerate } = world.passes;
    const through = throughRounds(world, rounds, 1);
    const states = { anchor: likeModels(world), before: likeModels(world) };
    return localUpdates(
      world,
      saved,
      local,
      states,
      function* (state, k, _t, memory) {
        towards(state.x, state.anchor, outerRate);
        copy(memory[0], state.x);
        [memory[0]] = yield* through([memory[0]], k);
        const [mixed] = memory;
        towards(mixed, state.x, pull);
        if (form === "mix-first") copy(state.x, mixed);
        accelerate(mixed, state.x, state.before, outerMomentum);
        copy(state.x, mixed);
        copy(state.anchor, mixed);
      },
      1,
    );
  },
});
