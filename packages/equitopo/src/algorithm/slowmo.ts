/**
 * SlowMo (Wang, Tantia, Ballas and Rabbat, 2019): H inner steps, an average, and a heavy ball from the anchor A.
 *
 *   M <- b M + (V X - A) / c;   A <- A + s c M;   X <- A,   V = J (by: mean, the paper's), or W (by: topology).
 *
 * c = 1 in the heavy-ball form, which is also that of BMUF. In the published form (eq. 2 and 3) c is the inner rate, of the
 * last of the H updates, so that M does not depend on it: at a constant inner rate both are the same to rounding, and under a
 * schedule they are not. Defaults: s = 1 is "consistently best" there, b between 0.4 and 0.8 is tuned; 0.6 is what it has
 * without averages (section 6). The inner moments are kept, as the paper does for Adam.
 *
 * An all-reduce every H updates, or one vector over W.
 */

import { InputError } from "../input/input.ts";
import { about, word } from "../input/option.ts";
import type { OuterModel } from "../rate/outer-model.ts";
import type { Rows } from "../round/round.ts";
import { defineAlgorithm, type Running, type State, type World } from "./algorithm.ts";
import { likeModels } from "./iterations.ts";
import {
  type Exchanging,
  everySteps,
  localOptions,
  localStates,
  localUpdates,
  meanEverySteps,
  outerOptions,
  rounds,
  throughMean,
  throughRounds,
} from "./local-updates.ts";

/** The rule at work; `through` is V, `unit` is c in iteration t. */
export function startHeavyBall(
  world: World,
  saved: Readonly<State> | undefined,
  options: Parameters<typeof localUpdates>[2] & Readonly<Record<"outerRate" | "outerMomentum", number>>,
  through: (vectors: readonly Rows[], k: number) => Exchanging<readonly Rows[]>,
  unit: (t: number) => number = () => 1,
): Running {
  const { outerRate, outerMomentum } = options;
  const states = { anchor: likeModels(world), velocity: world.rows() };
  return localUpdates(world, saved, options, states, function* (state, k, t) {
    [state.x] = yield* through([state.x], k);
    const c = unit(t);
    world.passes.heavyBallFrom(state.x, state.anchor, state.velocity, outerMomentum, c, outerRate * c);
    world.passes.copy(state.anchor, state.x);
  });
}

/** The rule with a pull p of its own, of (A, s M): (A + M, M) with M+ = b M + s W D - p (A - W A); here p = s. */
export function pulledModel(
  { outerRate: s, outerMomentum: b, rounds }: Readonly<Record<"outerRate" | "outerMomentum" | "rounds", number>>,
  p: number,
): OuterModel {
  return {
    ...{ vectors: 2, stay: [1 - p, b, -p, b], mix: [p, 0, p, 0] },
    ...{ drift: { stay: [0, 0], mix: [s, s] }, rounds, speed: s / (1 - b) },
  };
}

/** Whether it is J that averages. */
function isMean({ by, rounds }: { readonly by: "mean" | "topology"; readonly rounds: number }): boolean {
  if (by === "mean" && rounds > 1) {
    const rule = "slowmo's rounds must be 1 where the mean averages, which takes no second round";
    throw new InputError(rule, rounds, "leave it out, or choose by: topology");
  }
  return by === "mean";
}

export const slowmo = defineAlgorithm({
  name: "slowmo",
  summary: "H local steps, an average, and an outer step with heavy-ball momentum",
  update: "M = b M + (J X - A)/c; X+ = A+ = A + s c M, or W in the place of J",
  options: {
    ...localOptions,
    ...outerOptions(1, 0.6),
    rounds,
    by: about(word("mean", "topology"), "what averages: an all-reduce, or W"),
    form: about(word("heavy-ball", "published"), "published: the momentum is divided by the inner rate"),
  },
  sends: (options) => (isMean(options) ? meanEverySteps : everySteps)(options).sends,
  exchanges: (options) => (isMean(options) ? meanEverySteps : everySteps)(options).exchanges,
  outer: (options) => ({
    ...pulledModel(options, options.outerRate),
    ...(isMean(options) ? { mean: true } : {}),
  }),
  states: { ...localStates, anchor: "own", velocity: "own" },
  start(world, options, saved) {
    const { rounds, form } = options;
    const through = isMean(options) ? throughMean : throughRounds(world, rounds, 1);
    const unit = form === "published" ? (t: number) => world.learningRate(t) : () => 1;
    return startHeavyBall(world, saved, options, through, unit);
  },
});
