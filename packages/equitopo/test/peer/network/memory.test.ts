import { describe, expect, it } from "vitest";
import { MemoryNetwork } from "../../../src/peer/network/memory.ts";
import { conformance, type Open } from "../conformance.ts";

const open =
  (faults: ConstructorParameters<typeof MemoryNetwork>[1]): Open =>
  async (size, options) => {
    const network = new MemoryNetwork(size, faults);
    const peers = Array.from({ length: size }, (_, rank) => network.join(rank, options));
    return {
      peers,
      sleep: (milliseconds) => network.sleep(milliseconds),
      close: async () => {
        await Promise.all(peers.map((peer) => peer.close()));
      },
    };
  };

conformance("memory", open({}));
conformance("memory with delay", open({ delay: [1, 3] }));
conformance("memory out of order", open({ delay: [1, 3], reorder: true }));

describe("memory network", () => {
  it("is the same every time", async () => {
    const run = async () => {
      const network = new MemoryNetwork(4, { seed: 3, loss: 0.3, delay: [1, 50], reorder: true });
      const peers = [0, 1, 2, 3].map((rank) => network.join(rank, { timeout: 40 }));
      const seen: string[] = [];
      await Promise.all(
        peers.map(async (peer, i) => {
          for (let round = 0; round < 40; round++) {
            const other = i ^ (1 + (round % 3));
            const outcome = await peer.exchange({
              round,
              send: [{ peer: other, data: Float64Array.of(round) }],
              receive: [{ peer: other, length: 1, type: "float64" }],
              mutual: true,
            });
            seen.push(`${i} ${round} ${outcome.arrived[0]?.[0]}`);
            outcome.release();
          }
        }),
      );
      return `${seen.join("\n")} ${network.time} ${peers.map((peer) => peer.counts.late)}`;
    };
    const first = await run();
    expect(await run()).toBe(first);
    expect(first).toContain("undefined");
  });

  it("keeps no more early messages than it may", async () => {
    const network = new MemoryNetwork(2);
    const a = network.join(0);
    const b = network.join(1, { earlyBytes: 100, horizon: 50 });
    for (let round = 0; round < 100; round++) {
      await a.exchange({ round, send: [{ peer: 1, data: new Float64Array(4) }], receive: [] });
    }
    expect(b.counts.refused.get("too far ahead")).toBeGreaterThan(40);
    expect(b.counts.refused.get("future")).toBe(49);
    expect(b.reached).toBe(99);
    const outcome = await b.exchange({ round: 0, send: [], receive: [{ peer: 0, length: 4, type: "float64" }] });
    expect(outcome.arrived[0]).toHaveLength(4);
  });

  it("lets a crashed peer's number be taken over", async () => {
    const network = new MemoryNetwork(2);
    const a = network.join(0, { timeout: 50 });
    const b = network.join(1, { timeout: 50 });
    const dying = b.exchange({ round: 0, send: [], receive: [{ peer: 0, length: 1, type: "float64" }] });
    const dead = expect(dying).rejects.toThrow(/closed/);
    network.crash(1);
    await dead;
    (await a.exchange({ round: 0, send: [{ peer: 1, data: Float64Array.of(1) }], receive: [] })).release();
    const again = network.join(1, { timeout: 50 });
    const sent = a.exchange({ round: 1, send: [{ peer: 1, data: Float64Array.of(2) }], receive: [] });
    const outcome = await again.exchange({ round: 1, send: [], receive: [{ peer: 0, length: 1, type: "float64" }] });
    expect(outcome.arrived[0]?.[0]).toBe(2);
    await sent;
  });
});
