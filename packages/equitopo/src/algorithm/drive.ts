/**
 * The two ways to drive an iteration: hand each value that it yields to the network, and hand back the network's answer. The
 * simulator's network answers at once, a real peer's after messages went back and forth. Both number exchanges and rounds
 * alike (Mix says how).
 */

import { InputError } from "../input/input.ts";
import type { Rows } from "../round/round.ts";
import { type Exchanges, firstRound, type Mix, oneExchange, type Running } from "./algorithm.ts";

/** The numbers of an exchange. */
export interface Turn {
  /** The topology's round: W(round). A mean has none of its own, and is given that of the next exchange. */
  readonly round: number;
  /** Its number in the run, counted over all exchanges of all iterations: yields t + k. */
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

/**
 * Iteration t over a network that takes its time. A failed exchange ends the iteration with the state half-way. `begin` hears
 * of what may be sent already (Mix.begin), and as what it will be exchanged.
 */
export async function driveAsync(
  running: Running,
  t: number,
  exchange: (mix: Mix, turn: Turn) => Promise<readonly Rows[]>,
  exchanges: Exchanges = oneExchange(),
  begin?: (mix: Mix, turn: Turn) => void,
): Promise<void> {
  const steps = driveSteps(running, t, exchange, exchanges, begin);
  for (let step = steps.next(); !step.done; ) step = steps.next(await step.value);
}

/** Iteration t as a generator: it yields the network's answers, and is handed back the rows of each. */
export function* driveSteps<Answer>(
  running: Running,
  t: number,
  exchange: (mix: Mix, turn: Turn) => Answer,
  exchanges: Exchanges = oneExchange(),
  begin?: (mix: Mix, turn: Turn) => void,
): Generator<Answer, void, readonly Rows[]> {
  const { hops, yields } = exchanges;
  const iteration = running.iterate(t);
  let [made, hop] = [0, 0];
  for (let step = iteration.next(); !step.done; ) {
    const { vectors, by, begin: ahead } = step.value;
    if (ahead !== undefined) {
      begin?.(step.value, { round: firstRound(exchanges, t + ahead), exchange: yields * (t + ahead) });
      step = iteration.next(vectors);
      continue;
    }
    if (made === yields) {
      const rule = `an iteration makes at most the ${yields} exchanges that its algorithm declares`;
      const remedy = "raise `yields` in its `exchanges`, and `hops` if each is to have a round of its own";
      throw new InputError(rule, yields + 1, remedy);
    }
    const turn = { round: firstRound(exchanges, t) + Math.min(hop, hops - 1), exchange: yields * t + made };
    made++;
    if (by !== "mean") hop++;
    step = iteration.next(yield exchange(step.value, turn));
  }
}
