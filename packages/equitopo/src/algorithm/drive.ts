/**
 * The two ways to drive an iteration: hand what it yields to the network, hand back what the network made of it. The
 * simulator's network answers at once, a real peer's after messages went back and forth. Both number exchanges and
 * rounds alike (Mix says how).
 */

import { InputError } from "../input/input.ts";
import type { Rows } from "../round/round.ts";
import { type Exchanges, type Mix, oneExchange, type Running } from "./algorithm.ts";

/** Where an exchange stands. */
export interface Turn {
  /** The topology's round: W(round). A mean has none of its own, and stands where the next exchange would. */
  readonly round: number;
  /** Its number in the run, all exchanges of all iterations counted through: yields t + k. */
  readonly exchange: number;
}

/** Iteration t of a running algorithm over a network that answers at once. */
export function drive(
  running: Running,
  t: number,
  exchange: (mix: Mix, turn: Turn) => readonly Rows[],
  exchanges: Exchanges = oneExchange(),
): void {
  const steps = driveSteps(running, t, exchange, exchanges);
  for (let step = steps.next(); !step.done; ) step = steps.next(step.value);
}

/** The same as a generator: it yields what the network answers, and goes on with what it is handed for that. */
export function* driveSteps<Answer>(
  running: Running,
  t: number,
  exchange: (mix: Mix, turn: Turn) => Answer,
  exchanges: Exchanges = oneExchange(),
): Generator<Answer, void, readonly Rows[]> {
  const iteration = running.iterate(t);
  const turns = new Turns(t, exchanges);
  for (let step = iteration.next(); !step.done; ) {
    step = iteration.next(yield exchange(step.value, turns.next(step.value)));
  }
}

/** Iteration t over a network that takes its time. A failed exchange ends the iteration with the state half-way. */
export async function driveAsync(
  running: Running,
  t: number,
  exchange: (mix: Mix, turn: Turn) => Promise<readonly Rows[]>,
  exchanges: Exchanges = oneExchange(),
): Promise<void> {
  const iteration = running.iterate(t);
  const turns = new Turns(t, exchanges);
  for (let step = iteration.next(); !step.done; ) {
    step = iteration.next(await exchange(step.value, turns.next(step.value)));
  }
}

/** Numbers the exchanges of iteration t. */
class Turns {
  readonly #t: number;
  readonly #exchanges: Exchanges;
  #yields = 0;
  #hops = 0;

  constructor(t: number, exchanges: Exchanges) {
    this.#t = t;
    this.#exchanges = exchanges;
  }

  next({ by }: Mix): Turn {
    const { hops, yields } = this.#exchanges;
    if (this.#yields === yields) {
      throw new InputError(
        `an iteration makes at most the ${yields} exchanges that its algorithm declares`,
        yields + 1,
        "raise `yields` in its `exchanges`, and `hops` where each is to have a round of its own",
      );
    }
    const turn = {
      round: hops * this.#t + Math.min(this.#hops, hops - 1),
      exchange: yields * this.#t + this.#yields,
    };
    this.#yields++;
    if (by !== "mean") this.#hops++;
    return turn;
  }
}
