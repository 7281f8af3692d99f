/** A thread that dies without a word: the others are told nothing, and must still find each other. */

import { type Rows, ring } from "equitopo";
import { runPeer } from "equitopo/peer";
import { describe, expect, it } from "vitest";
import { createBoard } from "../../src/threads/board.ts";
import { ThreadTransport } from "../../src/threads/thread-lane.ts";

const n = 4;
const rounds = 80;
const dead = 2;

/** Runs the ring with peer 2 falling silent after some rounds; counts what survivors did with each other after that. */
async function survivors(patience: { timeout?: number }) {
  const board = createBoard({ size: n, bytes: 8, vectors: 1 });
  const topology = ring({ n });
  const between = { done: 0, missed: 0 };
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: n }, async (_, rank) => {
      const transport = new ThreadTransport(board, { rank, timeout: 200 });
      const state = { x: Float64Array.of(rank) as Rows };
      const running = {
        state,
        *iterate(): Generator<{ vectors: Rows[] }, void, readonly Rows[]> {
          [state.x] = yield { vectors: [state.x] };
        },
      };
      await runPeer({
        ...{ transport, topology, running, rounds: rank === dead ? 6 : rounds, ...patience },
        onRound({ round, partners, missing }) {
          if (rank === dead || round < 6) return;
          for (const partner of partners) {
            if (partner !== dead) between[missing.includes(partner) ? "missed" : "done"]++;
          }
        },
      });
    }),
  );
  return { ...between, elapsed: performance.now() - begun };
}

describe("a thread that dies in silence", () => {
  it.each([{}, { timeout: 200 }])("does not separate the others (%o)", async (patience) => {
    // Two pairs of live peers, told of from both ends: 4 (80 - 6) = 296.
    const { done, missed, elapsed } = await survivors(patience);
    expect(done + missed).toBe(4 * (rounds - 6));
    expect(missed).toBeLessThan(20);
    expect(elapsed).toBeLessThan(5000);
  });

  it("is waited for again once it shows a sign of life", async () => {
    const board = createBoard({ size: 2, bytes: 8, vectors: 1 });
    const [a, b] = [0, 1].map((rank) => new ThreadTransport(board, { rank, timeout: 100 }));
    const meet = (peer: ThreadTransport, round: number) =>
      peer.exchange({
        round,
        send: [{ peer: 1 - peer.rank, data: Float64Array.of(round) }],
        receive: [{ peer: 1 - peer.rank, length: 1, type: "float64" }],
      });
    for (let round = 0; round < 3; round++) (await meet(a, round)).release();
    const late = meet(a, 3);
    const [first, second] = await Promise.all([late, meet(b, 3)]);
    first.release();
    second.release();
    const both = await Promise.all([meet(a, 4), meet(b, 4)]);
    expect(both.map(({ arrived }) => arrived[0]?.[0])).toEqual([4, 4]);
  });
});

it("a thread whose partners have all ended rests between its rounds, and comes to its last", async () => {
  const board = createBoard({ size: 3, bytes: 8, vectors: 1 });
  const begun = performance.now();
  await Promise.all(
    [0, 1, 2].map(async (rank) => {
      const transport = new ThreadTransport(board, { rank, timeout: 200 });
      const state = { x: Float64Array.of(rank) as Rows };
      const running = {
        state,
        *iterate(): Generator<{ vectors: Rows[] }, void, readonly Rows[]> {
          [state.x] = yield { vectors: [state.x] };
        },
      };
      const count = rank === 0 ? rounds : 6;
      await runPeer({ transport, topology: ring({ n: 3 }), running, rounds: count, timeout: 200 });
      await transport.close();
    }),
  );
  // Some 40 rounds of 25 ms.
  expect(performance.now() - begun).toBeGreaterThan(500);
}, 20_000);
