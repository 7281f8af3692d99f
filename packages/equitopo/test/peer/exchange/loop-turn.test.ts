/** A peer whose partners are all gone goes on with its rounds, and still hears of whatever happens meanwhile. */

import { expect, it } from "vitest";
import { Exchange } from "../../../src/peer/exchange/exchange.ts";
import type { Ears, Lane } from "../../../src/peer/exchange/lane.ts";

/** A lane on which nobody is left. */
function deserted(): Lane {
  let ears: Ears | undefined;
  return {
    ...{ name: "deserted", ordered: true, send: () => undefined, close: async () => {} },
    open: (given) => {
      ears = given;
    },
    now: () => performance.now(),
    after: () => () => {},
    wait: () => ears?.gone(1),
  };
}

it("leaves turns of the event loop to others", async () => {
  const alone = new Exchange(deserted(), { rank: 0, size: 2 });
  const interrupt = new AbortController();
  setTimeout(() => interrupt.abort(new Error("interrupted")), 1);
  const begun = performance.now();
  const rounds = async () => {
    // Without a turn the interrupt is never heard, and this goes on for as long as it may.
    for (let round = 0; performance.now() - begun < 10_000; round++) {
      const request = { round, mutual: true, signal: interrupt.signal };
      const receive = [{ peer: 1, length: 1, type: "float64" as const }];
      const { release } = await alone.exchange({
        ...{ ...request, send: [{ peer: 1, data: Float64Array.of(1) }], receive },
      });
      release();
    }
  };
  await expect(rounds()).rejects.toThrow("interrupted");
});
