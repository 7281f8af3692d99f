/**
 * Turns of the event loop, in which sockets are read, timers ring and signals are heard. An exchange with partners that are
 * all gone is over in the very call that begins it, and a peer that does nothing but such ones goes from promise to promise:
 * it would hear of nobody's return, and not even of the interrupt that is to end it.
 */

/** Milliseconds that a peer may go without a turn. */
const patience = 10;

/** A turn: sockets are read, timers run, others of the same thread have theirs. */
export function loopTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === "function") setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}

export class LoopTurns {
  /** Since when, on the lane's clock, no exchange has waited. */
  #since: number | undefined;

  /** What comes of an exchange, after a turn where there was none for long; `over` where it did not wait for anything. */
  after<T>(outcome: Promise<T>, over: boolean, now: number): Promise<T> {
    this.#since = over ? (this.#since ?? now) : undefined;
    if (this.#since === undefined || now - this.#since < patience) return outcome;
    this.#since = undefined;
    return loopTurn().then(() => outcome);
  }
}
