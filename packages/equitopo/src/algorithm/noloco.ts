/**
 * NoLoCo (Kolehmainen et al., 2025, eq. 1 to 3): outer steps between random pairs (the topology random-matching), without any
 * collective.
 *
 *   D = X - A;   M <- b M + s W D - p (A - W A);   A <- A + M;   X <- A.
 *
 * The sign before s W D is that of the authors' code and of their eq. 32; eq. 2 prints the other one. They call it Nesterov's
 * momentum, but it looks nowhere ahead. Two forms:
 *
 * - published:  the pull p is free; D and A are sent, two vectors every H updates. Where p = s, X alone is;
 * - released:   the code, whose pull is the outer rate. Then s W D - p (A - W A) = s (W X - A), one vector, and the rule is
 *               SlowMo's (slowmo.ts) with W in the place of the mean, to the bit.
 *
 * Disagreement enters the momentum, so that b near 1 diverges over fast W. Defaults: b and s of its section 4; p is not printed
 * there, and is 0.7 in the code. W doubly stochastic.
 */

import { InputError } from "../input/input.ts";
import { about, auto, nonnegative, word } from "../input/option.ts";
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
import { pulledModel, startHeavyBall } from "./slowmo.ts";

interface Pulling {
  readonly pull: number | "auto";
  readonly outerRate: number;
  readonly form: "published" | "released";
}

/** p; the released form has none of its own. */
function pullOf({ pull, outerRate, form }: Pulling): number {
  if (pull === "auto") return outerRate;
  if (form === "published" || pull === outerRate) return pull;
  const rule = `noloco's pull is its outer rate in the released form, ${outerRate}`;
  throw new InputError(rule, pull, "leave it out, or choose the form published");
}

const vectorsOf = (options: Pulling) => (pullOf(options) === options.outerRate ? 1 : 2);

export const noloco = defineAlgorithm({
  name: "noloco",
  summary: "H local steps, and an outer step with momentum between pairs of nodes",
  update: "D = X - A; M = b M + s W D - p (A - W A); X+ = A+ = A + M",
  options: {
    ...localOptions,
    ...outerOptions(0.7, 0.5),
    rounds,
    pull: about(auto(nonnegative(0.7)), "p, the step towards the mixed anchors; auto: the outer rate"),
    form: about(word("published", "released"), "as printed, or as the authors' code: its pull is the outer rate"),
  },
  sends: (options) => everySteps(options, vectorsOf(options)).sends,
  exchanges: (options) => everySteps(options).exchanges,
  outer: (options) => pulledModel(options, pullOf(options)),
  states: { ...localStates, anchor: "own", velocity: "own" },
  start(world, options, saved) {
    const { outerRate, outerMomentum, rounds } = options;
    const pull = pullOf(options);
    if (pull === outerRate) return startHeavyBall(world, saved, options, throughRounds(world, rounds, 1));
    const through = throughRounds(world, rounds, 2);
    const states = { anchor: likeModels(world), velocity: world.rows() };
    return localUpdates(
      world,
      saved,
      options,
      states,
      function* (state, k, _t, memory) {
        const { anchor, velocity } = state;
        world.passes.subtract(state.x, anchor);
        world.passes.copy(memory[0], anchor);
        [state.x, memory[0]] = yield* through([state.x, memory[0]], k);
        world.passes.pulledStep(state.x, memory[0], anchor, velocity, outerMomentum, outerRate, pull);
      },
      1,
    );
  },
});
