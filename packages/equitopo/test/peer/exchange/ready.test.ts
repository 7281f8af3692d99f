/** Computing while the last vector is still warm: `ready` of a request, and what mixing makes of it. */

import { describe, expect, it } from "vitest";
import { Mixing } from "../../../src/peer/mixing/mixing.ts";
import { MemoryNetwork } from "../../../src/peer/network/memory.ts";
import { createTopology } from "../../../src/topology/registry.ts";

type Arrived = readonly (ArrayLike<number> | undefined)[];

/** Peer 0 receives a vector of each other, which sends those numbers; what `ready` saw, and what came of it. */
async function receive(numbers: readonly (number | undefined)[], answer: boolean) {
  const network = new MemoryNetwork(numbers.length + 1);
  const [own, ...others] = [0, ...numbers.keys()].map((_, rank) => network.join(rank, { timeout: 50 }));
  const seen: (number | undefined)[][] = [];
  const values = (arrived: Arrived) => arrived.map((vector) => vector?.[0]);
  const ready = (arrived: Arrived) => {
    seen.push(values(arrived));
    return answer;
  };
  const incoming = numbers.map((_, k) => ({ peer: k + 1, length: 1, type: "float64" as const }));
  const outcome = own.exchange({ round: 0, send: [], receive: incoming, ready });
  others.forEach((peer, k) => {
    const number = numbers[k];
    const send = number === undefined ? [] : [{ peer: 0, data: Float64Array.of(number) }];
    void peer.exchange({ round: 0, send, receive: [] });
  });
  const arrived = values((await outcome).arrived);
  return { seen, arrived, refused: own.counts.refused.get("not finite") ?? 0 };
}

describe("ready", () => {
  it("is called once, with all vectors, and not where one never comes", async () => {
    expect(await receive([5, 6, 7], false)).toEqual({ seen: [[5, 6, 7]], arrived: [5, 6, 7], refused: 0 });
    expect(await receive([5, undefined, 7], true)).toEqual({ seen: [], arrived: [5, undefined, 7], refused: 0 });
  });

  it("vouches for the last vector only where it says so", async () => {
    const { NaN: bad } = Number;
    expect(await receive([5, bad], false)).toEqual({ seen: [[5, bad]], arrived: [5, undefined], refused: 1 });
    expect(await receive([5, bad], true)).toEqual({ seen: [[5, bad]], arrived: [5, bad], refused: 0 });
    // Those before it are searched as they come: nothing is computed with them.
    expect(await receive([bad, 5], true)).toEqual({ seen: [], arrived: [undefined, 5], refused: 1 });
  });
});

/** Votes to peer 0 are dropped. */
class Voteless extends MemoryNetwork {
  override carry(...[from, to, letter]: Parameters<MemoryNetwork["carry"]>): void {
    if (to !== 0 || letter.data !== undefined) super.carry(from, to, letter);
  }
}

describe("what was mixed when the last vector came", () => {
  const topology = createTopology({ name: "complete", n: 2 });

  async function rowOfPeer0(network: MemoryNetwork, sent: number): Promise<number> {
    const rows = [2, sent].map((value) => Float64Array.of(value));
    const peers = rows.map((_, rank) => new Mixing({ transport: network.join(rank), topology, timeout: 50 }));
    const started = rows.map((row, rank) => peers[rank].start({ vectors: [row] }, { round: 0, exchange: 0 }));
    const mixed = await Promise.all(started.map((one, rank) => peers[rank].finish(one)));
    return mixed[0][0][0];
  }

  it("is the row where all was well, and is given up where the exchange was void or the numbers were none", async () => {
    expect(await rowOfPeer0(new MemoryNetwork(2), 4)).toBe(3);
    expect(await rowOfPeer0(new Voteless(2), 4)).toBe(2);
    expect(await rowOfPeer0(new MemoryNetwork(2), Number.NaN)).toBe(2);
    expect(await rowOfPeer0(new MemoryNetwork(2), Number.POSITIVE_INFINITY)).toBe(2);
  });
});
