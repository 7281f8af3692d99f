/** A spec's runs by peers: the simulator's rows, whoever starts late, dies or comes back. */

import { describe, expect, it } from "vitest";
import { stateHash } from "../../../src/number/hash.ts";
import { loadCheckpoints } from "../../../src/peer/course/checkpoint.ts";
import { gather, gatherSteps } from "../../../src/peer/course/meeting.ts";
import { peersOf, runTexts } from "../../../src/peer/course/options.ts";
import { runSpecPeer } from "../../../src/peer/course/spec-peer.ts";
import { MemoryNetwork } from "../../../src/peer/network/memory.ts";
import type { PeerRecord } from "../../../src/run/course/row-course.ts";
import { runSpec } from "../../../src/run/run.ts";
import { expandSpec } from "../../../src/run/spec.ts";
import { memoryStore } from "../store.ts";

const runs = expandSpec({
  topologies: [
    { name: "ou-equidyn", n: 5 },
    { name: "d-equistatic", n: 5, m: 2 },
  ],
  algorithms: [{ name: "dsgt", learningRate: 0.01 }],
  problem: { name: "least-squares", K: 10 },
  rounds: 60,
  every: 20,
  seeds: [5, 6],
});

describe("peers of a spec", () => {
  it("do its runs one after the other, with the simulator's rows", async () => {
    const network = new MemoryNetwork(5, { delay: [1, 3] });
    const rows = runs.map(() => [] as Float64Array[]);
    const updates = new Set<number>();
    const bytes: number[] = [];
    const summaries = await Promise.all(
      [0, 1, 2, 3, 4].map(async (rank) => {
        const transport = network.join(rank);
        const onRecord = (record: PeerRecord) => {
          updates.add(record.updates);
          rows[record.run][rank] = record.x.slice() as Float64Array;
          if (record.updates === 60) bytes[record.run] = Math.max(bytes[record.run] ?? 0, record.bytes);
        };
        return runSpecPeer({ transport, runs, onRecord });
      }),
    );
    for (const { done, skipped, exchanges, neverHeard, start, ...rest } of summaries) {
      expect([done, skipped, rest, neverHeard]).toEqual([240, 0, {}, []]);
      expect(start).toEqual({ from: "anew", id: summaries[0].start.id, run: 0, round: 0, absent: [] });
      expect(exchanges).toEqual({ planned: exchanges.done, done: exchanges.done, void: 0 });
      // Two runs with two partners in every round, and two in which one of five has none now and then.
      expect(exchanges.planned).toBeGreaterThan(2 * 60 * 2);
    }
    expect([...updates]).toEqual([0, 20, 40, 60]);
    runs.forEach((run, k) => {
      const result = runSpec(run);
      expect(stateHash(Float64Array.from(rows[k].flatMap((row) => [...row])))).toBe(result.stateHash);
      expect(bytes[k]).toBe(result.bytes.at(-1));
    });
  });

  it("know that one n serves all", () => {
    expect(gatherSteps(5)).toBe(3);
    expect(peersOf(runs)).toBe(5);
    expect(() => peersOf([runs[0], { ...runs[1], problem: { ...runs[1].problem, n: 6 } }])).toThrow(/share one n/);
  });

  it("a peer killed and started again from its checkpoint rejoins where the network is", async () => {
    const network = new MemoryNetwork(5, { delay: [1, 3] });
    const store = memoryStore();
    const long = runs.slice(0, 1).map((run) => ({ ...run, rounds: 3000, every: 100 }));
    const options = { runs: long, timeout: 30, maxLag: 10, startTimeout: 2000 };
    const records: PeerRecord[] = [];
    const summaries = await Promise.all(
      [0, 1, 2, 3, 4].map(async (rank) => {
        const transport = network.join(rank);
        if (rank !== 2) return runSpecPeer({ ...options, transport });
        const checkpoint = { store, every: 10 };
        const killed = runSpecPeer({
          ...{ ...options, transport, checkpoint },
          onRound: (_, { round }) => {
            if (round >= 25) network.crash(2);
          },
        });
        await expect(killed).rejects.toThrow(/closed/);
        const [saved] = await loadCheckpoints(store, runTexts({ runs: long }), 2);
        expect(saved?.round).toBeGreaterThan(0);
        expect((saved?.round ?? 1) % 10).toBe(0);
        await network.sleep(1000);
        const onRecord = (record: PeerRecord) => records.push({ ...record, x: record.x.slice() as Float64Array });
        return runSpecPeer({ ...options, transport: network.join(2), checkpoint, onRecord });
      }),
    );
    expect(await store.load()).toHaveLength(2);
    expect(summaries[2].rejoined).toBeGreaterThan(30);
    expect(summaries[2].rejoined).toBeLessThan(3000);
    expect(summaries[2].done + summaries[2].skipped + (summaries[2].rejoined ?? 0)).toBe(3000);
    expect(summaries[0]).toMatchObject({ done: 3000, skipped: 0, neverHeard: [] });
    expect(summaries[0].exchanges.void).toBeGreaterThan(0);
    expect(summaries[0].exchanges.done).toBeGreaterThan(1000);
    expect(records.at(-1)?.updates).toBe(3000);
  });

  it("a new peer takes over the number of one that died, without its checkpoint", async () => {
    const network = new MemoryNetwork(5, { delay: [1, 3] });
    const long = runs.slice(0, 1).map((run) => ({ ...run, rounds: 3000, every: 3000 }));
    const options = { runs: long, timeout: 30, maxLag: 10, startTimeout: 5000 };
    const rows: number[][] = [];
    const summaries = await Promise.all(
      [0, 1, 2, 3, 4].map(async (rank) => {
        const onRecord = ({ x }: PeerRecord) => {
          rows[rank] = [...x];
        };
        const first = { ...options, transport: network.join(rank), onRecord };
        if (rank !== 2) return runSpecPeer(first);
        const onRound = (_: number, { round }: { round: number }) => {
          if (round === 25) network.crash(2);
        };
        await expect(runSpecPeer({ ...first, onRound })).rejects.toThrow(/closed/);
        await network.sleep(200);
        return runSpecPeer({ ...options, transport: network.join(2), onRecord });
      }),
    );
    expect(summaries[2].rejoined).toBeGreaterThan(32);
    expect(summaries[2].done).toBeGreaterThan(0);
    // It has been brought to where the others are.
    const mean = rows[0].map((_, k) => rows.reduce((sum, row) => sum + row[k] / 5, 0));
    const gap = (row: number[]) => Math.hypot(...row.map((value, k) => value - mean[k]));
    expect(gap(rows[2])).toBeLessThan(0.1 * Math.hypot(...mean));
  });

  it("go on bit by bit where all stopped within one interval of checkpoints", async () => {
    const [run] = runs;
    const stores = Array.from({ length: 5 }, memoryStore);
    const phase = async (stop: (rank: number) => number) => {
      const network = new MemoryNetwork(5, { delay: [1, 3] });
      let over = false;
      const clock = async () => {
        // Keeps the network's clock slow while files are written.
        while (!over) await network.sleep(0.01);
      };
      const ticking = clock();
      const rows = await Promise.all(
        [0, 1, 2, 3, 4].map(async (rank) => {
          let row: number[] = [];
          const peer = runSpecPeer({
            ...{ transport: network.join(rank), runs: [run], startTimeout: 200 },
            checkpoint: { store: stores[rank], every: 10 },
            onRecord: ({ x }) => {
              row = [...x];
            },
            onRound: (_, { round }) => {
              if (round === stop(rank)) network.crash(rank);
            },
          });
          await (stop(rank) < run.rounds ? expect(peer).rejects.toThrow(/closed/) : peer);
          return row;
        }),
      );
      over = true;
      await ticking;
      return Float64Array.from(rows.flat());
    };
    // Peers 0 to 2 will have saved iteration 30 and 20 when they stop, the others 20 and 10.
    await phase((rank) => (rank < 3 ? 29 : 28));
    expect(stateHash(await phase(() => run.rounds))).toBe(runSpec(run).stateHash);
  });
});

describe("a meeting", () => {
  it("lets nobody through before all have come", async () => {
    const network = new MemoryNetwork(6);
    let came = 0;
    await Promise.all(
      Array.from({ length: 6 }, async (_, rank) => {
        const transport = network.join(rank);
        await network.sleep(37 * rank);
        came++;
        const meeting = await gather(transport, { first: 0, timeout: 5000, word: Uint8Array.of(rank, 255 - rank) });
        expect(meeting.met).toBe(true);
        expect(meeting.words).toEqual([0, 1, 2, 3, 4, 5].map((peer) => Uint8Array.of(peer, 255 - peer)));
        expect(came).toBe(6);
      }),
    );
  });
});
