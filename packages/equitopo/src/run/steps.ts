/** Long work written as a generator, one step at a time: run at once, or yielding to the event loop now and then. */

/** Numbers computed between two visits to the event loop: about ten milliseconds of gossip. */
const NUMBERS_AT_A_TIME = 1e7;

/** The result of work that waits for nothing. */
export function finish<R>(steps: Generator<unknown, R, unknown>): R {
  let step = steps.next();
  while (!step.done) step = steps.next(step.value);
  return step.value;
}

/**
 * The same result, but timers, aborts and repaints get their turn every so many steps. The steps are counted by their work
 * and not by a clock, which this library does not have.
 */
export async function finishAsync<R>(steps: Generator<unknown, R, unknown>, numbersPerStep: number): Promise<R> {
  const pause = Math.max(1, Math.floor(NUMBERS_AT_A_TIME / numbersPerStep));
  let step = steps.next();
  for (let count = 1; !step.done; count++) {
    const handed = step.value instanceof Promise ? await step.value : step.value;
    if (count % pause === 0) await new Promise<void>((resolve) => setTimeout(resolve, 0));
    step = steps.next(handed);
  }
  return step.value;
}
