/** What lost messages and dead peers do to the numbers: exactly what mixing.ts says. */

import { describe, expect, it } from "vitest";
import { runPeer } from "../../../src/peer/course/peer.ts";
import type { Transport } from "../../../src/peer/exchange/transport.ts";
import type { RoundReport } from "../../../src/peer/mixing/mixing.ts";
import { Mixing } from "../../../src/peer/mixing/mixing.ts";
import { MemoryNetwork } from "../../../src/peer/network/memory.ts";
import type { Rows } from "../../../src/round/round.ts";
import { odEquiDyn } from "../../../src/topology/od-equidyn.ts";
import { ouEquiDyn } from "../../../src/topology/ou-equidyn.ts";
import type { Topology } from "../../../src/topology/topology.ts";
import { uEquiStatic } from "../../../src/topology/u-equistatic.ts";

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const spread = (values: readonly number[]) => Math.max(...values) - Math.min(...values);

async function gossip(transport: Transport, topology: Topology, x: Rows, rounds: number, missing?: "self" | "drop") {
  const mixing = new Mixing({ transport, topology, timeout: 100, ...(missing === undefined ? {} : { missing }) });
  let row = x;
  let misses = 0;
  for (let t = 0; t < rounds; t++) {
    [row] = await mixing.finish(mixing.start({ vectors: [row] }, { round: t, exchange: t }));
    misses += mixing.report.missing.length;
  }
  return { row, misses };
}

/** Loses vectors and never votes: the window in which a pair may disagree is not what this file is about. */
class LossyVectors extends MemoryNetwork {
  override carry(...[from, to, letter]: Parameters<MemoryNetwork["carry"]>): void {
    if (letter.kind === "vector" && (from * 31 + to * 17 + letter.round * 7) % 9 === 0) return;
    super.carry(from, to, letter);
  }
}

describe("undirected rounds keep the mean", () => {
  for (const topology of [ouEquiDyn({ n: 17, seed: 3 }), uEquiStatic({ n: 17, m: 3, seed: 1 })]) {
    it(`${topology.name}: a ninth of the vectors is lost`, async () => {
      const network = new LossyVectors(17, { delay: [1, 4] });
      const runs = await Promise.all(
        Array.from({ length: 17 }, (_, i) => gossip(network.join(i), topology, Float64Array.of(i * i), 80)),
      );
      const values = runs.map(({ row }) => row[0]);
      expect(runs.reduce((sum, { misses }) => sum + misses, 0)).toBeGreaterThan(50);
      expect(mean(values)).toBeCloseTo(mean(Array.from({ length: 17 }, (_, i) => i * i)), 10);
      expect(spread(values)).toBeLessThan(1e-3);
    });

    it(`${topology.name}: survivors of a crash keep their own mean from then on`, async () => {
      const network = new MemoryNetwork(17, { delay: [1, 4] });
      const peers = Array.from({ length: 17 }, (_, i) => network.join(i));
      network.crash(5);
      const survivors = peers.filter(({ rank }) => rank !== 5);
      const runs = await Promise.all(survivors.map((peer) => gossip(peer, topology, Float64Array.of(peer.rank), 60)));
      const values = runs.map(({ row }) => row[0]);
      expect(mean(values)).toBeCloseTo(mean(survivors.map(({ rank }) => rank)), 10);
      expect(spread(values)).toBeLessThan(0.01);
    });
  }
});

describe("the window of a mutual exchange is one lost vote", () => {
  it("one side applied it, the other did not", async () => {
    class LosesOneVote extends MemoryNetwork {
      override carry(...[from, to, letter]: Parameters<MemoryNetwork["carry"]>): void {
        if (letter.kind === "yes" && from === 0) return;
        super.carry(from, to, letter);
      }
    }
    const network = new LosesOneVote(2);
    const [a, b] = [network.join(0), network.join(1)];
    const pair = (peer: Transport) =>
      peer.exchange({
        round: 0,
        send: [{ peer: 1 - peer.rank, data: Float64Array.of(peer.rank) }],
        receive: [{ peer: 1 - peer.rank, length: 1, type: "float64" }],
        mutual: true,
      });
    const [left, right] = await Promise.all([pair(a), pair(b)]);
    expect(left.arrived[0]).toEqual(Float64Array.of(1));
    expect(right.arrived[0]).toBeUndefined();
  });
});

describe("directed rounds", () => {
  const topology = odEquiDyn({ n: 17, seed: 5 });
  const run = async (missing: "self" | "drop", start: (i: number) => number[]) => {
    const network = new MemoryNetwork(17, { seed: 2, loss: 0.05 });
    const runs = await Promise.all(
      Array.from({ length: 17 }, (_, i) =>
        gossip(network.join(i), topology, Float64Array.from(start(i)), 100, missing),
      ),
    );
    return runs.map(({ row }) => row);
  };

  it("self: all agree, on a number that may have shifted but lies among theirs", async () => {
    const rows = await run("self", (i) => [i]);
    const values = rows.map((row) => row[0]);
    expect(spread(values)).toBeLessThan(1e-6);
    expect(values[0]).toBeGreaterThan(0);
    expect(values[0]).toBeLessThan(16);
    expect(Math.abs(values[0] - 8)).toBeGreaterThan(1e-6);
  });

  it("drop with a weight beside the value (push-sum): the ratio is what the lost mass leaves, near the mean", async () => {
    const rows = await run("drop", (i) => [i, 1]);
    const ratios = rows.map((row) => row[0] / row[1]);
    expect(rows[0][1]).toBeLessThan(0.9);
    expect(spread(ratios)).toBeLessThan(1e-6);
    expect(Math.abs(ratios[0] - 8)).toBeLessThan(1);
    const constant = await run("drop", () => [3, 1]);
    for (const row of constant) expect(row[0] / row[1]).toBeCloseTo(3, 12);
  });
});

describe("a peer that fell behind", () => {
  it("skips ahead to where the network is", async () => {
    const topology = ouEquiDyn({ n: 5, seed: 3 });
    const network = new MemoryNetwork(5, { delay: [1, 2] });
    const reports: RoundReport[] = [];
    const running = (x: number) => {
      const state = { x: Float64Array.of(x) as Rows };
      return {
        state,
        *iterate(): Generator<{ vectors: Rows[] }, void, readonly Rows[]> {
          [state.x] = yield { vectors: [state.x] };
        },
      };
    };
    await Promise.all(
      [0, 1, 2, 3, 4].map(async (rank) => {
        const transport = network.join(rank);
        if (rank === 2) await network.sleep(300);
        await runPeer({
          transport,
          topology,
          running: running(rank),
          rounds: 120,
          timeout: 40,
          maxLag: 4,
          onRound: (report) => {
            if (rank === 2) reports.push(report);
          },
        });
        await network.sleep(100);
        await transport.close();
      }),
    );
    const rounds = reports.map(({ round }) => round);
    expect(rounds[0]).toBe(0);
    expect(rounds[1]).toBeGreaterThan(10);
    expect(rounds.at(-1)).toBe(119);
    expect(reports.slice(-10).some(({ partners, missing }) => partners.length > 0 && missing.length === 0)).toBe(true);
  });
});
