/** What every transport must do: one suite for all of them. */

import { describe, expect, it } from "vitest";
import type { Transport, Vector } from "../src/peer/transport.ts";

export interface Opened {
  readonly peers: readonly Transport[];
  /** A pause on the transport's clock. */
  sleep(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

/** `size` peers in this program, ready to talk. */
export type Open = (size: number, options?: { timeout?: number }) => Promise<Opened>;

const vector = (...values: number[]) => Float64Array.from(values);
const from = (peer: number, length = 1) => ({ peer, length, type: "float64" as const });

async function using(opened: Promise<Opened>, run: (opened: Opened) => Promise<void>): Promise<void> {
  const network = await opened;
  try {
    await run(network);
  } finally {
    await network.close();
  }
}

const values = (arrived: readonly (Vector | undefined)[]) => arrived.map((v) => (v === undefined ? undefined : [...v]));

export function conformance(name: string, open: Open): void {
  describe(`${name}: conformance`, () => {
    it("carries vectors both ways and one way", () =>
      using(open(3), async ({ peers }) => {
        const outcomes = await Promise.all(
          peers.map((peer, i) =>
            peer.exchange({
              round: 0,
              send: [{ peer: (i + 1) % 3, data: vector(i, 10 * i) }],
              receive: [from((i + 2) % 3, 2)],
            }),
          ),
        );
        expect(outcomes.map(({ arrived }) => values(arrived))).toEqual([[[2, 20]], [[0, 0]], [[1, 10]]]);
        for (const outcome of outcomes) outcome.release();
        expect(peers[0].rank).toBe(0);
        expect(peers[0].size).toBe(3);
        expect(peers[1].counts.sentBytes).toBe(16);
        expect(peers[1].counts.receivedBytes).toBe(16);
      }));

    it("keeps the order of several messages to one peer, of both element types", () =>
      using(open(2), async ({ peers: [a, b] }) => {
        const single = Float32Array.of(0.1, 0.2, 0.3);
        const [, outcome] = await Promise.all([
          a.exchange({
            round: 3,
            send: [
              { peer: 1, data: vector(1) },
              { peer: 1, data: single },
              { peer: 1, data: vector(3) },
            ],
            receive: [],
          }),
          b.exchange({ round: 3, send: [], receive: [from(0), { peer: 0, length: 3, type: "float32" }, from(0)] }),
        ]);
        expect(values(outcome.arrived)).toEqual([[1], [...single], [3]]);
        expect(outcome.arrived[1]).toBeInstanceOf(Float32Array);
        outcome.release();
      }));

    it("does not send what changes after the exchange", () =>
      using(open(2), async ({ peers: [a, b], sleep }) => {
        const data = vector(1, 2, 3);
        const sent = a.exchange({ round: 0, send: [{ peer: 1, data }], receive: [], timeout: 500 });
        const { kept } = await sent;
        if (!kept.includes(data)) data.fill(9);
        await sleep(5);
        const outcome = await b.exchange({ round: 0, send: [], receive: [from(0, 3)] });
        expect(values(outcome.arrived)).toEqual([[1, 2, 3]]);
        outcome.release();
      }));

    it("keeps early messages for their round", () =>
      using(open(3), async ({ peers: [a, b, c], sleep }) => {
        const early = a
          .exchange({ round: 0, send: [{ peer: 1, data: vector(10) }], receive: [] })
          .then(async (first) => {
            first.release();
            return a.exchange({ round: 1, send: [{ peer: 1, data: vector(11) }], receive: [] });
          });
        await sleep(20);
        const waiting = b.exchange({ round: 0, send: [], receive: [from(2), from(0)] });
        const late = c.exchange({ round: 0, send: [{ peer: 1, data: vector(20) }], receive: [] });
        const first = await waiting;
        expect(values(first.arrived)).toEqual([[20], [10]]);
        first.release();
        const second = await b.exchange({ round: 1, send: [], receive: [from(0)] });
        expect(values(second.arrived)).toEqual([[11]]);
        second.release();
        await Promise.all([early, late]);
      }));

    it("gives up at the timeout, counts it, and drops what comes late", () =>
      using(open(2, { timeout: 60 }), async ({ peers: [a, b], sleep }) => {
        const missed = await b.exchange({ round: 0, send: [], receive: [from(0)] });
        expect(missed.arrived).toEqual([undefined]);
        expect(b.counts.missed).toBe(1);
        missed.release();
        (await a.exchange({ round: 0, send: [{ peer: 1, data: vector(1) }], receive: [] })).release();
        await sleep(10);
        const sent = a.exchange({ round: 1, send: [{ peer: 1, data: vector(2) }], receive: [] });
        const outcome = await b.exchange({ round: 1, send: [], receive: [from(0)], timeout: 2000 });
        expect(values(outcome.arrived)).toEqual([[2]]);
        outcome.release();
        (await sent).release();
        expect(b.counts.late).toBe(1);
      }));

    it("voids a mutual exchange on both sides when one side misses it", () =>
      using(open(2, { timeout: 60 }), async ({ peers: [a, b], sleep }) => {
        const pair = (peer: Transport, other: number, round: number, timeout: number) =>
          peer.exchange({
            round,
            send: [{ peer: other, data: vector(peer.rank) }],
            receive: [from(other)],
            mutual: true,
            timeout,
          });
        const alone = await pair(a, 1, 0, 60);
        expect(alone.arrived).toEqual([undefined]);
        alone.release();
        await sleep(5);
        const tooLate = await pair(b, 0, 0, 60);
        expect(tooLate.arrived).toEqual([undefined]);
        tooLate.release();
        expect([a.counts.voided, b.counts.voided]).toEqual([1, 1]);
        const [left, right] = await Promise.all([pair(a, 1, 1, 2000), pair(b, 0, 1, 2000)]);
        expect([values(left.arrived), values(right.arrived)]).toEqual([[[1]], [[0]]]);
        left.release();
        right.release();
      }));

    it("refuses a vector of another length or type than expected", () =>
      using(open(2, { timeout: 60 }), async ({ peers: [a, b] }) => {
        const [, outcome] = await Promise.all([
          a.exchange({ round: 0, send: [{ peer: 1, data: vector(1, 2) }], receive: [] }),
          b.exchange({ round: 0, send: [], receive: [from(0, 3)] }),
        ]);
        expect(outcome.arrived).toEqual([undefined]);
        expect([...b.counts.refused.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
        outcome.release();
      }));

    it("ends by its signal", () =>
      using(open(2), async ({ peers: [a], sleep }) => {
        const control = new AbortController();
        const waiting = a.exchange({ round: 0, send: [], receive: [from(1)], signal: control.signal });
        void sleep(5).then(() => control.abort(new Error("enough")));
        await expect(waiting).rejects.toThrow("enough");
        const aborted = a.exchange({ round: 1, send: [], receive: [], signal: AbortSignal.abort(new Error("no")) });
        await expect(aborted).rejects.toThrow("no");
      }));

    it("carries a large vector whole", () =>
      using(open(2), async ({ peers }) => {
        const length = 1_000_003;
        const data = peers.map((_, i) => Float32Array.from({ length }, (_, k) => k + i * 0.5));
        const outcomes = await Promise.all(
          peers.map((peer, i) =>
            peer.exchange({
              round: 0,
              send: [{ peer: 1 - i, data: data[i] }],
              receive: [{ peer: 1 - i, length, type: "float32" }],
              mutual: true,
            }),
          ),
        );
        outcomes.forEach((outcome, i) => {
          expect(Buffer.compare(bytes(outcome.arrived[0] as Vector), bytes(data[1 - i]))).toBe(0);
          outcome.release();
        });
      }));

    it("serves many peers over many rounds", () =>
      using(open(12), async ({ peers }) => {
        const n = peers.length;
        await Promise.all(
          peers.map(async (peer, i) => {
            for (let round = 0; round < 30; round++) {
              const shift = 1 + (round % (n - 1));
              const outcome = await peer.exchange({
                round,
                send: [{ peer: (i + shift) % n, data: vector(1000 * round + i) }],
                receive: [from((i - shift + n) % n)],
              });
              expect(values(outcome.arrived)).toEqual([[1000 * round + ((i - shift + n) % n)]]);
              outcome.release();
            }
          }),
        );
        for (const peer of peers) expect([peer.counts.missed, peer.counts.late]).toEqual([0, 0]);
      }));

    it("closes once and for all, and others see silence", () =>
      using(open(2, { timeout: 60 }), async ({ peers: [a, b] }) => {
        const waiting = a.exchange({ round: 0, send: [], receive: [from(1)] }).catch((error: Error) => error.message);
        await a.close();
        await a.close();
        expect(await waiting).toMatch(/closed/);
        await expect(a.exchange({ round: 1, send: [], receive: [] })).rejects.toThrow(/closed/);
        const outcome = await b.exchange({ round: 0, send: [], receive: [from(0)] });
        expect(outcome.arrived).toEqual([undefined]);
        outcome.release();
      }));

    it("refuses a round that is over, and two exchanges at a time", () =>
      using(open(2, { timeout: 60 }), async ({ peers: [a] }) => {
        (await a.exchange({ round: 5, send: [], receive: [] })).release();
        await expect(a.exchange({ round: 5, send: [], receive: [] })).rejects.toThrow(/rounds go up/);
        const first = a.exchange({ round: 6, send: [], receive: [from(1)] });
        await expect(a.exchange({ round: 7, send: [], receive: [] })).rejects.toThrow(/one exchange at a time/);
        (await first).release();
      }));
  });
}

function bytes(data: Vector): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}
