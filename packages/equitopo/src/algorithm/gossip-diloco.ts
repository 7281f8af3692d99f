/**
 * Gossip DiLoCo (ours; cf. SlowMo without averages, Wang et al. 2019, section 6, and the mixing of models in Factored Gossip
 * DiLoCo, 2026): DiLoCo's step from every node's own drift, with the mixing outside the momentum.
 *
 *   D = X - A;   M <- b M + D;   Z = A + s (D + b M);   A <- W Z;   X <- A;   and M <- W M by option (mixMomentum).
 *
 * W doubly stochastic; one vector every H updates, with mixMomentum two. Disagreement never enters the momentum, so that any
 * b < 1 is stable over any W. Over the complete graph it is DiLoCo, to rounding.
 */

import { about, flag } from "../input/option.ts";
import { defineAlgorithm } from "./algorithm.ts";
import { outerRounds } from "./condition.ts";
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

const vectorsOf = ({ mixMomentum }: { readonly mixMomentum: boolean }) => (mixMomentum ? 2 : 1);

export const gossipDiloco = defineAlgorithm({
  name: "gossip-diloco",
  summary: "DiLoCo's outer step at every node, then its models are mixed",
  update: "D = X - A; M = b M + D; X+ = A+ = W(A + s (D + b M))",
  condition: outerRounds,
  options: {
    ...localOptions,
    ...outerOptions(0.7, 0.9),
    rounds,
    mixMomentum: about(flag(), "the momentum is mixed, too: a second vector"),
  },
  sends: (options) => everySteps(options, vectorsOf(options)).sends,
  exchanges: (options) => everySteps(options).exchanges,
  // Of (A, M): what is sent is A + s (1 + b) D + s b^2 M, and with mixMomentum b M + D.
  outer({ outerRate: s, outerMomentum: b, rounds, mixMomentum }) {
    const [kept, sent] = mixMomentum ? [0, 1] : [1, 0];
    return {
      ...{ vectors: 2, stay: [0, 0, 0, kept * b], mix: [1, s * b * b, 0, sent * b] },
      ...{ drift: { stay: [0, kept], mix: [s * (1 + b), sent] }, rounds, speed: s / (1 - b) },
    };
  },
  states: { ...localStates, anchor: "own", velocity: "own" },
  start(world, { outerRate, outerMomentum, rounds, mixMomentum, ...local }, saved) {
    const through = throughRounds(world, rounds, mixMomentum ? 2 : 1);
    const states = { anchor: likeModels(world), velocity: world.rows() };
    return localUpdates(world, saved, local, states, function* (state, k) {
      world.passes.nesterovFrom(state.x, state.anchor, state.velocity, outerMomentum, outerRate);
      if (mixMomentum) [state.x, state.velocity] = yield* through([state.x, state.velocity], k);
      else [state.x] = yield* through([state.x], k);
      world.passes.copy(state.anchor, state.x);
    });
  },
});
