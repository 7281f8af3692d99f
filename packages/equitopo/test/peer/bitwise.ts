/** Real peers give the simulator's numbers to the last bit: tests for any transport. */

import { describe, expect, it } from "vitest";
import type { PeerOptions } from "../../src/peer/course/peer.ts";
import type { Transport } from "../../src/peer/exchange/transport.ts";
import { algorithms, grouped, runRank, type Spec, simulateAll, topologies } from "./program.mjs";

export type Opening = (n: number) => Promise<Transport[]>;

async function rowsOf(spec: Spec, open: Opening, options: Partial<PeerOptions> = {}): Promise<number[]> {
  const peers = await open(spec.topology.n);
  const rows = await Promise.all(peers.map((transport) => runRank(spec, transport, options)));
  await Promise.all(peers.map((transport) => transport.close()));
  return rows.flatMap((row) => [...row]);
}

export function bitwise(name: string, open: Opening): void {
  describe(`${name} equals the simulator bit by bit`, () => {
    for (const topology of topologies) {
      for (const algorithm of algorithms) {
        it(`${topology.name}, ${algorithm}`, async () => {
          const spec = { topology, algorithm, rounds: algorithm === "two-vectors" ? 40 : 200 };
          expect(await rowsOf(spec, open)).toEqual([...simulateAll(spec)]);
        });
      }
    }
    it.each(grouped)("groups of 5, 5, 4 and 3 peers, $between between them", async (topology) => {
      for (const algorithm of ["dsgt", "two-vectors"]) {
        const spec = { topology, algorithm, rounds: 30, type: algorithm === "dsgt" ? "float32" : "float64" } as const;
        expect(await rowsOf(spec, open)).toEqual([...simulateAll(spec)]);
      }
    });
    it("complete graph, float32, several rows in one mean", async () => {
      const spec = { topology: { name: "complete", n: 5 }, algorithm: "dsgd", rounds: 20, type: "float32" } as const;
      expect(await rowsOf(spec, open)).toEqual([...simulateAll(spec)]);
    });
    it("od-equidyn, float32, sending while the gradient is computed", async () => {
      const topology = { name: "od-equidyn", n: 17, seed: 1 };
      const spec = { topology, algorithm: "dsgd", order: "combine-then-adapt", rounds: 40, type: "float32" } as const;
      expect(await rowsOf(spec, open, { overlap: true })).toEqual([...simulateAll(spec)]);
    });
    it("64 peers", async () => {
      const spec: Spec = { topology: { name: "ou-equidyn", n: 64 }, algorithm: "dsgd", rounds: 20, type: "float32" };
      expect(await rowsOf(spec, open)).toEqual([...simulateAll(spec)]);
    });
    it("refuses to overlap what changes its models before it sends them", async () => {
      const spec = { topology: { name: "ring", n: 3 }, algorithm: "dsgd", rounds: 2 };
      const peers = await open(3);
      await expect(runRank(spec, peers[0], { overlap: true, timeout: 50 })).rejects.toThrow(/overlap needs/);
      await Promise.all(peers.map((transport) => transport.close()));
    });
  });
}
