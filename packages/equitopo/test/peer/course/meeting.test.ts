/** Meetings to which somebody does not come: those who do hear of each other all the same, and in time. */

import { afterEach, expect, it, vi } from "vitest";
import { gather, openingPasses } from "../../../src/peer/course/meeting.ts";
import { MemoryNetwork } from "../../../src/peer/network/memory.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** Who heard of whom at a meeting of n without those peers, on a network where a message takes up to a tenth of a second. */
async function heard(n: number, absent: readonly number[], timeout = 6000) {
  const network = new MemoryNetwork(n, { delay: [50, 100] });
  vi.spyOn(performance, "now").mockImplementation(() => network.time);
  const came = Array.from({ length: n }, (_, rank) => rank).filter((rank) => !absent.includes(rank));
  const found = await Promise.all(
    came.map(async (rank) => {
      const options = { first: 0, timeout, word: Uint8Array.of(rank), passes: openingPasses };
      const { words } = await gather(network.join(rank), options);
      return words.flatMap((word) => (word === undefined ? [] : [...word]));
    }),
  );
  return { came, found, time: network.time };
}

const cases = [4, 5, 7, 8].flatMap((n) => minorities(n).map((absent) => ({ n, absent })));

/** All sets of fewer than half of n, of those that peer 0 is in (meetings look alike from everywhere). */
function minorities(n: number): number[][] {
  const sets = Array.from({ length: 2 ** n }, (_, bits) =>
    Array.from({ length: n }, (_, k) => k).filter((k) => (bits >> k) & 1),
  );
  return sets.filter((set) => set[0] === 0 && set.length < n / 2);
}

it("all that come hear of all that come, whichever minority is absent, within the timeout", async () => {
  for (const { n, absent } of cases) {
    const { came, found, time } = await heard(n, absent);
    expect(found, `${n} without ${absent}`).toEqual(came.map(() => came));
    expect(time, `${n} without ${absent}`).toBeLessThanOrEqual(6000);
  }
});
