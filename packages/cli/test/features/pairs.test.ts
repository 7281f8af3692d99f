/** Every pair of features on every driver: it runs, or it is refused in one sentence before the first round. The GPU's test is in packages/gpu. */

import { InputError, runSpec } from "equitopo";
import type { DriverName, FeatureName, SavedRun } from "equitopo/internal/run";
import { MemoryNetwork, runElasticPeer, runSpecPeer, type Store } from "equitopo/peer";
import { describe, expect, test } from "vitest";
import { type Case, caseOf, isRefused, ofMembers, oneSentence, pairs } from "./cases.ts";

interface Place {
  /** Does the run; `begun` is called once anything is recorded, saved or sent. */
  work(one: Case, begun: () => void): Promise<unknown>;
  /** Features that nobody could ask this driver for: they are options of others. */
  readonly unasked: readonly FeatureName[];
}

const ofPeers: readonly FeatureName[] = ["history", "overlap", "models-first", "audit", "objects"];
/** A run that asks for these is given to the asynchronous driver. */
const ofAsync: readonly FeatureName[] = ["async", "compensate"];

const places: Partial<Record<DriverName, Place>> = {
  simulator: { work: simulator, unasked: [...ofPeers, ...ofAsync] },
  "simulator-async": { work: simulator, unasked: ofPeers },
  peer: { work: peers, unasked: ofAsync },
  "peer-async": { work: peers, unasked: [] },
  "peer-elastic": { work: elastic, unasked: [] },
};

async function simulator({ run, options }: Case, begun: () => void): Promise<void> {
  const keep = { due: () => true, save: (_: SavedRun) => begun() };
  runSpec(run, { onProgress: begun, ...(options.checkpoint === undefined ? {} : { keep }) });
}

const beside = ({ checkpoint, ...options }: Case["options"], begun: () => void) => {
  const store: Store = { name: "memory", load: async () => [], save: async () => begun() };
  return { ...options, onRecord: begun, ...(checkpoint === undefined ? {} : { checkpoint: { store, every: 2 } }) };
};

async function peers({ run, options }: Case, begun: () => void): Promise<void> {
  const network = new MemoryNetwork(run.topology.n);
  const { history, ...others } = beside(options, begun);
  const asked = { ...others, ...(history === undefined ? {} : { history: begun }) };
  const all = Array.from({ length: run.topology.n }, (_, rank) => network.join(rank));
  const summaries = await Promise.all(all.map((transport) => runSpecPeer({ transport, runs: [run], ...asked })));
  for (const { done } of summaries) expect(done).toBeGreaterThan(0);
}

async function elastic({ run, options }: Case, begun: () => void): Promise<void> {
  const seats = run.topology.n;
  const network = new MemoryNetwork(seats, { delay: [0, 1] });
  const asked = { seats, run, incarnation: 1, patience: { beat: 5 }, ...beside(options, begun) };
  const all = Array.from({ length: seats }, (_, seat) => ({ lane: network.lane(seat), seat, ...asked }));
  for (const { done } of await Promise.all(all.map(runElasticPeer))) expect(done).toBe(run.rounds);
}

describe.each(Object.entries(places))("%s", (name, { work, unasked }) => {
  const driver = name as DriverName;
  const cases = pairs.flatMap((pair) => {
    const one = caseOf(driver, pair);
    return one === undefined ? [] : [{ pair, words: `${pair.a} with ${pair.b}`, one }];
  });

  test("refuses what it declares, and nothing else", () => {
    const undeclared = cases.filter(({ pair, one }) => {
      // If no algorithm of the library has a feature alone, another of its features may be the one that is refused.
      const incidental = one.refused !== undefined && [pair.a, pair.b].some((feature) => ofMembers.includes(feature));
      return (one.refused !== undefined) !== isRefused(driver, pair) && !incidental;
    });
    expect(undeclared.map(({ words }) => words)).toEqual([]);
  });

  test("refuses by itself, in one sentence and before it begins", async () => {
    const troubles: string[] = [];
    for (const { pair, words, one } of cases) {
      if (one.refused === undefined || [pair.a, pair.b].some((feature) => unasked.includes(feature))) continue;
      let begun = false;
      const error = await work(one, () => {
        begun = true;
      }).catch((reason: Error) => reason);
      const sentence = error instanceof InputError && oneSentence.test(error.message);
      if (!sentence || begun)
        troubles.push(`${words}: ${begun ? "begun, " : ""}${error instanceof Error ? error.message : "done"}`);
    }
    expect(troubles).toEqual([]);
  });

  test("does what it declares", { timeout: 180_000 }, async () => {
    const runs = cases.filter(({ one }) => one.refused === undefined);
    const troubles: string[] = [];
    for (let from = 0; from < runs.length; from += 16) {
      await Promise.all(
        runs.slice(from, from + 16).map(async ({ words, one }) => {
          let begun = false;
          await work(one, () => {
            begun = true;
          }).catch((error) => troubles.push(`${words}: ${error.message}`));
          if (!begun) troubles.push(`${words}: did nothing`);
        }),
      );
    }
    expect(troubles).toEqual([]);
  });
});
