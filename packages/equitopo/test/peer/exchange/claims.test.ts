/** Claims of progress: two liars carry nobody away, and one that comes back or fell behind still finds the network. */

import { describe, expect, it } from "vitest";
import { runPeer } from "../../../src/peer/course/peer.ts";
import { claimsIn } from "../../../src/peer/exchange/claims.ts";
import { witnessesOf } from "../../../src/peer/mixing/neighbours.ts";
import { MemoryNetwork } from "../../../src/peer/network/memory.ts";
import type { Rows } from "../../../src/round/round.ts";
import { ouEquiDyn } from "../../../src/topology/ou-equidyn.ts";
import { ring } from "../../../src/topology/ring.ts";
import { star } from "../../../src/topology/star.ts";

describe("a claim", () => {
  it("of one peer counts for nothing, of two it does", () => {
    const claims = claimsIn(5);
    claims.note(1, 900);
    expect(claims.reached(0)).toBe(-1);
    claims.note(2, 903);
    expect(claims.reached(0)).toBe(900);
  });

  it("far ahead of another bears that one out: a newcomer finds peers that are apart", () => {
    const claims = claimsIn(3);
    claims.note(0, 1231);
    claims.note(2, 1289);
    expect(claims.reached(0)).toBe(1231);
  });

  it("beyond the last round is none", () => {
    const claims = claimsIn(5);
    claims.believe({ last: 1000 });
    for (const peer of [1, 2, 3, 4]) claims.note(peer, 2 ** 40);
    claims.note(1, 2 ** 41);
    expect(claims.reached(0)).toBe(-1);
  });

  it("of two is bounded by the time since this peer was in step, and believed once time allows it", () => {
    const claims = claimsIn(17);
    // A round every 10 ms, which is 0.1 rounds per ms.
    for (let round = 0; round <= 100; round++) claims.inStep(round, 10 * round);
    claims.note(1, 5000);
    claims.note(2, 5000);
    expect(claims.reached(1000)).toBe(-1);
    expect(claims.reached(1000 + 1000)).toBe(-1);
    expect(claims.reached(1000 + 10_000)).toBe(5000);
  });

  it("of a majority is believed at once", () => {
    const claims = claimsIn(5);
    for (let round = 0; round <= 100; round++) claims.inStep(round, 10 * round);
    claims.note(1, 5000);
    claims.note(2, 5000);
    expect(claims.reached(1000)).toBe(-1);
    claims.note(3, 4990);
    expect(claims.reached(1000)).toBe(5000);
  });

  it("of two liars does not outdo the others that a newcomer hears", () => {
    const claims = claimsIn(17);
    claims.note(1, 10 ** 6);
    claims.note(2, 10 ** 6);
    for (const peer of [3, 4, 5]) claims.note(peer, 700 + peer);
    expect(claims.reached(0)).toBe(705);
  });

  it("does not make a peer that leapt at it any faster", () => {
    const claims = claimsIn(17);
    for (let round = 0; round <= 100; round++) claims.inStep(round, 10 * round);
    claims.inStep(100_000, 1010);
    claims.note(1, 200_000);
    claims.note(2, 200_000);
    expect(claims.reached(2000)).toBe(-1);
  });

  it("of the one neighbour suffices where the topology has no more", () => {
    expect([0, 1, 4].map((rank) => witnessesOf(star({ n: 5 }), rank))).toEqual([2, 1, 1]);
    expect(witnessesOf(ring({ n: 5 }), 0)).toBe(2);
    const claims = claimsIn(5);
    claims.believe({ witnesses: 1 });
    claims.note(0, 40);
    expect(claims.reached(0)).toBe(40);
  });
});

const gossip = (value: number) => {
  const state = { x: Float64Array.of(value) as Rows };
  return {
    state,
    *iterate(): Generator<{ vectors: Rows[] }, void, readonly Rows[]> {
      [state.x] = yield { vectors: [state.x] };
    },
  };
};

describe("over a network", () => {
  it("two peers that claim round 2^40 carry nobody away", async () => {
    const network = new MemoryNetwork(7, { delay: [1, 2] });
    const topology = ouEquiDyn({ n: 7, seed: 3 });
    const done = Array.from({ length: 7 }, () => 0);
    await Promise.all(
      [0, 1, 2, 3, 4, 5, 6].map(async (rank) => {
        const transport = network.join(rank, { timeout: 30 });
        const onRound = ({ round }: { round: number }) => {
          done[rank]++;
          if (rank > 1 || round !== 20) return;
          for (let to = 2; to < 7; to++)
            network.carry(rank, to, { kind: "no", round: 2 ** 40, sequence: 0, data: undefined });
        };
        await runPeer({ transport, topology, running: gossip(rank), rounds: 100, maxLag: 14, onRound });
        await network.sleep(100);
      }),
    );
    expect(done).toEqual(Array.from({ length: 7 }, () => 100));
  });

  it("a leaf of a star that comes late rejoins where the hub is", async () => {
    const network = new MemoryNetwork(5, { delay: [1, 2] });
    const rounds: number[] = [];
    await Promise.all(
      [0, 1, 2, 3, 4].map(async (rank) => {
        const transport = network.join(rank, { timeout: 20 });
        if (rank === 4) await network.sleep(2000);
        await runPeer({
          ...{ transport, topology: star({ n: 5 }), running: gossip(rank), rounds: 400, timeout: 20, maxLag: 10 },
          onRound: ({ round }) => {
            if (rank === 4) rounds.push(round);
          },
        });
        await network.sleep(200);
      }),
    );
    expect(rounds[0]).toBe(0);
    expect(rounds[1]).toBeGreaterThan(20);
    expect(rounds.length).toBeLessThan(400 - 20);
    expect(rounds.at(-1)).toBe(399);
  });
});
