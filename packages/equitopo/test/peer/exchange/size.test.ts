/** A round of one peer touches as much in a network of 100,000 peers as in one of 100: nothing in it is done for each peer. */

import { describe, expect, it } from "vitest";
import { Exchange } from "../../../src/peer/exchange/exchange.ts";
import type { Ears, Lane, Letter } from "../../../src/peer/exchange/lane.ts";
import { presenceOf } from "../../../src/peer/report/presence.ts";

interface Touched {
  /** Calls of the lane, and letters from it. */
  lane: number;
  /** Numbers of the machine's own arrays that were read or written; a method of an array touches all of them. */
  numbers: number;
  /** Entries of its maps and sets that were asked for, changed or walked through. */
  entries: number;
  /** Bytes of arrays made while it was built. */
  bytes: number;
}

type Arrays = typeof Float64Array | typeof Int32Array | typeof Uint8Array;

/** Arrays that count what is touched. */
function countingArrays(Real: Arrays, touched: Touched) {
  return class {
    constructor(length: number) {
      const array = new Real(length);
      touched.bytes += array.byteLength;
      const isPlace = (key: string | symbol) => typeof key === "string" && /^\d+$/.test(key);
      const proxy: object = new Proxy(array, {
        get(_, key) {
          if (isPlace(key)) touched.numbers++;
          const value = Reflect.get(array, key);
          if (typeof value !== "function") return value;
          return (...values: unknown[]) => {
            touched.numbers += array.length;
            const answer = value.apply(array, values);
            return answer === array ? proxy : answer;
          };
        },
        set(_, key, value) {
          if (isPlace(key)) touched.numbers++;
          return Reflect.set(array, key, value);
        },
      });
      // biome-ignore lint/correctness/noConstructorReturn: it stands for the array
      return proxy;
    }
  };
}

function countingMap(touched: Touched) {
  return class extends Map<unknown, unknown> {
    override get(key: unknown) {
      touched.entries++;
      return super.get(key);
    }
    override set(key: unknown, value: unknown) {
      touched.entries++;
      return super.set(key, value);
    }
    override has(key: unknown) {
      touched.entries++;
      return super.has(key);
    }
    override [Symbol.iterator]() {
      touched.entries += this.size;
      return super[Symbol.iterator]();
    }
  };
}

/** Runs something with the world's arrays and maps replaced by ones that count. */
function counting<T>(touched: Touched, run: () => T): T {
  const real = { Float64Array, Int32Array, Uint8Array, Map };
  Object.assign(globalThis, {
    Float64Array: countingArrays(Float64Array, touched),
    Int32Array: countingArrays(Int32Array, touched),
    Uint8Array: countingArrays(Uint8Array, touched),
    Map: countingMap(touched),
  });
  try {
    return run();
  } finally {
    Object.assign(globalThis, real);
  }
}

/** A lane on which the test plays all other peers. */
function playedLane(touched: Touched, played: { ears?: Ears; sent: Letter[] }): Lane {
  const called = () => {
    touched.lane++;
  };
  let time = 0;
  return {
    ...{ name: "played", ordered: true },
    open: (ears) => {
      played.ears = ears;
    },
    send(_, letter) {
      called();
      played.sent.push(letter);
      return undefined;
    },
    now: () => ++time,
    after() {
      called();
      return called;
    },
    expects: called,
    wait: called,
    recycle: called,
    leave() {
      called();
      return [];
    },
    close: async () => {},
  };
}

/** What each of many rounds touches: peers in step, one ahead, one that is gone, two that lie about their rounds. */
async function rounds(size: number) {
  const touched: Touched = { lane: 0, numbers: 0, entries: 0, bytes: 0 };
  const played: { ears?: Ears; sent: Letter[] } = { sent: [] };
  const transport = counting(
    touched,
    () => new Exchange(playedLane(touched, played), { rank: 0, size, timeout: 1000 }),
  );
  const { bytes } = touched;
  transport.believe({ first: 0, last: 2 ** 41 });
  // The opening: everybody has been heard of.
  for (let peer = 1; peer < size; peer++) played.ears?.reached?.(peer, 0);
  const partner = (t: number) => 1 + (t % 30);
  const letter = (kind: Letter["kind"], round: number): Letter => ({
    ...{ kind, round, sequence: 0, data: kind === "vector" ? Float32Array.of(round, 1) : undefined },
  });
  const each: object[] = [];
  for (let t = 0; t < 300; t++) {
    const { lane, numbers, entries } = touched;
    const ears = played.ears as Ears;
    if (t === 50) for (const liar of [41, 42]) ears.deliver(liar, letter("no", 2 ** 40));
    const peer = partner(t);
    const outcome = transport.exchange({
      ...{ round: t, mutual: true },
      send: [{ peer, data: Float32Array.of(t, 0) }],
      receive: [{ peer, length: 2, type: "float32" }],
    });
    // Every seventh partner has gone; every fifth is a round ahead of this peer.
    if (t % 7 === 6) ears.gone(peer);
    else for (const kind of ["vector", "yes"] as const) if (t % 5 !== 1) ears.deliver(peer, letter(kind, t));
    if (t % 5 === 0) for (const kind of ["vector", "yes"] as const) ears.deliver(partner(t + 1), letter(kind, t + 1));
    (await outcome).release();
    const reached = transport.reached;
    each.push({
      reached,
      lane: touched.lane - lane,
      numbers: touched.numbers - numbers,
      entries: touched.entries - entries,
    });
  }
  const { sentBytes, receivedBytes, missed } = transport.counts;
  return { each, bytes, moved: { sentBytes, receivedBytes, missed, letters: played.sent.length } };
}

describe("a round of one peer", () => {
  it("touches as much among 100,000 as among 100", async () => {
    const [few, many] = [await rounds(100), await rounds(100_000)];
    expect(many.moved).toEqual(few.moved);
    expect(many.each).toEqual(few.each);
    expect(few.moved.missed).toBeGreaterThan(30);
    // It counts something: the claim that a letter makes is a number that is read and written.
    for (const round of few.each as { numbers: number }[]) expect(round.numbers).toBeGreaterThan(0);
    // As docs/real-peers.md says: 25 bytes a peer, and nothing else that grows with n.
    expect(many.bytes - few.bytes).toBe(25 * (100_000 - 100));
  });

  it("asks as much about the others where what it reports is due", () => {
    const asked = [100, 100_000].map((size) => {
      let count = 0;
      const look = presenceOf(size, () => {
        count++;
        return { gone: false, starts: 0 };
      });
      for (let t = 0; t < 20; t++) look([70 + t], []);
      return count;
    });
    expect(asked[1]).toBeLessThanOrEqual(20 * 65);
    expect(asked[0]).toBeLessThanOrEqual(asked[1]);
  });

  it("hears in the end of everybody who is gone, partner or not", () => {
    const size = 1000;
    const look = presenceOf(size, (peer) => ({ gone: peer % 100 === 7, starts: 0 }));
    const found = Array.from({ length: Math.ceil(size / 64) }, () => look([1], [])).flat();
    expect(found.map(({ peer }) => peer)).toEqual([7, 107, 207, 307, 407, 507, 607, 707, 807, 907]);
  });
});
