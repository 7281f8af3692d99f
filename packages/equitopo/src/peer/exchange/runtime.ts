/**
 * What the library takes from the machine it runs on: a clock, timers, turns of the event loop, random bits. Nothing else
 * in this package asks for these (test/layers.test.ts), but for the pauses of a long simulation (run/steps.ts). Code that needs
 * the time takes the clock of its transport, and this one only if the transport has none; of random bits only run ids are made.
 */

export interface Clock {
  now(): number;
  /** Runs something once, so many milliseconds from now; the answer cancels it. */
  after(milliseconds: number, run: () => void): () => void;
}

export const runtimeClock: Clock = {
  now: () => performance.now(),
  after(milliseconds, run) {
    // Rounded up: timers cut fractions off, and nothing is to be run too early.
    const timer = setTimeout(run, Math.ceil(milliseconds));
    return () => clearTimeout(timer);
  },
};

/** Runs something when the program has nothing left to do; in browsers, which have no immediates, a little later. */
export function whenIdle(run: () => void): void {
  if (typeof setImmediate === "function") setImmediate(run);
  else setTimeout(run, 0);
}

/** A turn of the event loop: sockets are read, timers run, others of the same thread have theirs. */
export function loopTurn(): Promise<void> {
  return new Promise(whenIdle);
}

/** Bits that no seed gives: what is drawn here must differ between two starts of one spec. */
export function randomBytes(count: number): Uint8Array {
  const bytes = new Uint8Array(count);
  const { crypto } = globalThis as { crypto?: { getRandomValues(bytes: Uint8Array): Uint8Array } };
  if (crypto === undefined) return bytes.map(() => Math.floor(256 * Math.random()));
  return crypto.getRandomValues(bytes);
}

/** Milliseconds that a peer may go without a turn of the event loop. */
const patience = 10;

/**
 * Gives the event loop its turns. An exchange whose partners are all gone is over in the very call that begins it, and a peer
 * that makes only such exchanges goes from promise to promise: it would hear neither of a peer that returns nor of an interrupt.
 */
export function loopTurns() {
  /** Since when, on the lane's clock, no exchange has waited. */
  let since: number | undefined;
  /** The outcome of an exchange, after a turn if there was none for long; `over` if the exchange did not wait for anything. */
  return <T>(outcome: Promise<T>, over: boolean, now: number): Promise<T> => {
    since = over ? (since ?? now) : undefined;
    if (since === undefined || now - since < patience) return outcome;
    since = undefined;
    return loopTurn().then(() => outcome);
  };
}
