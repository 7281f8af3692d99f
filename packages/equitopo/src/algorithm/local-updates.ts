/**
 * H inner steps at every node, then an exchange: what local steps and all outer rules have in common.
 *
 *   X <- an inner step at X;   where t + 1 = (k + 1) H: outer step k.
 *
 * Updates are inner steps; learning rates, `every` and `evaluate` of a run count these. Rounds of the topology count
 * exchanges: outer step k goes through its rounds R k, ..., R k + R - 1. So W below is W(R k + R - 1) ... W(R k).
 */

import { about, type Options, positive, share, whole } from "../input/option.ts";
import type { Rows } from "../round/round.ts";
import type { Exchanges, initialState, Running, State, Traffic, World } from "./algorithm.ts";
import { type Held, pairRound } from "./averaging.ts";
import { type InnerSpec, inner, moments, startInner } from "./inner.ts";
import { iterations } from "./iterations.ts";
import {
  compressedBytes,
  type Exchanging,
  type Outer,
  outerSteps,
  type Sending,
  sendingOptions,
  updatesApart,
} from "./outer-steps.ts";

export type { Exchanging };

/** The options of those who do local steps and exchange their models. The default H is NoLoCo's for all, so that they can be compared. */
export const localOptions = {
  steps: about(whole(50, 1), "H, updates from one exchange to the next"),
  inner: inner("adamw"),
  ...sendingOptions,
} satisfies Options;

/** What they keep beside the states of their rule. */
export const localStates = { ...moments, error: "own", held: "own" } as const;

/** The option of those who exchange over a topology. */
export const rounds = about(whole(1, 1), "R, rounds of the topology in an outer step");

/** The options of an outer rule: its step along the drift of the local steps, and its momentum. */
export const outerOptions = (rate: number, momentum: number) => ({
  outerRate: about(positive(rate), "the step of an outer update; 1 goes as far as the local steps did"),
  outerMomentum: about(share(momentum), "of the outer updates"),
});

/** The options that `localUpdates` reads. */
export interface LocalUpdates extends Sending {
  readonly inner: InnerSpec;
}

/**
 * An algorithm of local steps at work: `states` are its own beside the inner moments, `outer` is outer step k, which may use
 * `memory` vectors beside them.
 */
export function localUpdates<T extends Readonly<Record<string, Rows>>>(
  world: World,
  saved: Readonly<State> | undefined,
  options: LocalUpdates,
  states: T,
  outer: (state: ReturnType<typeof initialState<T>>, k: number, t: number, memory: Rows[]) => Exchanging,
  memory = 0,
): Running {
  const gradient = world.rows();
  const { moments, step } = startInner(options.inner, world);
  const rule = { states: Object.keys(states), memory, outer: outer as Outer };
  const { every, states: sending, exchange } = outerSteps(world, options, rule);
  return iterations(world, saved, { ...moments, ...states, ...sending }, function* (state, t) {
    world.gradient(state.x, t, gradient);
    step(state, gradient, t);
    if ((t + 1) % every === 0) yield* exchange(state, (t + 1) / every - 1, t);
  });
}

/**
 * So many vectors through the R rounds of outer step k. Of CECA's rounds these are whole periods, and an exact mean: z begins
 * and ends with them.
 */
export function throughRounds(world: World, rounds: number, vectors: number) {
  const { pair } = world.topology;
  const held: Held[] =
    pair === undefined
      ? []
      : Array.from({ length: vectors }, () => ({ x: world.x0, z: world.rows(), sent: world.rows() }));
  return function* (given: readonly Rows[], k: number): Exchanging<readonly Rows[]> {
    let mixed = given;
    for (const [v, one] of held.entries()) {
      one.x = given[v];
      world.passes.copy(one.z, one.x);
    }
    for (let round = rounds * k; round < rounds * (k + 1); round++) {
      if (pair === undefined) mixed = yield { vectors: mixed };
      else yield* pairRound(held, world.count, pair(round));
    }
    return mixed;
  };
}

/** The exact mean, an all-reduce. */
export function* throughMean(vectors: readonly Rows[]): Exchanging<readonly Rows[]> {
  return yield { vectors, by: "mean" };
}

/** The part of a declaration of exchanges that these options make. */
const partly = (options: Sending) => {
  const every = updatesApart(options);
  return every === options.steps ? {} : { parts: options.steps / every };
};

/** So many vectors every H-th update, in each of R rounds. */
export const everySteps = (options: Sending & { readonly rounds: number }, vectors = 1) => ({
  sends: { vectors: (vectors * options.rounds) / options.steps, ...compressedBytes(options) } satisfies Traffic,
  exchanges: {
    ...{ hops: options.rounds, yields: options.rounds, every: options.steps },
    ...partly(options),
  } satisfies Exchanges,
});

/** An exact mean every H-th update. */
export const meanEverySteps = (options: Sending) => ({
  sends: { vectors: 0, reductions: 1 / options.steps, ...compressedBytes(options) } satisfies Traffic,
  exchanges: { hops: 1, yields: 1, every: options.steps, means: true, ...partly(options) } satisfies Exchanges,
});
