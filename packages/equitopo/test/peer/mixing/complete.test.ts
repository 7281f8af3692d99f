/** Everybody with everybody, one vector lost: the sum of all rows is kept, in rounds of W = J and in exact means alike. */

import { describe, expect, it } from "vitest";
import type { Mix } from "../../../src/algorithm/algorithm.ts";
import { Mixing } from "../../../src/peer/mixing/mixing.ts";
import { MemoryNetwork } from "../../../src/peer/network/memory.ts";
import { complete } from "../../../src/topology/complete.ts";
import { ring } from "../../../src/topology/ring.ts";
import type { Topology } from "../../../src/topology/topology.ts";

const n = 4;

/** Peer 0's vector to peer 2 is lost. */
class LosesOne extends MemoryNetwork {
  override carry(...[from, to, letter]: Parameters<MemoryNetwork["carry"]>): void {
    if (letter.kind === "vector" && from === 0 && to === 2) return;
    super.carry(from, to, letter);
  }
}

async function once(network: MemoryNetwork, topology: Topology, by: Pick<Mix, "by">): Promise<number[]> {
  const peers = Array.from({ length: n }, (_, rank) => network.join(rank, { timeout: 100 }));
  const rows = await Promise.all(
    peers.map((transport, i) => {
      const mixing = new Mixing({ transport, topology });
      return mixing.finish(mixing.start({ vectors: [Float64Array.of(i * i)], ...by }, { round: 0, exchange: 0 }));
    }),
  );
  return rows.map(([row]) => row[0]);
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe.each([
  ["complete", complete({ n }), {}],
  ["complete, lazy", complete({ n, lazy: true }), {}],
  ["an exact mean", ring({ n }), { by: "mean" }],
] as const)("%s", (_, topology, by) => {
  it("keeps the sum where one vector is lost", async () => {
    const rows = await once(new LosesOne(n), topology, by);
    expect(sum(rows)).toBeCloseTo(sum([0, 1, 4, 9]), 12);
    // Peers 1 and 3 missed nothing; 0 and 2 kept each other's weight at home.
    expect(rows[0]).not.toBe(rows[1]);
  });

  it("and is whole where nothing is", async () => {
    const rows = await once(new MemoryNetwork(n), topology, by);
    expect(sum(rows)).toBeCloseTo(14, 12);
  });
});
