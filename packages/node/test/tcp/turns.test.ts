import { expect, it, vi } from "vitest";
import { takingTurns } from "../../src/tcp/turns.ts";

/** Turns whose work ends when the test says so. */
function manned(limit: number) {
  const turns = takingTurns(limit);
  const begun: number[] = [];
  const ends = new Map<number, () => void>();
  const ask = (peer: number, urgent: boolean) =>
    turns.ask(peer, urgent, (done) => {
      begun.push(peer);
      ends.set(peer, done);
    });
  return { turns, begun, ask, end: (peer: number) => ends.get(peer)?.() };
}

it("goes by need: what a round waits for first, so many at a time", () => {
  const { turns, begun, ask, end } = manned(2);
  for (const peer of [1, 2, 3]) ask(peer, false);
  // Ahead of need, one at a time.
  expect(begun).toEqual([1]);
  ask(7, true);
  ask(3, true);
  ask(8, true);
  expect(begun).toEqual([1, 7]);
  end(7);
  end(7);
  expect(begun).toEqual([1, 7, 3]);
  turns.forget(8);
  end(3);
  expect(begun).toEqual([1, 7, 3]);
});

it("rests after each that nobody waits for, in proportion to what it took", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  try {
    const { begun, ask, end } = manned(2);
    for (const peer of [1, 2]) ask(peer, false);
    vi.advanceTimersByTime(100);
    end(1);
    vi.advanceTimersByTime(299);
    expect(begun).toEqual([1]);
    // No rest for what is needed.
    ask(9, true);
    end(9);
    expect(begun).toEqual([1, 9]);
    vi.advanceTimersByTime(2);
    expect(begun).toEqual([1, 9, 2]);
  } finally {
    vi.useRealTimers();
  }
});
