/**
 * DiLoCo (Douillard et al., 2023, algorithm 1; section 3.1): H inner steps at every node, an all-reduce of what they came to,
 * and a step of Nesterov's momentum from the anchor A, where all of them began.
 *
 *   D = J X - A;   M <- b M + D;   A <- A + s (D + b M);   X <- A.
 *
 * W is never used; one all-reduce every H updates, 2 (n-1)/n vectors by ring. A and M are the same at all nodes. The defaults
 * of s and b are the paper's (table 5, with H = 500); X is sent, which gives D to rounding, so that anchors that differ
 * come together again.
 */

import { about, whole } from "../input/option.ts";
import { defineAlgorithm } from "./algorithm.ts";
import { anyWeights } from "./condition.ts";
import { likeModels } from "./iterations.ts";
import { localOptions, localStates, localUpdates, meanEverySteps, outerOptions } from "./local-updates.ts";

export const diloco = defineAlgorithm({
  name: "diloco",
  summary: "H local steps, an all-reduce, and an outer step with Nesterov's momentum",
  update: "D = J X - A; M = b M + D; X+ = A+ = A + s (D + b M)",
  condition: anyWeights,
  options: {
    ...localOptions,
    ...outerOptions(0.7, 0.9),
    rounds: about(whole(1, 1, 1), "1: an exact mean takes no second round"),
  },
  sends: (options) => meanEverySteps(options).sends,
  exchanges: (options) => meanEverySteps(options).exchanges,
  // Of (A, M), V = J: (A + s (1 + b) (V X - A) + s b^2 M, b M + V X - A).
  outer: ({ outerRate: s, outerMomentum: b }) => ({
    ...{ vectors: 2, stay: [1 - s * (1 + b), s * b * b, -1, b], mix: [s * (1 + b), 0, 1, 0] },
    ...{ drift: { stay: [0, 0], mix: [s * (1 + b), 1] }, rounds: 1, speed: s / (1 - b), mean: true },
  }),
  states: { ...localStates, anchor: "own", velocity: "own" },
  start(world, { outerRate, outerMomentum, ...local }, saved) {
    const states = { anchor: likeModels(world), velocity: world.rows() };
    return localUpdates(world, saved, local, states, function* (state) {
      [state.x] = yield { vectors: [state.x], by: "mean" };
      world.passes.nesterovFrom(state.x, state.anchor, state.velocity, outerMomentum, outerRate);
      world.passes.copy(state.anchor, state.x);
    });
  },
});
