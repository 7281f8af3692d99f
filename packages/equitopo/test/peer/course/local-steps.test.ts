/** Local steps at peers: the k-th exchange is round k of the topology, and older checkpoints are refused. */

import { describe, expect, it } from "vitest";
import { saveCheckpoint } from "../../../src/peer/course/checkpoint.ts";
import { runTexts } from "../../../src/peer/course/options.ts";
import { everyPartner } from "../../../src/peer/course/partners.ts";
import { runSpecPeer } from "../../../src/peer/course/spec-peer.ts";
import { runElasticPeer } from "../../../src/peer/elastic/elastic-peer.ts";
import { encodeHanded } from "../../../src/peer/elastic/transfer.ts";
import { MemoryNetwork } from "../../../src/peer/network/memory.ts";
import { runSpec } from "../../../src/run/run.ts";
import { expandSpec } from "../../../src/run/spec.ts";
import { byPeers } from "../runs.ts";
import { memoryStore } from "../store.ts";

const runsOf = (n: number, topology: "one-peer-exp" | "ring" = "one-peer-exp") =>
  expandSpec({
    topologies: [{ name: topology, n }],
    algorithms: [{ name: "local-steps", learningRate: 0.01 }],
    problem: { name: "least-squares", K: 5, d: 2 },
    ...{ rounds: 18, every: 18 },
  });

describe("local steps", () => {
  it("go through all rounds of a topology whose period the steps divide: the simulator's rows", async () => {
    const runs = runsOf(16);
    // Distances 1, 2, 4, 8: one round each. Meetings have the same ones.
    expect(everyPartner(runs, 0)).toEqual([1, 2, 4, 8, 12, 14, 15]);
    const network = new MemoryNetwork(16);
    const [found] = await byPeers(
      Array.from({ length: 16 }, (_, rank) => network.join(rank)),
      runs,
    );
    const expected = runSpec(runs[0]);
    expect([found.hash, found.bytes]).toEqual([expected.stateHash, expected.bytes.at(-1)]);
  });

  it("refuse checkpoints of peers that took round t in iteration t", async () => {
    const [store, runs] = [memoryStore(), runsOf(3, "ring")];
    const state = { x: new Float64Array(2), m: new Float64Array(2) };
    const older = { spec: runTexts({ runs })[0], rank: 0, id: "", run: 0, round: 6, state };
    await saveCheckpoint(store, older);
    const transport = new MemoryNetwork(3).join(0);
    const peer = runSpecPeer({ transport, runs, checkpoint: { store }, startTimeout: 100 });
    await expect(peer).rejects.toThrow(/an older version.*remove it/);
  });

  it("refuse models that an elastic peer kept then", async () => {
    const [store, [run]] = [memoryStore(), runsOf(3, "ring")];
    await store.save(encodeHanded({ updates: 6, x: new Float64Array(2), problem: {} }));
    const lane = new MemoryNetwork(3).lane(0);
    const peer = runElasticPeer({ lane, seat: 0, seats: 3, run, incarnation: 1, checkpoint: { store } });
    await expect(peer).rejects.toThrow(/an older version.*remove it/);
  });
});
