/**
 * When a run is recorded and evaluated. The only place that decides it, for every driver:
 *
 * - record:   after 0, every, 2 every, ... updates, at every evaluation, and after the last update;
 * - evaluate: after evaluate, 2 evaluate, ... updates (default: an epoch, if the problem has epochs), and after the last.
 *             Only if the problem has an evaluation; in asynchronous rounds at the end only.
 *
 * Peers save as save-points.ts says; a simulated run saves when its caller asks for it.
 */

import { InputError, integer } from "../../input/input.ts";
import type { Problem } from "../../problem/problem.ts";

export interface Intervals {
  /** Updates between two records of the metrics (default 1); the last update is always recorded. */
  readonly every?: number | undefined;
  /** Updates between two evaluations, if the problem has one (default: an epoch); the last update is always evaluated. */
  readonly evaluate?: number | undefined;
}

export interface CadenceOptions extends Intervals {
  readonly rounds: number;
  /** Its epoch, and whether it has an evaluation. */
  readonly problem: Pick<Problem, "epoch"> & { readonly evaluation?: object };
  readonly async?: boolean;
}

export interface Due {
  readonly record: boolean;
  readonly evaluate: boolean;
  /** Whether these were the last updates. */
  readonly last: boolean;
}

/** A record is kept whole until the run ends, and no result file holds more than that. */
const mostRecords = 2 ** 24;

export class Cadence {
  readonly rounds: number;
  readonly #every: number;
  /** Infinite if the problem has no evaluation. */
  readonly #evaluate: number;

  constructor({ rounds, every = 1, evaluate, problem, async = false }: CadenceOptions) {
    this.rounds = integer("rounds", rounds, 0);
    this.#every = integer("every", every, 1);
    const least = Math.ceil(this.rounds / mostRecords);
    if (every < least)
      throw new InputError(`a run is recorded at most ${mostRecords} times`, rounds / every, `set every to ${least}`);
    // An interval beyond the end means one evaluation, at the end.
    const whole = Math.max(1, this.rounds);
    const interval = integer("evaluate", evaluate ?? problem.epoch ?? whole, 1);
    this.#evaluate =
      problem.evaluation === undefined ? Number.POSITIVE_INFINITY : async ? whole : Math.min(interval, whole);
  }

  /** What is due after so many updates. */
  due(updates: number): Due {
    const last = updates === this.rounds;
    const evaluate = updates > 0 && Number.isFinite(this.#evaluate) && (last || updates % this.#evaluate === 0);
    return { record: evaluate || last || updates % this.#every === 0, evaluate, last };
  }

  /** The last time to record among before + 1, ..., updates, for a driver that skips updates; undefined if there is none. */
  passed(before: number, updates: number): number | undefined {
    if (updates === this.rounds) return updates;
    const found = Math.max(updates - (updates % this.#every), updates - (updates % this.#evaluate));
    return found > before ? found : undefined;
  }

  /** The next time to record after so many updates. */
  next(updates: number): number {
    return Math.min(multipleAfter(updates, this.#every), this.nextEvaluation(updates));
  }

  /** The next time to evaluate after so many updates; the end if the problem has no evaluation. */
  nextEvaluation(updates: number): number {
    return Math.min(this.rounds, multipleAfter(updates, this.#evaluate));
  }

  /** How evaluations of so many exchanges each lie among the exchanges of a run (peer/course/numbering.ts). */
  evaluations(length: number): { readonly every: number; readonly length: number } | undefined {
    return Number.isFinite(this.#evaluate) ? { every: this.#evaluate, length } : undefined;
  }
}

const multipleAfter = (updates: number, interval: number) => (Math.floor(updates / interval) + 1) * interval;
