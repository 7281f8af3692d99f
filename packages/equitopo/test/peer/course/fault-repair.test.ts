/** Gradient tracking after a fault: peers agree on an iteration at which they repair the sum of their trackers. */

import { describe, expect, it } from "vitest";
import { faultRepair } from "../../../src/peer/course/fault-repair.ts";
import { runSpecPeer } from "../../../src/peer/course/spec-peer.ts";
import { MemoryNetwork } from "../../../src/peer/network/memory.ts";
import type { Problem } from "../../../src/problem/problem.ts";
import type { PeerRecord } from "../../../src/run/course/row-course.ts";
import { expandSpec, parseSpec } from "../../../src/run/spec.ts";
import type { TopologySpec } from "../../../src/topology/topology.ts";
import { memoryStore } from "../store.ts";

const n = 4;
/** f_i = a_i (x - c_i)^2 / 2. */
const [a, c] = [
  [1, 2, 3, 1],
  [4, -1, 2, 6],
];
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const optimum = sum(a.map((weight, i) => weight * c[i])) / sum(a);
const problemFor = (): Problem => ({
  ...{ name: "bowls", n, d: 1, metrics: () => ({}) },
  gradient(x, _t, out, first, count) {
    for (let i = 0; i < count; i++) out[i] = a[first + i] * (x[i] - c[first + i]);
  },
});

interface Plan {
  readonly topology: TopologySpec;
  readonly algorithm?: string;
  readonly rounds?: number;
  /** Peer 2 is killed after so many iterations, and started again from its checkpoint after so many milliseconds. */
  readonly kill?: { readonly after: number; readonly away?: number };
}

/** The final models by rank, and what peers said of it. */
async function run({ topology, algorithm = "dsgt", rounds = 900, kill }: Plan) {
  const runs = expandSpec(
    parseSpec({
      topologies: [topology],
      algorithms: [{ name: algorithm, learningRate: 0.05 }],
      problem: { name: "least-squares", d: 1 },
      ...{ rounds, every: rounds, seeds: [1] },
    }),
  );
  const network = new MemoryNetwork(n, { delay: [1, 2] });
  const final = new Map<number, number>();
  const said: string[] = [];
  await Promise.all(
    [0, 1, 2, 3].map(async (rank) => {
      const store = memoryStore();
      const options = {
        ...{ runs, problemOf: problemFor, timeout: 20, maxLag: 20, startTimeout: 2000 },
        checkpoint: { store, every: 10 },
        onTrouble: (text: string) => said.push(`${rank}: ${text}`),
        onRecord: ({ x, updates }: PeerRecord) => {
          if (updates === rounds) final.set(rank, x[0]);
        },
      };
      if (rank !== 2 || kill === undefined) return runSpecPeer({ ...options, transport: network.join(rank) });
      const onRound = (_: number, { round }: { readonly round: number }) => {
        if (round === kill.after) network.crash(2);
      };
      await expect(runSpecPeer({ ...options, transport: network.join(2), onRound })).rejects.toThrow(/closed/);
      if (kill.away === undefined) return undefined;
      await network.sleep(kill.away);
      return runSpecPeer({ ...options, transport: network.join(2) });
    }),
  );
  return { final, said, time: network.time };
}

const farthest = (final: ReadonlyMap<number, number>, from: number) =>
  Math.max(...[...final.values()].map((x) => Math.abs(x - from)));

const undirected = { name: "ring", n };
const directed = { name: "d-equistatic", n, m: 2, seed: 1 };
const onePeer = { name: "ou-equidyn", n, seed: 2 };

describe("after a peer was killed and came back from its checkpoint", () => {
  it.each([
    ["dsgt", undirected],
    ["dsgt", directed],
    ["dsgt", onePeer],
    ["diging", undirected],
    ["atc-gt", undirected],
  ])("%s over %o ends at the minimum of all", async (algorithm, topology) => {
    const { final, said } = await run({ topology, algorithm, kill: { after: 25, away: 900 } });
    expect(final.size).toBe(n);
    expect(farthest(final, optimum)).toBeLessThan(1e-8);
    expect(
      said.some((text) => /^2: this peer came at iteration \d+ without its tracker: .* repaired at/.test(text)),
    ).toBe(true);
    for (const rank of [0, 1, 3]) expect(said.some((text) => text.startsWith(`${rank}: `))).toBe(true);
  });

  it.each([3, 10, 30, 60, 120, 200])("after %i ms, in the middle of another repair or not", async (away) => {
    const { final } = await run({ topology: undirected, kill: { after: 25, away } });
    expect(farthest(final, optimum)).toBeLessThan(1e-8);
  });
});

it("where it does not come back, the others end at the minimum of their own", async () => {
  const { final } = await run({ topology: undirected, kill: { after: 25 } });
  const [x, y] = [0, 1].map((k) => sum([0, 1, 3].map((i) => a[i] * (k === 0 ? c[i] : 1))));
  expect(final.size).toBe(n - 1);
  expect(farthest(final, x / y)).toBeLessThan(1e-8);
});

it("too late in a run for a repair, a person is told that the result may be off", async () => {
  const { said } = await run({ topology: undirected, rounds: 60, kill: { after: 25 } });
  expect(said).toContainEqual(expect.stringMatching(/the run ends before a repair: its result may be off/));
});

it("nothing is said, and nothing repaired, where there was no fault", async () => {
  const { said } = await run({ topology: undirected, rounds: 300 });
  expect(said).toEqual([]);
});

describe("the agreement", () => {
  const one = (first = 0, end = 10_000) =>
    faultRepair({ n, symmetric: true, first, end, isOfRun: (round) => round < 50_000, onTrouble: () => {} });
  const quiet = { partners: [1], missing: [], lost: [] };
  const step = (repair: ReturnType<typeof faultRepair>, from: number, to: number) => {
    for (let round = from; round < to; round++) repair.done({ round, ...quiet });
  };

  it("is on an iteration so far ahead that all have heard of it, and covers faults until then", () => {
    const repair = one();
    repair.done({ round: 0, partners: [1], missing: [1], lost: [] });
    expect(repair.say()).toEqual([2]);
    step(repair, 1, 20);
    repair.done({ round: 20, partners: [3], missing: [3], lost: [] });
    expect(repair.say()).toEqual([2]);
    expect([63, 64, 79, 80].map((t) => repair.phaseOf(t)?.phase)).toEqual([undefined, 0, 15, undefined]);
    expect(repair.phaseOf(79)?.last).toBe(true);
    step(repair, 21, 80);
    expect([repair.say(), repair.pending]).toEqual([[], false]);
  });

  it("counts neither what is dropped on purpose nor, in undirected rounds, who is missed again", () => {
    const repair = one();
    repair.done({ round: 0, partners: [1], missing: [1], lost: [1] });
    expect(repair.pending).toBe(false);
    repair.done({ round: 1, partners: [1], missing: [1], lost: [] });
    for (let round = 2; round < 200; round++) repair.done({ round, partners: [1], missing: [1], lost: [] });
    expect(repair.pending).toBe(false);
    step(repair, 200, 201);
    repair.done({ round: 201, partners: [1], missing: [1], lost: [] });
    expect(repair.pending).toBe(true);
  });

  it("believes nothing of other runs, of the past, or of a far future", () => {
    const repair = one(1000);
    repair.hear(1, 60_000, 33);
    repair.hear(1, 10, 1);
    repair.hear(1, 10, 300);
    expect(repair.pending).toBe(false);
    repair.hear(1, 10, 33);
    expect(repair.say()).toEqual([33]);
  });

  it("is made anew where a peer hears of it too late", () => {
    const repair = one(1060);
    repair.hear(1, 10, 33);
    expect(repair.say()).toEqual([33, 35]);
  });
});
