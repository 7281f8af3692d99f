/** A disk that is full for a while: the peers train on, say so once, and save again when they can. */

import { describe, expect, it } from "vitest";
import { loadCheckpoints, type Store } from "../../../src/peer/course/checkpoint.ts";
import { runTexts } from "../../../src/peer/course/options.ts";
import { runSpecPeer } from "../../../src/peer/course/spec-peer.ts";
import { MemoryNetwork } from "../../../src/peer/network/memory.ts";
import { expandSpec } from "../../../src/run/spec.ts";
import { memoryStore } from "../store.ts";

const runs = expandSpec({
  topologies: [{ name: "ou-equidyn", n: 3 }],
  algorithms: [{ name: "dsgd", learningRate: 0.01 }],
  problem: { name: "least-squares", K: 10 },
  rounds: 30,
  every: 30,
  seeds: [5],
});

/** Every attempt from one number to another fails. */
function fullBetween(first: number, last: number): Store {
  const store = memoryStore();
  let attempts = 0;
  return {
    ...store,
    save: async (bytes) => {
      attempts++;
      if (attempts >= first && attempts <= last) throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
      await store.save(bytes);
    },
  };
}

describe("a full disk", () => {
  it.each([
    [
      "for a while",
      2,
      4,
      [/^a checkpoint in memory: not saved \(no space left\)/, /saved again, after 3 checkpoints/],
      30,
    ],
    ["to the end", 2, 99, [/not saved/], 5],
  ])("%s does not end a peer", async (_name, first, last, expected, saved) => {
    const network = new MemoryNetwork(3);
    const stores = [0, 1, 2].map((rank) => (rank === 1 ? fullBetween(first, last) : memoryStore()));
    const told: string[][] = [[], [], []];
    const summaries = await Promise.all(
      [0, 1, 2].map((rank) =>
        runSpecPeer({
          ...{ transport: network.join(rank), runs, checkpoint: { store: stores[rank], every: 5 } },
          onTrouble: (text) => told[rank].push(text),
        }),
      ),
    );
    expect(summaries.map(({ done }) => done)).toEqual([30, 30, 30]);
    expect(told[1]).toEqual(expected.map((words) => expect.stringMatching(words)));
    expect([told[0], told[2]]).toEqual([[], []]);
    const [newest] = await loadCheckpoints(stores[1], runTexts({ runs }), 1);
    expect(newest.round).toBe(saved);
  });
});
