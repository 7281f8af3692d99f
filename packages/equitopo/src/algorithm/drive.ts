/**
 * The two ways to drive an iteration: hand what it yields to the network, hand back what the network made of it. The
 * simulator's network answers at once, a real peer's after messages went back and forth.
 */

import type { Rows } from "../round/round.ts";
import type { Mix, Running } from "./algorithm.ts";

/** Iteration t of a running algorithm over a network that answers at once. */
export function drive(running: Running, t: number, exchange: (mix: Mix) => readonly Rows[]): void {
  const iteration = running.iterate(t);
  for (let step = iteration.next(); !step.done; ) step = iteration.next(exchange(step.value));
}

/** Iteration t over a network that takes its time. A failed exchange ends the iteration with the state half-way. */
export async function driveAsync(
  running: Running,
  t: number,
  exchange: (mix: Mix) => Promise<readonly Rows[]>,
): Promise<void> {
  const iteration = running.iterate(t);
  for (let step = iteration.next(); !step.done; ) step = iteration.next(await exchange(step.value));
}
