/**
 * What every transport must do: one list of laws for all of them, the project's own and anybody's. Each law opens a
 * network, tries it and throws where it does not hold, so that any test runner, or none, can run them.
 *
 * @example
 * ```ts
 * import { MemoryNetwork } from "equitopo/peer";
 * import { transportLaws } from "equitopo/testing";
 * const laws = transportLaws(async (size, options) => {
 *   const network = new MemoryNetwork(size);
 *   const peers = Array.from({ length: size }, (_, rank) => network.join(rank, options));
 *   const close = async () => { for (const peer of peers) await peer.close(); };
 *   return { peers, close, sleep: (milliseconds) => network.sleep(milliseconds) };
 * });
 * for (const { run } of laws) await run();
 * laws[0].name // => "carries vectors both ways and one way"
 * ```
 */

import type { Transport, Vector } from "../peer/transport.ts";
import { type Law, must, same } from "./law.ts";

export interface Opened {
  readonly peers: readonly Transport[];
  /** A pause on the transport's clock. */
  sleep(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

/** `size` peers in this program, ready to talk. */
export type Open = (size: number, options?: { timeout?: number }) => Promise<Opened>;

const law = (name: string, run: () => Promise<void>): Law => ({ name, run });

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

async function rejects(promise: Promise<unknown>, message: string | RegExp): Promise<void> {
  const reason = await promise.then(
    () => "no rejection",
    (error: Error) => error.message,
  );
  must(typeof message === "string" ? reason.includes(message) : message.test(reason), `${message}, not ${reason}`);
}

/** The laws, for a transport that `open` opens. */
export function transportLaws(open: Open): readonly Law[] {
  return [
    law("carries vectors both ways and one way", () =>
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
        same(
          outcomes.map(({ arrived }) => values(arrived)),
          [[[2, 20]], [[0, 0]], [[1, 10]]],
          "what arrived",
        );
        for (const outcome of outcomes) outcome.release();
        same(peers[0].rank, 0, "rank and size");
        same(peers[0].size, 3, "rank and size");
        same(peers[1].counts.sentBytes, 16, "counts");
        same(peers[1].counts.receivedBytes, 16, "counts");
      }),
    ),

    law("keeps the order of several messages to one peer, of both element types", () =>
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
        same(values(outcome.arrived), [[1], [...single], [3]], "what arrived");
        must(outcome.arrived[1] instanceof Float32Array, "the element type comes along");
        outcome.release();
      }),
    ),

    law("does not send what changes after the exchange", () =>
      using(open(2), async ({ peers: [a, b], sleep }) => {
        const data = vector(1, 2, 3);
        const sent = a.exchange({ round: 0, send: [{ peer: 1, data }], receive: [], timeout: 500 });
        const { kept } = await sent;
        if (!kept.includes(data)) data.fill(9);
        await sleep(5);
        const outcome = await b.exchange({ round: 0, send: [], receive: [from(0, 3)] });
        same(values(outcome.arrived), [[1, 2, 3]], "what arrived");
        outcome.release();
      }),
    ),

    law("keeps early messages for their round", () =>
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
        same(values(first.arrived), [[20], [10]], "what arrived");
        first.release();
        const second = await b.exchange({ round: 1, send: [], receive: [from(0)] });
        same(values(second.arrived), [[11]], "what arrived");
        second.release();
        await Promise.all([early, late]);
      }),
    ),

    law("gives up at the timeout, counts it, and drops what comes late", () =>
      using(open(2, { timeout: 60 }), async ({ peers: [a, b], sleep }) => {
        const missed = await b.exchange({ round: 0, send: [], receive: [from(0)] });
        same(missed.arrived, [undefined], "what arrived");
        same(b.counts.missed, 1, "counts");
        missed.release();
        (await a.exchange({ round: 0, send: [{ peer: 1, data: vector(1) }], receive: [] })).release();
        await sleep(10);
        const sent = a.exchange({ round: 1, send: [{ peer: 1, data: vector(2) }], receive: [] });
        const outcome = await b.exchange({ round: 1, send: [], receive: [from(0)], timeout: 2000 });
        same(values(outcome.arrived), [[2]], "what arrived");
        outcome.release();
        (await sent).release();
        same(b.counts.late, 1, "counts");
      }),
    ),

    law("voids a mutual exchange on both sides when one side misses it", () =>
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
        same(alone.arrived, [undefined], "what arrived");
        alone.release();
        await sleep(5);
        const tooLate = await pair(b, 0, 0, 60);
        same(tooLate.arrived, [undefined], "what arrived");
        tooLate.release();
        same([a.counts.voided, b.counts.voided], [1, 1], "counts");
        const [left, right] = await Promise.all([pair(a, 1, 1, 2000), pair(b, 0, 1, 2000)]);
        same([values(left.arrived), values(right.arrived)], [[[1]], [[0]]], "what arrived");
        left.release();
        right.release();
      }),
    ),

    law("refuses a vector of another length or type than expected", () =>
      using(open(2, { timeout: 60 }), async ({ peers: [a, b] }) => {
        const [, outcome] = await Promise.all([
          a.exchange({ round: 0, send: [{ peer: 1, data: vector(1, 2) }], receive: [] }),
          b.exchange({ round: 0, send: [], receive: [from(0, 3)] }),
        ]);
        same(outcome.arrived, [undefined], "what arrived");
        must([...b.counts.refused.values()].reduce((sum, count) => sum + count, 0) > 0, "a refusal is counted");
        outcome.release();
      }),
    ),

    law("ends by its signal", () =>
      using(open(2), async ({ peers: [a], sleep }) => {
        const control = new AbortController();
        const waiting = a.exchange({ round: 0, send: [], receive: [from(1)], signal: control.signal });
        void sleep(5).then(() => control.abort(new Error("enough")));
        await rejects(waiting, "enough");
        const aborted = a.exchange({ round: 1, send: [], receive: [], signal: AbortSignal.abort(new Error("no")) });
        await rejects(aborted, "no");
      }),
    ),

    law("carries a large vector whole", () =>
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
          const arrived = outcome.arrived[0] as Vector;
          must(
            data[1 - i].every((value, k) => Object.is(value, arrived[k])),
            "every number of a large vector arrives",
          );
          outcome.release();
        });
      }),
    ),

    law("serves many peers over many rounds", () =>
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
              same(values(outcome.arrived), [[1000 * round + ((i - shift + n) % n)]], "what arrived");
              outcome.release();
            }
          }),
        );
        for (const peer of peers) same([peer.counts.missed, peer.counts.late], [0, 0], "counts");
      }),
    ),

    law("closes once and for all, and others see silence", () =>
      using(open(2, { timeout: 60 }), async ({ peers: [a, b] }) => {
        const waiting = a.exchange({ round: 0, send: [], receive: [from(1)] }).catch((error: Error) => error.message);
        await a.close();
        await a.close();
        must(/closed/.test(String(await waiting)), "a closed transport fails the exchange under way");
        await rejects(a.exchange({ round: 1, send: [], receive: [] }), /closed/);
        const outcome = await b.exchange({ round: 0, send: [], receive: [from(0)] });
        same(outcome.arrived, [undefined], "what arrived");
        outcome.release();
      }),
    ),

    law("refuses a round that is over, and two exchanges at a time", () =>
      using(open(2, { timeout: 60 }), async ({ peers: [a] }) => {
        (await a.exchange({ round: 5, send: [], receive: [] })).release();
        await rejects(a.exchange({ round: 5, send: [], receive: [] }), /rounds go up/);
        const first = a.exchange({ round: 6, send: [], receive: [from(1)] });
        await rejects(a.exchange({ round: 7, send: [], receive: [] }), /one exchange at a time/);
        (await first).release();
      }),
    ),
  ];
}
