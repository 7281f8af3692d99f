/** A peer that hears nobody rests between its rounds, ever longer, and not past the signal that ends it. */

import { expect, it } from "vitest";
import { lonely } from "../../../src/peer/exchange/lonely.ts";

it("twice as long each time, and not at all once somebody is heard", async () => {
  const rests: number[] = [];
  const clock = {
    now: () => 0,
    after(milliseconds: number, run: () => void) {
      rests.push(milliseconds);
      queueMicrotask(run);
      return () => {};
    },
  };
  const resting = lonely(clock, 2, 7);
  for (const heard of [false, false, false, false, false, true, false, false, false]) await resting(heard);
  expect(rests).toEqual([2, 4, 7, 2]);
});

it("ends with the signal, and leaves no listener and no timer behind", async () => {
  let cancelled = 0;
  const clock = { now: () => 0, after: () => () => void cancelled++ };
  const end = new AbortController();
  const resting = lonely(clock, 0, 1e6, end.signal);
  const rest = resting(false);
  end.abort();
  await rest;
  expect(cancelled).toBe(1);
  // Nothing rests once it is aborted.
  await resting(false);
  expect(cancelled).toBe(1);
});
