/** Asynchronous peers over the memory network: faults, and what a peer may say to another. */

import { describe, expect, it, vi } from "vitest";
import type { PeerSummary } from "../../../src/peer/course/options.ts";
import { runSpecPeer } from "../../../src/peer/course/spec-peer.ts";
import { Streams } from "../../../src/peer/exchange/streams.ts";
import { asyncHistory } from "../../../src/peer/history/async.ts";
import { decodeHistory, type HistoryLine } from "../../../src/peer/history/history.ts";
import { ConnectedNetwork } from "../../../src/peer/network/connections.ts";
import { MemoryNetwork } from "../../../src/peer/network/memory.ts";
import { replayRun } from "../../../src/run/async/replay.ts";
import { expandSpec } from "../../../src/run/spec.ts";
import { asyncPeers, asyncRuns, runAll, size, slowed } from "../async.ts";

const all = Array.from({ length: size }, (_, rank) => rank);

asyncPeers("memory", async (n) => {
  const network = new MemoryNetwork(n);
  return all.map((rank) => network.join(rank));
});

describe("asynchronous peers over a network that fails", () => {
  it("messages late, out of order and lost: still done again to the last bit, what was lost among what is on its way", async () => {
    const network = new MemoryNetwork(size, { seed: 5, delay: [0, 4], loss: 0.1, reorder: true });
    const peers = all.map((rank) => network.join(rank, { timeout: 300 }));
    const { rows, lines } = await runAll(peers, asyncRuns);
    const files = lines.map(decodeHistory);
    asyncRuns.forEach((spec, run) => {
      const { x, sums } = replayRun(spec, asyncHistory(files, run));
      expect([...x], spec.label).toEqual(rows.flatMap((last) => last[run]));
      if (sums !== undefined) expect(sums.weights).toBeCloseTo(size, 10);
    });
  });

  it("a dead peer costs the others nothing, and they end", async () => {
    const network = new MemoryNetwork(size);
    const peers = all.map((rank) => network.join(rank, { timeout: 300 }));
    const [run] = asyncRuns;
    let rounds = 0;
    const ends = peers.map((transport, rank) =>
      runSpecPeer({
        ...{ transport, runs: [run], timeout: 300, startTimeout: 300 },
        onRound: () => {
          if (rank === 3 && ++rounds === 10) network.crash(3);
        },
      }).catch((error: Error) => error.message),
    );
    const found = await Promise.all(ends);
    found.forEach((end, rank) => {
      if (rank === 3) expect(end).toMatch(/closed/);
      else expect((end as PeerSummary).done).toBeGreaterThan(0.8 * run.rounds);
    });
  });

  it("shares of a sum stay with those who know that their receiver is gone, and are done again so", async () => {
    const network = new ConnectedNetwork(3, { detect: 5 });
    const peers = [0, 1, 2].map((rank) => network.join(rank, { timeout: 300 }));
    const [run] = expandSpec({
      topologies: [{ name: "od-equidyn", n: 3, seed: 3 }],
      algorithms: [{ name: "push-sum", learningRate: 0.01 }],
      ...{ problem: { name: "least-squares", K: 8 }, rounds: 800, every: 800, mode: "async", type: "float32" },
    });
    const lines = peers.map((): HistoryLine[] => []);
    let rounds = 0;
    const rows: (readonly number[])[] = [];
    const ends = peers.map((transport, rank) =>
      runSpecPeer({
        ...{ transport, runs: [run], timeout: 300, startTimeout: 300, history: (line) => void lines[rank].push(line) },
        onRound: () => {
          if (rank === 2 && ++rounds === 10) network.crash(2);
        },
        onRecord: ({ x }) => {
          rows[rank] = [...x];
        },
      }).catch((error: Error) => error.message),
    );
    await Promise.all(ends);
    // What went to the dead peer for ever would leave no weight, and 0 / 0.
    expect([...rows[0], ...rows[1]].filter((value) => !Number.isFinite(value))).toEqual([]);
    const { x, sums } = replayRun(run, asyncHistory(lines, 0));
    expect([...x].slice(0, rows[0].length)).toEqual(rows[0]);
    expect(sums?.weights).toBeCloseTo(3, 5);
  });

  it("a peer that hangs unseen takes a bounded number of shares with it, and that is said", async () => {
    // Nobody here ever knows that another is gone, but for the last question.
    const network = new MemoryNetwork(3);
    let known = false;
    network.isGone = (_from, to) => known && to === 2;
    const peers = [0, 1, 2].map((rank) => network.join(rank, { timeout: 300 }));
    const [run] = expandSpec({
      topologies: [{ name: "od-equidyn", n: 3, seed: 3 }],
      algorithms: [{ name: "push-sum", learningRate: 0.01 }],
      ...{ problem: { name: "least-squares", K: 8 }, rounds: 800, every: 800, mode: "async" },
    });
    const lines = peers.map((): HistoryLine[] => []);
    const said: string[] = [];
    let rounds = 0;
    const ends = peers.map((transport, rank) =>
      runSpecPeer({
        ...{ transport, runs: [run], timeout: 300, startTimeout: 300, history: (line) => void lines[rank].push(line) },
        onRound: (_run, { round }) => {
          if (rank === 2 && ++rounds === 10) network.crash(2);
          if (round > 790) known = true;
        },
        onTrouble: (text) => said.push(text),
      }).catch((error: Error) => error.message),
    );
    await Promise.all(ends);
    const { sums } = replayRun(run, asyncHistory(lines, 0));
    // Two neighbours: 16 shares each and one every 64 rounds; a few more are on their way between the living.
    expect(sums?.uncounted).toBeLessThan(2 * (16 + 800 / 64) + 4);
    expect(sums?.weights).toBeCloseTo(3, 5);
    expect(said).toContainEqual(
      expect.stringMatching(/^peer 2 is gone, and with it at most 0?\.?\d+ of a weight of 3$/),
    );
  });

  it("vectors of another length, not finite, or of no round of the run are refused or late, and end nobody", async () => {
    const network = new MemoryNetwork(size);
    const peers = all.map((rank) => network.join(rank));
    const [run] = asyncRuns;
    const liar = slowed(peers[5], 0);
    const post = liar.streams!.post.bind(liar.streams);
    liar.streams!.post = (peer, round, sequence, data) => {
      post(peer, round, 0, new Float64Array(3));
      post(peer, round, 0, data.map(() => Number.NaN) as Float64Array);
      post(peer, round, 4, data);
      return post(peer, round, sequence, data);
    };
    const { summaries } = await runAll(peers, [run]);
    expect(summaries.every(({ done }) => done > 0)).toBe(true);
    const refused = (reason: string) => peers.reduce((sum, { counts }) => sum + (counts.refused.get(reason) ?? 0), 0);
    expect(refused("length")).toBeGreaterThan(10);
    expect(refused("not finite")).toBeGreaterThan(10);
    expect(refused("unexpected")).toBeGreaterThan(10);
  });

  it("synchronous rounds never ask for the letters of asynchronous ones", async () => {
    const asked = vi.spyOn(Streams.prototype, "holds");
    const synchronous = asyncRuns.map(({ mode, maxStale, compensate, ...run }) => run);
    const join = () => {
      const network = new MemoryNetwork(size);
      return all.map((rank) => network.join(rank));
    };
    await runAll(join(), synchronous.slice(0, 1));
    expect(asked).not.toHaveBeenCalled();
    await runAll(join(), asyncRuns.slice(0, 1));
    expect(asked).toHaveBeenCalled();
    asked.mockRestore();
  });
});
