/** Faults are those of the run that they happened in, though a transport counts through all runs of a spec. */

import { expect, it } from "vitest";
import { MemoryNetwork } from "../../../src/peer/network/memory.ts";
import { type PeerEvent, type RecordEvent, reportingPeer } from "../../../src/peer/report/event.ts";
import { expandSpec } from "../../../src/run/spec.ts";

it("a run's faults are its own: what the run before missed is not counted again", async () => {
  const runs = expandSpec({
    topologies: [{ name: "ring", n: 3 }],
    algorithms: [{ name: "dsgd", learningRate: 0.01 }],
    problem: { name: "least-squares", K: 10 },
    ...{ rounds: 20, every: 10, seeds: [5, 6] },
  });
  const network = new MemoryNetwork(3, { delay: [1, 2] });
  const records: RecordEvent[] = [];
  const tell = (event: PeerEvent) => {
    if (event.kind === "record") records.push(event);
  };
  await Promise.all(
    [0, 1, 2].map(async (rank) => {
      const transport = network.join(rank);
      const onRound = (run: number, { round }: { readonly round: number }) => {
        // As a vector that is refused, a connection made again and a message too late are counted.
        if (rank !== 0 || run !== 0 || round !== 4) return;
        transport.counts.missed += 2;
        transport.counts.late++;
        transport.counts.refused.set("length", 3);
      };
      await reportingPeer({ transport, runs, timeout: 1000, onRound }, tell);
    }),
  );
  const of = (run: number) => records.filter((one) => one.rank === 0 && one.run === run).map(({ faults }) => faults);
  expect(of(0).map(({ missed, late, refused }) => [missed, late, refused])).toEqual([
    [0, 0, 0],
    [2, 1, 3],
    [2, 1, 3],
  ]);
  expect(of(1).map(({ missed, late, refused }) => [missed, late, refused])).toEqual(Array(3).fill([0, 0, 0]));
  const [first, second] = [of(0).at(-1), of(1).at(-1)];
  expect(second?.waited).toBeGreaterThan(0);
  // Both runs wait alike: the second is not the sum of both.
  expect(second?.waited).toBeLessThan(1.5 * (first?.waited ?? 0));
  expect(of(1)[0].waited).toBe(0);
});
