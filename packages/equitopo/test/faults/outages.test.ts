/** What is down from one exchange to another, and the least that groups need: to the exchange, to the member. */

import { describe, expect, test } from "vitest";
import { groupedSeconds } from "../../src/faults/latency.ts";
import { honestRows, liarsAmong } from "../../src/faults/liars.ts";
import { Network } from "../../src/faults/network.ts";
import { crashedAt, cutAt } from "../../src/faults/outages.ts";
import { splitStale } from "../../src/faults/stale.ts";
import { thinGroups } from "../../src/faults/thin.ts";
import { sizeOf } from "../../src/round/groups.ts";
import { type GroupedRound, selfWeight } from "../../src/round/round.ts";
import { odEquiDyn } from "../../src/topology/od-equidyn.ts";
import { createTopology } from "../../src/topology/registry.ts";
import { ring } from "../../src/topology/ring.ts";

test("a crash is from its first exchange to the one before its last, a cut in both directions", () => {
  const crashes = [{ node: 2, from: 3, until: 5 }];
  const down = [2, 3, 4, 5].map((t) => crashedAt(4, crashes, t)?.[2] ?? 0);
  expect(down).toEqual([0, 1, 1, 0]);
  expect(crashedAt(4, [{ node: 0, from: 3 }], 1e9)?.[0]).toBe(1);
  const cuts = [{ pair: [3, 1] as const, from: 3, until: 5 }];
  const cut = [2, 3, 4, 5].map((t) => [cutAt(4, cuts, t)?.(1, 3) ?? false, cutAt(4, cuts, t)?.(3, 1) ?? false]);
  expect(cut).toEqual([
    [false, false],
    [true, true],
    [true, true],
    [false, false],
  ]);
  expect(cutAt(4, cuts, 3)?.(0, 1)).toBe(false);
});

test("nothing passes to or from a node that is down, or over a cut, and the rest does", () => {
  const n = 6;
  const network = new Network(ring({ n }), { crash: [{ node: 0, from: 0 }], cut: [{ pair: [3, 4], from: 0 }] }, 0);
  const { round, down } = network.passage(0);
  expect(Array.from(down ?? [])).toEqual([1, 0, 0, 0, 0, 0]);
  // Thirds stay with the receivers.
  const own = Array.from({ length: n }, (_, i) => selfWeight(round, i));
  expect(own[0]).toBe(1);
  for (const [i, third] of [
    [1, 2],
    [2, 1],
    [3, 2],
    [4, 2],
    [5, 2],
  ])
    expect(own[i]).toBeCloseTo(third / 3, 14);
  // Push-sum: the senders keep, which on one way shifts is somebody else.
  const oneWay = odEquiDyn({ n: 7, seed: 3 });
  const shift = (oneWay.round(0) as { shifts: Int32Array }).shifts[0];
  const lost = new Network(oneWay, { cut: [{ pair: [0, shift], from: 0 }], pushSum: true }, 0).passage(0).round;
  expect(selfWeight(lost, 0)).toBeCloseTo(1, 14);
  expect(selfWeight(lost, shift)).toBeCloseTo(selfWeight(oneWay.round(0), shift), 14);
});

test("stale messages are drawn anew in every exchange", () => {
  const network = new Network(ring({ n: 30 }), { stale: 0.5 }, 1);
  const edges = [0, 1, 2].map((t) => Array.from(network.passage(0, t).split?.stale.from ?? []).join());
  expect(new Set(edges).size).toBe(3);
});

describe("a group of which members are missing", () => {
  // Five nodes on a ring of groups, the least of four: it owes others c (1 - 1/3) = 8/3 of its k members.
  const topology = createTopology({ name: "hierarchy", n: 14, groups: [5, 5, 4], between: "ring" });
  const round = topology.round(0) as GroupedRound;
  const thinned = (there: number) =>
    thinGroups(
      round,
      0,
      { inside: (i, j) => i !== j && Math.max(i, j) < 5 && Math.max(i, j) >= there, between: () => false },
      "receiver",
    );

  test("exchanges as long as it has what it owes, and not below", () => {
    for (const there of [5, 4, 3]) {
      const { weighted, groups } = thinned(there);
      expect(sizeOf(groups, 0)).toBe(there);
      expect(selfWeight(weighted, 0)).toBeCloseTo(1 - (4 / there) * (2 / 3), 12);
      expect(selfWeight(weighted, 0)).toBeGreaterThanOrEqual(0);
    }
    for (const there of [2, 1]) {
      const { weighted, groups } = thinned(there);
      expect(sizeOf(groups, 0)).toBe(there);
      expect(selfWeight(weighted, 0)).toBe(1);
      // Nor do the others hear it.
      expect(selfWeight(weighted, 2)).toBeCloseTo(2 / 3, 12);
    }
  });

  test("exactly what it owes is enough", () => {
    // Two groups of the complete graph owe c / 2: of four, two are enough.
    const pairs = createTopology({ name: "hierarchy", n: 8, groups: [4, 4], between: "complete" });
    const half = thinGroups(
      pairs.round(0) as GroupedRound,
      0,
      { inside: (i, j) => i !== j && Math.max(i, j) < 4 && Math.max(i, j) >= 2, between: () => false },
      "receiver",
    );
    expect(sizeOf(half.groups, 0)).toBe(2);
    expect(selfWeight(half.weighted, 0)).toBeCloseTo(0, 12);
    expect(selfWeight(half.weighted, 1)).toBeCloseTo(1 / 2, 12);
  });

  test("a leader that is not reached by a member, or does not reach it, does without it", () => {
    const none = () => false;
    for (const inside of [(i: number, j: number) => i === 2 && j === 0, (i: number, j: number) => i === 0 && j === 2]) {
      expect(sizeOf(thinGroups(round, 0, { inside, between: none }, "receiver").groups, 0)).toBe(4);
    }
  });
});

test("a group whose leader is down is nobody, whatever its members hear of it", () => {
  const round = createTopology({ name: "hierarchy", n: 14, groups: [5, 5, 4], between: "ring" }).round(
    0,
  ) as GroupedRound;
  const inside = (i: number, j: number) => i === 0 && j === 0;
  expect(sizeOf(thinGroups(round, 0, { inside, between: () => false }, "receiver").groups, 0)).toBe(0);
});

test("a grouped round takes three steps: to the leaders, between them, and back", () => {
  const round = createTopology({ name: "hierarchy", n: 14, groups: [5, 5, 4], between: "ring" }).round(
    0,
  ) as GroupedRound;
  const seconds = (latency: object, down: number[] = []) =>
    groupedSeconds({ alpha: 1, beta: 0.5, ...latency }, round, 0, 0, 4, (j) => down.includes(j));
  // A message takes 1 + 4/2 seconds. One to the leader at once from all, two to other groups, four back to members.
  expect(seconds({})).toBeCloseTo((1 + 2 + 4) * 3, 12);
  expect(seconds({ inside: { alpha: 0.01, beta: 0 } })).toBeCloseTo(2 * 3 + 5 * 0.01, 12);
  expect(seconds({ delays: Array.from({ length: 14 }, (_, i) => (i === 9 ? 7 : 1)) })).toBeCloseTo(7 + 7 * 3, 12);
  // Without the leaders of both large groups: one, two and three messages.
  expect(seconds({}, [0, 5])).toBeCloseTo((1 + 2 + 3) * 3, 12);
});

test("a round cut in two: own weights are of this round", () => {
  const { fresh, stale } = splitStale(ring({ n: 5 }).round(0), (from) => from === 2) ?? {};
  expect(Array.from(stale?.self ?? [])).toEqual([0, 0, 0, 0, 0]);
  for (const own of fresh?.self ?? []) expect(own).toBeCloseTo(1 / 3, 14);
  expect(Array.from(stale?.from ?? [])).toEqual([2, 2]);
  expect(fresh?.from).toHaveLength(8);
});

describe("liars", () => {
  const liars = (share: number | number[], n = 7) => liarsAmong({ liars: share, attack: "sign-flip" }, n, 1);

  test("a share of the nodes is rounded to the nearest whole number", () => {
    expect([0.07, 0.08, 0.2, 0.36, 0.64].map((share) => liars(share)?.nodes.length ?? 0)).toEqual([0, 1, 1, 3, 4]);
  });

  test("what a liar says is not what it has, and its own row stays", () => {
    const own = Float64Array.of(1, -2);
    const said = liars([3])?.say(3, own, 0, []);
    expect([...own]).toEqual([1, -2]);
    expect([...(said ?? [])]).not.toEqual([1, -2]);
  });

  test("the honest rows are those of all others, in order", () => {
    const x = Float64Array.from({ length: 14 }, (_, k) => k);
    expect([...honestRows(x, liars([1, 4]))]).toEqual([0, 1, 4, 5, 6, 7, 10, 11, 12, 13]);
  });
});
