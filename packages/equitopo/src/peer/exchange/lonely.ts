/**
 * How fast a peer goes on that hears nobody. Where its partners are known to be gone no exchange waits, so it would be through
 * all its rounds before the others are back. After `patience` rounds in a row without a letter it rests before the next one,
 * twice as long each time up to `longest`: others that are started again catch up with it, and it is heard once they have.
 */

import type { Clock } from "./runtime.ts";

export function lonely(clock: Clock, patience: number, longest: number) {
  let rounds = 0;
  return async (heard: boolean): Promise<void> => {
    rounds = heard ? 0 : rounds + 1;
    if (rounds <= patience) return;
    const rest = Math.min(longest, 2 ** (rounds - patience));
    await new Promise<void>((resolve) => void clock.after(rest, resolve));
  };
}
