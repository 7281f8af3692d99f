import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { conformance } from "../../../equitopo/test/peer/conformance.ts";
import { algorithms, type Spec, simulateAll, topologies } from "../../../equitopo/test/peer/program.mjs";
import { announceGone, createBoard } from "../../src/threads/board.ts";
import { ThreadTransport } from "../../src/threads/thread-lane.ts";

conformance("threads", async (size, options) => {
  const board = createBoard({ size, bytes: 8_000_024, vectors: 2 });
  const peers = Array.from({ length: size }, (_, rank) => new ThreadTransport(board, { ...options, rank }));
  return {
    peers,
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    close: async () => {
      await Promise.all(peers.map((peer) => peer.close()));
    },
  };
});

/** The specs, one after the other, by n workers that block while they wait. */
async function runWorkers(n: number, specs: readonly Spec[]): Promise<number[][]> {
  const boards = specs.map(() => createBoard({ size: n, bytes: 8 * 100 }));
  const rows = await Promise.all(
    Array.from(
      { length: n },
      (_, rank) =>
        new Promise<number[][]>((resolve, reject) => {
          const worker = new Worker(new URL("./worker.mjs", import.meta.url), {
            workerData: { rank, boards, specs },
          });
          worker.once("message", resolve);
          worker.once("error", reject);
        }),
    ),
  );
  return specs.map((_, k) => rows.flatMap((row) => row[k]));
}

describe("threads in workers", () => {
  it("equal the simulator bit by bit", async () => {
    const specs = topologies.flatMap((topology) =>
      algorithms.map((algorithm) => ({ topology, algorithm, rounds: algorithm === "two-vectors" ? 20 : 60 })),
    );
    const rows = await runWorkers(17, specs);
    specs.forEach((spec, k) => {
      expect(rows[k], `${spec.topology.name} ${spec.algorithm}`).toEqual([...simulateAll(spec)]);
    });
  });

  it("24 of them on however many cores", async () => {
    const spec: Spec = { topology: { name: "ou-equidyn", n: 24 }, algorithm: "dsgd", rounds: 20, type: "float32" };
    const [rows] = await runWorkers(24, [spec]);
    expect(rows).toEqual([...simulateAll(spec)]);
  });
});

describe("threads", () => {
  it("read in place, and lend memory that nobody reads", async () => {
    const board = createBoard({ size: 2, bytes: 64, vectors: 1 });
    const [a, b] = [0, 1].map((rank) => new ThreadTransport(board, { rank, timeout: 100 }));
    const mine = a.lend(0, "float64", 3, () => false) as Float64Array;
    mine.set([1, 2, 3]);
    const sent = await a.exchange({ round: 0, send: [{ peer: 1, data: mine }], receive: [] });
    expect(sent.kept).toEqual([mine]);
    sent.release();
    const got = await b.exchange({ round: 0, send: [], receive: [{ peer: 0, length: 3, type: "float64" }] });
    expect(got.arrived[0]?.buffer).toBe(mine.buffer);
    expect(a.lend(0, "float64", 3, () => false)).not.toBe(mine);
    expect(got.release()).toEqual([]);
    expect(a.lend(0, "float64", 3, () => false)).toBe(mine);
  });

  it("tell a reader that was too slow that what it read has changed", async () => {
    const board = createBoard({ size: 2, bytes: 64, vectors: 1 });
    const [a, b] = [0, 1].map((rank) => new ThreadTransport(board, { rank, timeout: 20 }));
    const send = (round: number) =>
      a.exchange({ round, send: [{ peer: 1, data: Float64Array.of(round) }], receive: [] });
    await send(0);
    const got = await b.exchange({ round: 0, send: [], receive: [{ peer: 0, length: 1, type: "float64" }] });
    for (let round = 1; round < 5; round++) await send(round);
    expect(got.release()).toEqual([0]);
  });

  const round = (peer: ThreadTransport, others: readonly number[], number: number) =>
    peer.exchange({
      round: number,
      send: others.map((other) => ({ peer: other, data: Float64Array.of(number) })),
      receive: others.map((other) => ({ peer: other, length: 1, type: "float64" })),
      mutual: true,
    });

  it("go on at once without a thread that is said to be gone, and with one that takes over its number", async () => {
    const board = createBoard({ size: 3, bytes: 64, vectors: 1 });
    const [a, b] = [0, 1].map((rank) => new ThreadTransport(board, { rank, timeout: 60_000 }));
    const waiting = Promise.all([round(a, [1, 2], 0), round(b, [0, 2], 0)]);
    setTimeout(() => announceGone(board, 2), 20);
    for (const { arrived, release } of await waiting) {
      expect(arrived.map((data) => data?.[0])).toEqual([0, undefined]);
      release();
    }
    for (let number = 1; number < 60; number++) {
      const both = await Promise.all([round(a, [1, 2], number), round(b, [0, 2], number)]);
      for (const { arrived, release } of both) {
        expect(arrived.map((data) => data?.[0])).toEqual([number, undefined]);
        release();
      }
    }
    const again = new ThreadTransport(board, { rank: 2 });
    const all = await Promise.all([round(a, [1, 2], 60), round(b, [0, 2], 60), round(again, [0, 1], 60)]);
    for (const { arrived, release } of all) {
      expect(arrived.map((data) => data?.[0])).toEqual([60, 60]);
      release();
    }
  });

  it("wait once for the reader of a full mailbox that has died in silence, and no more", async () => {
    const board = createBoard({ size: 2, bytes: 64, vectors: 1 });
    const a = new ThreadTransport(board, { rank: 0, timeout: 150 });
    const begun = performance.now();
    for (let number = 0; number < 60; number++) {
      const send = [{ peer: 1, data: Float64Array.of(number) }];
      (await a.exchange({ round: number, send, receive: [] })).release();
    }
    expect(a.counts.unsent).toBeGreaterThan(30);
    expect(performance.now() - begun).toBeLessThan(3000);
  });
});
