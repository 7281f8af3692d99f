import { describe, expect, it } from "vitest";
import { Aggregation, average } from "../../../src/peer/mixing/average.ts";
import { MemoryNetwork } from "../../../src/peer/network/memory.ts";
import { createTopology } from "../../../src/topology/registry.ts";

const n = 17;
const names = ["od-equidyn", "ou-equidyn", "d-equistatic", "u-equistatic", "ring", "one-peer-exp", "complete"];
/** All peers of a network: nobody speaks before everyone has joined. */
const join = (network: MemoryNetwork) => Array.from({ length: n }, (_, rank) => network.join(rank));

describe("average", () => {
  for (const name of names) {
    it(`${name}: all hold the mean to the tolerance, having agreed on nothing`, async () => {
      const network = new MemoryNetwork(n);
      const topology = createTopology({ name, n });
      const results = await Promise.all(
        join(network).map((transport) =>
          average(Float64Array.of(transport.rank, -(transport.rank ** 2)), { transport, topology, tolerance: 1e-9 }),
        ),
      );
      for (const { mean, next, missed } of results) {
        expect(mean[0]).toBeCloseTo(8, 6);
        expect(mean[1]).toBeCloseTo(-88, 5);
        expect([next, missed]).toEqual([results[0].next, 0]);
      }
    });
  }

  it("weighs, and goes on where the one before ended", async () => {
    const network = new MemoryNetwork(n);
    const topology = createTopology({ name: "ou-equidyn", n });
    const results = await Promise.all(
      join(network).map(async (transport) => {
        const i = transport.rank;
        const first = await average(Float32Array.of(i), { transport, topology, rounds: 60 });
        return average(first.mean.map((v) => v * 0 + i) as Float32Array, {
          transport,
          topology,
          weight: i,
          first: first.next,
        });
      }),
    );
    for (const { mean } of results) {
      expect(mean).toBeInstanceOf(Float32Array);
      expect(mean[0]).toBeCloseTo(11, 3);
    }
  });

  it("stays right when directed messages are lost", async () => {
    const network = new MemoryNetwork(n, { loss: 0.03, seed: 3 });
    const topology = createTopology({ name: "od-equidyn", n });
    const results = await Promise.all(
      join(network).map((transport) => average(Float64Array.of(5), { transport, topology, timeout: 50 })),
    );
    expect(results.some(({ missed }) => missed > 0)).toBe(true);
    for (const { mean } of results) expect(mean[0]).toBeCloseTo(5, 12);
  });

  it("rejects where peers met in two islands, unless a partial mean will do", async () => {
    class Islands extends MemoryNetwork {
      override carry(...[from, to, letter]: Parameters<MemoryNetwork["carry"]>): void {
        if (from % 2 === to % 2) super.carry(from, to, letter);
      }
    }
    for (const name of ["ou-equidyn", "od-equidyn"]) {
      const topology = createTopology({ name, n: 4 });
      const all = (partial: boolean) => {
        const network = new Islands(4);
        const peers = [0, 1, 2, 3].map((rank) => network.join(rank));
        return peers.map((transport) =>
          average(Float64Array.of(transport.rank), { transport, topology, timeout: 10, partial }),
        );
      };
      const ends = await Promise.allSettled(all(false));
      ends.forEach((end, rank) => {
        const others = rank % 2 === 0 ? "1, 3" : "0, 2";
        expect(end).toMatchObject({ reason: { message: expect.stringContaining(`no word of peers ${others} in`) } });
      });
      const means = await Promise.all(all(true));
      expect(means.map(({ neverHeard }) => neverHeard)).toEqual([
        [1, 3],
        [0, 2],
        [1, 3],
        [0, 2],
      ]);
    }
  });

  it("rejects where nobody answered, and not where anybody did", async () => {
    const network = new MemoryNetwork(3);
    const topology = createTopology({ name: "ring", n: 3 });
    const options = { topology, rounds: 4, timeout: 10 };
    await expect(average(Float64Array.of(1), { transport: network.join(0), ...options })).rejects.toThrow(
      /peer 0: nobody answered in 4 rounds of ring; are the other 2 peers running/,
    );
    const pair = [network.join(1), network.join(2)];
    const results = await Promise.all(pair.map((transport) => average(Float64Array.of(1), { transport, ...options })));
    for (const { mean, missed } of results) expect([mean[0], missed]).toEqual([1, 4]);
  });

  it("refuses what it cannot promise", async () => {
    const transport = new MemoryNetwork(4).join(0);
    const topology = createTopology({ name: "ring", n: 4 });
    await expect(average(Float64Array.of(1), { transport, topology, tolerance: 2 })).rejects.toThrow(/tolerance/);
    await expect(average(Float64Array.of(1), { transport, topology, weight: -1 })).rejects.toThrow(/weight/);
    const other = createTopology({ name: "ring", n: 5 });
    await expect(average(Float64Array.of(1), { transport, topology: other })).rejects.toThrow(/n = 5 peers/);
  });
});

describe("aggregation", () => {
  it("follows mean, sum and extremes of values that change", async () => {
    const network = new MemoryNetwork(n);
    const topology = createTopology({ name: "od-equidyn", n });
    await Promise.all(
      join(network).map(async (transport) => {
        const i = transport.rank;
        const values = new Aggregation({ transport, topology, length: 2 });
        values.set([i, 1 - i]);
        for (let t = 0; t < 120; t++) await values.step();
        expect(values.mean[0]).toBeCloseTo(8, 8);
        expect(values.sum[0]).toBeCloseTo(136, 6);
        expect([...values.min, ...values.max]).toEqual([0, -15, 16, 1]);
        // Node 16 leaves, node 3 weighs three times as much.
        if (i === 16) values.set([0, 0], 0);
        if (i === 3) values.set([3, -2], 3);
        for (let t = 0; t < 120; t++) await values.step();
        expect(values.mean[0]).toBeCloseTo((120 + 6) / 18, 6);
        expect([...values.min, ...values.max]).toEqual([0, -14, 15, 1]);
      }),
    );
  });
});
