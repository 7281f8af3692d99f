/** Long work written as a generator, a step at a time: gone through at once, or with the event loop let in now and then. */

declare function setTimeout(callback: () => void, milliseconds: number): unknown;

/** Numbers computed between two visits to the event loop: some ten milliseconds of gossip. */
const NUMBERS_AT_A_TIME = 1e7;

/** What the work comes to, for work that waits for nothing. */
export function finish<R>(steps: Generator<unknown, R, unknown>): R {
  for (let handed: unknown; ; ) {
    const step = steps.next(handed);
    if (step.done) return step.value;
    handed = step.value;
  }
}

/**
 * The same, letting timers, aborts and repaints have their turn every so many steps. Counted by the work of a step and
 * not by a clock, which this library does not know.
 */
export async function finishAsync<R>(steps: Generator<unknown, R, unknown>, numbersPerStep: number): Promise<R> {
  const pause = Math.max(1, Math.floor(NUMBERS_AT_A_TIME / numbersPerStep));
  let handed: unknown;
  for (let count = 1; ; count++) {
    const step = steps.next(handed);
    if (step.done) return step.value;
    handed = step.value instanceof Promise ? await step.value : step.value;
    if (count % pause === 0) await new Promise<void>((resolve) => setTimeout(resolve, 0));
  }
}
