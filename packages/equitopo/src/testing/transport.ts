/**
 * The laws of every transport, the project's own and anybody's. Each law opens a network, tries it and throws if it does not
 * hold, so that any test runner, or none, can run them.
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

import type { Request, Transport, Vector } from "../peer/exchange/transport.ts";
import { type Law, must, same } from "./law.ts";

export interface Opened {
  readonly peers: readonly Transport[];
  /** A pause on the transport's clock. */
  sleep(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

/** `size` peers in this program, ready to talk. */
export type Open = (size: number, options?: { timeout?: number }) => Promise<Opened>;

const vector = (...values: number[]) => Float64Array.from(values);
const to = (peer: number, ...values: number[]) => ({ peer, data: vector(...values) });
const from = (peer: number, length = 1) => ({ peer, length, type: "float64" as const });
const values = (arrived: readonly (Vector | undefined)[]) => arrived.map((v) => (v === undefined ? undefined : [...v]));

/** One exchange, released at once: what arrived, as lists. */
async function trade(peer: Transport, round: number, { send = [], receive = [], ...more }: Partial<Request> = {}) {
  const { arrived, release } = await peer.exchange({ round, send, receive, ...more });
  const found = values(arrived);
  release();
  return found;
}

async function rejects(promise: Promise<unknown>, message: string | RegExp): Promise<void> {
  const reason = await promise.then(
    () => "no rejection",
    (error: Error) => error.message,
  );
  must(typeof message === "string" ? reason.includes(message) : message.test(reason), `${message}, not ${reason}`);
}

/** The laws, for a transport that `open` opens. */
export function transportLaws(open: Open): readonly Law[] {
  type Run = (opened: Opened) => Promise<void>;
  const law = (name: string, [size, timeout]: readonly [size: number, timeout?: number], run: Run): Law => ({
    name,
    async run() {
      const network = await open(size, timeout === undefined ? undefined : { timeout });
      try {
        await run(network);
      } finally {
        await network.close();
      }
    },
  });
  return [
    law("carries vectors both ways and one way", [3], async ({ peers }) => {
      const arrived = await Promise.all(
        peers.map((peer, i) => trade(peer, 0, { send: [to((i + 1) % 3, i, 10 * i)], receive: [from((i + 2) % 3, 2)] })),
      );
      same(arrived, [[[2, 20]], [[0, 0]], [[1, 10]]], "what arrived");
      same([peers[0].rank, peers[0].size], [0, 3], "rank and size");
      same([peers[1].counts.sentBytes, peers[1].counts.receivedBytes], [16, 16], "counts");
    }),

    law("keeps the order of several messages to one peer, of both element types", [2], async ({ peers: [a, b] }) => {
      const single = Float32Array.of(0.1, 0.2, 0.3);
      const [, outcome] = await Promise.all([
        a.exchange({ round: 3, send: [to(1, 1), { peer: 1, data: single }, to(1, 3)], receive: [] }),
        b.exchange({ round: 3, send: [], receive: [from(0), { peer: 0, length: 3, type: "float32" }, from(0)] }),
      ]);
      same(values(outcome.arrived), [[1], [...single], [3]], "what arrived");
      must(outcome.arrived[1] instanceof Float32Array, "the element type comes along");
      outcome.release();
    }),

    law("does not send what changes after the exchange", [2], async ({ peers: [a, b], sleep }) => {
      const data = vector(1, 2, 3);
      const { kept } = await a.exchange({ round: 0, send: [{ peer: 1, data }], receive: [], timeout: 500 });
      if (!kept.includes(data)) data.fill(9);
      await sleep(5);
      same(await trade(b, 0, { receive: [from(0, 3)] }), [[1, 2, 3]], "what arrived");
    }),

    law(
      "carries word of a repair ahead of the vectors, and counts no bytes for it",
      [2],
      async ({ peers: [a, b], sleep }) => {
        const heard: number[][] = [];
        // A transport that has no notices is one whose gradient tracking is repaired by audits only.
        if (!("notices" in a)) return;
        a.notices = { say: () => [7, 8], hear: () => {} };
        b.notices = { say: () => [], hear: (peer, _, repair) => heard.push([peer, repair]) };
        const [, arrived] = await Promise.all([
          trade(a, 5, { send: [to(1, 1), to(1, 2)] }),
          trade(b, 5, { receive: [from(0), from(0)] }),
        ]);
        same(arrived, [[1], [2]], "what arrived");
        // Where letters overtake each other it may come after the vectors.
        await sleep(20);
        same(heard.map(String).sort(), ["0,7", "0,8"], "what was heard");
        same([a.counts.sentBytes, a.counts.sentMessages], [16, 2], "counts");
      },
    ),

    law("keeps early messages for their round", [3], async ({ peers: [a, b, c], sleep }) => {
      const early = trade(a, 0, { send: [to(1, 10)] }).then(() => trade(a, 1, { send: [to(1, 11)] }));
      await sleep(20);
      const waiting = trade(b, 0, { receive: [from(2), from(0)] });
      const late = trade(c, 0, { send: [to(1, 20)] });
      same(await waiting, [[20], [10]], "what arrived");
      same(await trade(b, 1, { receive: [from(0)] }), [[11]], "what arrived");
      await Promise.all([early, late]);
    }),

    law("gives up at the timeout, counts it, and drops what comes late", [2, 60], async ({ peers: [a, b], sleep }) => {
      same(await trade(b, 0, { receive: [from(0)] }), [undefined], "what arrived");
      same(b.counts.missed, 1, "counts");
      await trade(a, 0, { send: [to(1, 1)] });
      await sleep(10);
      const sent = trade(a, 1, { send: [to(1, 2)] });
      same(await trade(b, 1, { receive: [from(0)], timeout: 2000 }), [[2]], "what arrived");
      await sent;
      same(b.counts.late, 1, "counts");
    }),

    law("voids a mutual exchange on both sides when one side misses it", [2, 60], async ({ peers: [a, b], sleep }) => {
      const pair = (peer: Transport, round: number, timeout: number) => {
        const other = 1 - peer.rank;
        return trade(peer, round, { send: [to(other, peer.rank)], receive: [from(other)], mutual: true, timeout });
      };
      same(await pair(a, 0, 60), [undefined], "what arrived");
      await sleep(5);
      same(await pair(b, 0, 60), [undefined], "what arrived");
      same([a.counts.voided, b.counts.voided], [1, 1], "counts");
      same(await Promise.all([pair(a, 1, 2000), pair(b, 1, 2000)]), [[[1]], [[0]]], "what arrived");
    }),

    // The vector must come before the deadline, however busy the machine is.
    law("refuses a vector of another length or type than expected", [2, 1000], async ({ peers: [a, b] }) => {
      const sent = trade(a, 0, { send: [to(1, 1, 2)] });
      same(await trade(b, 0, { receive: [from(0, 3)] }), [undefined], "what arrived");
      await sent;
      must([...b.counts.refused.values()].reduce((sum, count) => sum + count, 0) > 0, "a refusal is counted");
    }),

    law("ends by its signal", [2], async ({ peers: [a], sleep }) => {
      const control = new AbortController();
      const waiting = trade(a, 0, { receive: [from(1)], signal: control.signal });
      void sleep(5).then(() => control.abort(new Error("enough")));
      await rejects(waiting, "enough");
      await rejects(trade(a, 1, { signal: AbortSignal.abort(new Error("no")) }), "no");
    }),

    law("carries a large vector whole", [2], async ({ peers }) => {
      const length = 1_000_003;
      const data = peers.map((_, i) => Float32Array.from({ length }, (_, k) => k + i * 0.5));
      const outcomes = await Promise.all(
        peers.map((peer, i) => {
          const receive = [{ peer: 1 - i, length, type: "float32" as const }];
          return peer.exchange({ round: 0, send: [{ peer: 1 - i, data: data[i] }], receive, mutual: true });
        }),
      );
      for (const [i, outcome] of outcomes.entries()) {
        const arrived = outcome.arrived[0] as Vector;
        const whole = data[1 - i].every((value, k) => Object.is(value, arrived[k]));
        must(whole, "every number of a large vector arrives");
        outcome.release();
      }
    }),

    // Nothing may be missed, however busy the machine is.
    law("serves many peers over many rounds", [12, 60_000], async ({ peers }) => {
      const n = peers.length;
      const through = async (peer: Transport, i: number) => {
        for (let round = 0; round < 30; round++) {
          const shift = 1 + (round % (n - 1));
          const sender = (i - shift + n) % n;
          const send = [to((i + shift) % n, 1000 * round + i)];
          same(await trade(peer, round, { send, receive: [from(sender)] }), [[1000 * round + sender]], "what arrived");
        }
      };
      await Promise.all(peers.map(through));
      for (const peer of peers) same([peer.counts.missed, peer.counts.late], [0, 0], "counts");
    }),

    law("closes once and for all, and others see silence", [2, 60], async ({ peers: [a, b] }) => {
      const waiting = trade(a, 0, { receive: [from(1)] }).catch((error: Error) => error.message);
      await a.close();
      await a.close();
      must(/closed/.test(String(await waiting)), "a closed transport fails the exchange under way");
      await rejects(trade(a, 1), /closed/);
      same(await trade(b, 0, { receive: [from(0)] }), [undefined], "what arrived");
    }),

    law("refuses a round that is over, and two exchanges at a time", [2, 60], async ({ peers: [a] }) => {
      await trade(a, 5);
      await rejects(trade(a, 5), /rounds go up/);
      const first = trade(a, 6, { receive: [from(1)] });
      await rejects(trade(a, 7), /one exchange at a time/);
      await first;
    }),
  ];
}
