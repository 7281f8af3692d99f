/** What is missed inside groups and between them does to the numbers what group-mixing.ts says. */

import { describe, expect, it } from "vitest";
import type { Rows } from "../../../src/index.ts";
import type { Transport } from "../../../src/peer/exchange/transport.ts";
import { mixingOf } from "../../../src/peer/mixing/group-mixing.ts";
import { partnersIn } from "../../../src/peer/mixing/neighbours.ts";
import { MemoryNetwork } from "../../../src/peer/network/memory.ts";
import { leaderOf } from "../../../src/round/groups.ts";
import { createTopology } from "../../../src/topology/registry.ts";
import type { Topology } from "../../../src/topology/topology.ts";

type Letter = Parameters<MemoryNetwork["carry"]>;

const n = 12;
const grouped = (between: string) => createTopology({ name: "hierarchy", n, groups: [5, 4, 3], between, seed: 2 });
const ring = grouped("ring");
const x0 = Array.from({ length: n }, (_, i) => (i * i) % 11);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
/** The step of an exchange that a letter belongs to. */
const [gather, between, spread] = [0, 1, 2];
const stepOf = (round: number) => round % 4;

/** A network that loses the letters that `loses` names. */
function losing(loses: (...letter: Letter) => boolean): MemoryNetwork {
  class Losing extends MemoryNetwork {
    override carry(...letter: Letter): void {
      if (!loses(...letter)) super.carry(...letter);
    }
  }
  return new Losing(n, { delay: [1, 2] });
}

async function gossip(
  transport: Transport,
  topology: Topology,
  rounds: number,
): Promise<{ row: number; late: number }> {
  const mixing = mixingOf({ transport, topology, timeout: 1000 });
  let rows: Rows[] = [Float64Array.of(x0[transport.rank])];
  for (let t = 0; t < rounds; t++)
    rows = await mixing.finish(mixing.start({ vectors: rows }, { round: t, exchange: t }));
  return { row: rows[0][0], late: transport.counts.late };
}

const all = (network: MemoryNetwork, topology: Topology, rounds: number, without: readonly number[] = []) => {
  const peers = Array.from({ length: n }, (_, rank) => network.join(rank));
  for (const rank of without) network.crash(rank);
  const there = peers.filter(({ rank }) => !without.includes(rank));
  return Promise.all(there.map((peer) => gossip(peer, topology, rounds)));
};

describe("inside a group", () => {
  it("a member whose row is lost keeps it, waits no longer than its leader, and the mean of all is kept", async () => {
    const network = losing((from, to, { round }) => from === 2 && to === 0 && round === gather);
    const rows = (await all(network, ring, 1)).map(({ row }) => row);
    expect(rows[2]).toBe(x0[2]);
    expect(new Set([0, 1, 3, 4].map((rank) => rows[rank])).size).toBe(1);
    expect(sum(rows)).toBeCloseTo(sum(x0), 12);
    // A quarter of the timeout for the row that did not come; not all of it for the result.
    expect(network.time).toBeLessThan(300);
  });

  it("a member that the result does not reach keeps its row: the mean moves by (x_i - z) / n", async () => {
    const network = losing((_from, to, { round }) => to === 3 && stepOf(round) === spread);
    const rows = (await all(network, ring, 1)).map(({ row }) => row);
    expect(rows[3]).toBe(x0[3]);
    expect((sum(rows) - sum(x0)) / n).toBeCloseTo((x0[3] - rows[0]) / n, 12);
  });

  it("a dead peer costs its group the exchanges that it leads; the living keep their mean and agree", async () => {
    for (const topology of [ring, grouped("ou-equidyn")]) {
      const found = await all(new MemoryNetwork(n, { delay: [1, 2] }), topology, 100, [1]);
      const rows = found.map(({ row }) => row);
      expect(sum(rows)).toBeCloseTo(sum(x0) - x0[1], 10);
      expect(Math.max(...rows) - Math.min(...rows)).toBeLessThan(0.05);
    }
  });

  it("a group of which too few are left keeps to itself, and the mean of all is kept", async () => {
    const found = await all(new MemoryNetwork(n, { delay: [1, 2] }), ring, 1, [1, 2, 3, 4]);
    expect(found[0].row).toBe(x0[0]);
    expect(sum(found.map(({ row }) => row))).toBeCloseTo(sum([x0[0], ...x0.slice(5)]), 12);
  });
});

describe("between groups", () => {
  it("undirected: an exchange that loses a vector is void on both sides, and the mean of all is kept", async () => {
    const network = losing(
      (from, _to, { round, kind }) => from % 5 === 0 && kind === "vector" && stepOf(round) === between,
    );
    const rows = (await all(network, grouped("ou-equidyn"), 20)).map(({ row }) => row);
    expect(sum(rows)).toBeCloseTo(sum(x0), 10);
  });

  it("directed: the mean moves by c v_gh (m_g - m_h) / n for a lost message", async () => {
    const topology = grouped("od-equidyn");
    const { groups, between: inner } = topology.hierarchy!;
    const [{ node: h, weight }] = inner.peers(0, 0).from;
    const network = losing((from, to, { round }) => from === leaderOf(groups, h, 0) && to === 0 && round === between);
    const rows = (await all(network, topology, 1)).map(({ row }) => row);
    const mean = (g: number) => {
      const members = x0.slice(groups.start[g], groups.start[g + 1]);
      return sum(members) / members.length;
    };
    expect((sum(rows) - sum(x0)) / n).toBeCloseTo((3 * weight * (mean(0) - mean(h))) / n, 12);
  });
});

it("members lead in turn, and a peer talks to its leader only, or as a leader to its members and to other leaders", () => {
  const met = [0, 1, 2, 3].map((exchange) => partnersIn(ring, exchange, exchange, 9).sort((a, b) => a - b));
  expect(met).toEqual([[0, 5, 10, 11], [10], [11], [3, 8, 10, 11]]);
});

it("refuses rows in code", () => {
  const transport = new MemoryNetwork(n).join(0);
  const mixing = mixingOf({ transport, topology: ring });
  const coded = { bytes: new Uint8Array(1), decode: () => {} };
  expect(() => mixing.start({ vectors: [new Float64Array(1)], coded }, { round: 0, exchange: 0 })).toThrow(/in code/);
});
