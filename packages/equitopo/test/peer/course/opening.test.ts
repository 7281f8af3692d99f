/** Where peers begin that start together: a quorum's place, or the beginning; never one peer's word. */

import { describe, expect, it, vi } from "vitest";
import { stateHash } from "../../../src/number/hash.ts";
import { loadCheckpoints, type Store, saveCheckpoint } from "../../../src/peer/course/checkpoint.ts";
import { gatherSteps, openingPasses } from "../../../src/peer/course/meeting.ts";
import {
  decideOpening,
  decodeOffer,
  encodeOffer,
  offerBytes,
  type RunPoint,
} from "../../../src/peer/course/opening.ts";
import { type PeerSummary, runTexts } from "../../../src/peer/course/options.ts";
import { newRunId, readRunId, writeRunId } from "../../../src/peer/course/run-id.ts";
import { runSpecPeer } from "../../../src/peer/course/spec-peer.ts";
import { nextForAll } from "../../../src/peer/course/survivors.ts";
import type { Letter } from "../../../src/peer/exchange/lane.ts";
import { MemoryNetwork } from "../../../src/peer/network/memory.ts";
import { runSpec } from "../../../src/run/run.ts";
import { expandSpec, type SpecDocument } from "../../../src/run/spec.ts";
import { memoryStore } from "../store.ts";

const [a, b] = ["a".repeat(32), "b".repeat(32)];
const at = (round: number, id = a, run = 0): RunPoint => ({ id, run, round });
const brings = (...saved: RunPoint[]) => ({ proposal: b, saved });

describe("a run id", () => {
  it("is 128 random bits, and survives as bytes", () => {
    const id = newRunId();
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(newRunId()).not.toBe(id);
    expect(readRunId(writeRunId(id))).toBe(id);
    expect(readRunId(writeRunId(""))).toBe("");
    expect(readRunId(writeRunId("rubbish"))).toBe("");
  });
});

describe("a offer", () => {
  it("comes back from its bytes", () => {
    const offer = { proposal: a, saved: [at(40, b, 1), at(30)] };
    expect(decodeOffer(encodeOffer(offer), [60, 60])).toEqual(offer);
    expect(decodeOffer(encodeOffer(brings()), [60])).toEqual(brings());
  });

  it.each([Number.NaN, 1e300, 2 ** 60, -1, 0.5, 61])("with the round %s has no such place", (round) => {
    expect(decodeOffer(encodeOffer(brings(at(round), at(20))), [60]).saved).toEqual([at(20)]);
    expect(decodeOffer(encodeOffer(brings(at(20, a, 7))), [60]).saved).toEqual([]);
  });
});

describe("the opening", () => {
  const decide = (...offers: (ReturnType<typeof brings> | undefined)[]) => decideOpening(offers);

  it("begins anew where one leftover checkpoint is all there is, or none of a quorum's", () => {
    expect(decide(brings(), brings(at(50)), brings())).toEqual({ from: "anew", id: b });
    expect(decide(brings(at(3), at(2)), brings(at(5), at(4)), brings(at(7), at(6)))).toEqual({ from: "anew", id: b });
    expect(decide(brings(at(50, a)), brings(at(50, b)), brings())).toEqual({ from: "anew", id: b });
  });

  it("goes on from the place that most have, the latest of these", () => {
    const [early, late] = [brings(at(20), at(10)), brings(at(30), at(20))];
    expect(decide(early, late, late)).toEqual({ from: "saved", place: at(20) });
    expect(decide(late, late, brings())).toEqual({ from: "saved", place: at(30) });
    expect(decide(late, brings(at(30), at(20)), late)).toEqual({ from: "saved", place: at(30) });
  });

  it("takes the start that most saved last, not the one before", () => {
    const both = brings(at(10, b), at(500, a));
    expect(decide(both, both, both)).toEqual({ from: "saved", place: at(10, b) });
  });

  it("is undecided where fewer than a majority came", () => {
    expect(decide(brings(at(50)), brings(at(50)), undefined, undefined)).toEqual({ from: "undecided", id: b, came: 2 });
    expect(decide(brings(at(50)), brings(at(50)), brings(), undefined)).toEqual({ from: "anew", id: b });
  });
});

describe("survivors", () => {
  it("take the greatest next iteration that can be true", () => {
    expect(nextForAll([41, 42, Number.NaN, 1e300, 2 ** 50, 0.5, -3], 41, 100)).toBe(42);
    expect(nextForAll([98, 120], 98, 100)).toBe(98);
  });
});

const spec = {
  topologies: [{ name: "ou-equidyn", n: 5 }],
  algorithms: [{ name: "dsgt", learningRate: 0.01 }],
  problem: { name: "least-squares", K: 5, d: 3 },
  rounds: 40,
  every: 40,
  seeds: [5],
} satisfies SpecDocument;
const runs = expandSpec(spec);
const ranks = [0, 1, 2, 3, 4];

async function start(network: MemoryNetwork, stores: readonly (Store | undefined)[], who = ranks) {
  const rows: number[][] = [];
  const troubles: string[] = [];
  const summaries: PeerSummary[] = [];
  await Promise.all(
    who.map(async (rank) => {
      const store = stores[rank];
      summaries[rank] = await runSpecPeer({
        ...{ transport: network.join(rank), runs, timeout: 100, startTimeout: 300 },
        ...(store === undefined ? {} : { checkpoint: { store, every: 10 } }),
        onTrouble: (text) => troubles.push(text),
        onRecord: ({ x }) => {
          rows[rank] = [...x];
        },
      });
    }),
  );
  return { hash: stateHash(Float64Array.from(rows.flat())), troubles, summaries };
}

/** What a whole run leaves behind, with the last of its checkpoints at `rounds`. */
async function leftovers(rounds = 40): Promise<Store[]> {
  const stores = ranks.map(memoryStore);
  await start(new MemoryNetwork(5, { delay: [1, 2] }), stores);
  await Promise.all(
    stores.map(async (store, rank) => {
      const [saved] = await loadCheckpoints(store, runTexts({ runs }), rank);
      if (rounds < 40) await saveCheckpoint(store, { ...saved, round: rounds });
    }),
  );
  return stores;
}

describe("peers that start together", () => {
  const whole = runSpec(runs[0]).stateHash;

  it("are not carried away by one leftover checkpoint, which is told of", async () => {
    const [stores, fresh] = [await leftovers(20), ranks.map(memoryStore)];
    const mixed = fresh.map((store, rank) => (rank === 3 ? stores[3] : store));
    const { hash, troubles, summaries } = await start(new MemoryNetwork(5, { delay: [1, 2] }), mixed);
    expect(hash).toBe(whole);
    for (const { done, start: begun } of summaries) {
      expect([done, begun.from, begun.id]).toEqual([40, "anew", summaries[0].start.id]);
    }
    expect(troubles).toEqual([
      expect.stringMatching(/iteration 20 is not used: no majority has it, and all begin anew/),
    ]);
    const [saved] = await loadCheckpoints(mixed[3], runTexts({ runs }), 3);
    expect([saved.id, saved.round]).toEqual([summaries[0].start.id, 40]);
  });

  it.each([Number.NaN, 1e300, 2 ** 60, Number.NEGATIVE_INFINITY])("one says %s, and nothing happens", async (round) => {
    const steps = gatherSteps(5, openingPasses);
    class Liar extends MemoryNetwork {
      override carry(from: number, to: number, letter: Letter): void {
        // The steps of the opening meeting, in which peer 2 says this of its own place and of those it knows of.
        const data = letter.data instanceof Uint8Array && from === 2 && letter.round < steps ? letter.data : undefined;
        for (let peer = 0; data !== undefined && peer < 5; peer++) {
          if (peer === 2) data.set(encodeOffer(brings(at(round))), peer * (1 + offerBytes) + 1);
        }
        super.carry(from, to, letter);
      }
    }
    const { hash, summaries } = await start(new Liar(5, { delay: [1, 2] }), []);
    expect(hash).toBe(whole);
    expect(summaries.map(({ done }) => done)).toEqual([40, 40, 40, 40, 40]);
  });

  it("stop rather than write over what they saved where fewer than a majority come", async () => {
    const stores = await leftovers(20);
    const pair = start(new MemoryNetwork(5, { delay: [1, 2] }), stores, [0, 1]);
    await expect(pair).rejects.toThrow(/2 of 5 peers came.*iteration 20\) takes 3; start the others \(2, 3, 4\)/);
    const [saved] = await loadCheckpoints(stores[0], runTexts({ runs }), 0);
    expect(saved.round).toBe(20);
  });

  it.each([[[2, 3, 4]], [[0, 2, 3]], [[0, 1, 3]]])("all go on where a majority comes: %j", async (who) => {
    const network = new MemoryNetwork(5, { delay: [1, 2] });
    const clock = vi.spyOn(performance, "now").mockImplementation(() => network.time);
    const { summaries } = await start(network, await leftovers(20), who).finally(() => clock.mockRestore());
    const others = ranks.filter((rank) => !who.includes(rank));
    for (const rank of who) expect(summaries[rank].start).toMatchObject({ from: "saved", absent: others });
  });

  it("find the only one that lives, though no second one bears it out", async () => {
    const network = new MemoryNetwork(3, { delay: [1, 2] });
    const of3 = expandSpec({ ...spec, topologies: [{ name: "ou-equidyn", n: 3 }], rounds: 3000, every: 3000 });
    const peer = (rank: number) =>
      runSpecPeer({ ...{ transport: network.join(rank), runs: of3, timeout: 5, startTimeout: 200, alone: true } });
    const lone = peer(0);
    await network.sleep(900);
    const { start: begun } = await peer(1);
    expect([begun.from, begun.absent]).toEqual(["network", [0, 2]]);
    expect(begun.round).toBeGreaterThan(40);
    expect((await lone).done).toBe(3000);
  });
});
