/** Messages dropped inside a group and between groups: which nodes keep their rows, and that the mean of all is kept. */

import { describe, expect, test } from "vitest";
import { type DroppedInGroups, thinGroups } from "../../src/faults/thin.ts";
import { createTopology, gossip } from "../../src/index.ts";
import { applyRound, leaderOf } from "../../src/internal/round.ts";
import type { GroupedRound } from "../../src/round/round.ts";

const n = 17;
const x = Float64Array.from({ length: n }, (_, i) => (i * i) % 13);
const sum = (rows: ArrayLike<number>) => Array.from(rows).reduce((total, value) => total + value, 0);
const topology = (between: string) => createTopology({ name: "hierarchy", n, groups: [5, 5, 4, 3], between });
const through = (dropped: Partial<DroppedInGroups>, between = "ring", exchange = 0) => {
  const round = topology(between).round(0) as GroupedRound;
  const none = () => false;
  const thinned = thinGroups(round, exchange, { inside: none, between: none, ...dropped }, "receiver");
  return { thinned, y: applyRound(thinned, x, new Float64Array(n)) };
};

describe("inside a group", () => {
  test("a member that is not heard keeps its row, the others average without it, and the mean of all is kept", () => {
    const { y } = through({ inside: (i, j) => i !== j && (i === 3 || j === 3) });
    expect(y[3]).toBe(x[3]);
    expect(new Set([0, 1, 2, 4].map((i) => y[i])).size).toBe(1);
    expect(sum(y)).toBeCloseTo(sum(x), 11);
  });

  test("a group whose leader is gone keeps its rows; the leader of the next exchange is another", () => {
    const { groups } = topology("ring").hierarchy!;
    const down = (i: number, j: number) => i === 0 || j === 0;
    const dropped = { inside: down, between: down };
    const { y } = through(dropped);
    expect(leaderOf(groups, 0, 0)).toBe(0);
    expect([0, 1, 2, 3, 4].map((i) => y[i])).toEqual([0, 1, 2, 3, 4].map((i) => x[i]));
    expect(sum(y)).toBeCloseTo(sum(x), 11);
    const next = through(dropped, "ring", 1).y;
    expect(leaderOf(groups, 0, 1)).toBe(1);
    expect(next[0]).toBe(x[0]);
    expect(new Set([1, 2, 3, 4].map((i) => next[i])).size).toBe(1);
    expect(sum(next)).toBeCloseTo(sum(x), 11);
  });

  test("a group of which too few are there keeps to itself", () => {
    // Of five only the leader is left, and on the ring a group gives away 2/3 of c = 3.
    const { y } = through({ inside: (i, j) => i !== j && i < 5 && j < 5 });
    expect([0, 1, 2, 3, 4].map((i) => y[i])).toEqual([0, 1, 2, 3, 4].map((i) => x[i]));
    expect(sum(y)).toBeCloseTo(sum(x), 11);
  });
});

describe("between groups", () => {
  test("undirected: a dropped exchange is void on both sides, and the mean of all is kept", () => {
    const { y } = through({ between: (i, j) => Math.min(i, j) === 0 && Math.max(i, j) === 5 });
    expect(sum(y)).toBeCloseTo(sum(x), 11);
  });

  test("directed: the mean moves by c v_gh (m_g - m_h) / n for a dropped message", () => {
    const round = topology("od-equidyn").round(0) as GroupedRound;
    const { shifts, weights } = round.between as {
      shifts: Int32Array;
      weights: Float64Array;
    } & GroupedRound["between"];
    const h = (4 - shifts[0]) % 4;
    const leader = (g: number) => leaderOf(round.groups, g, 0);
    const { y } = through({ between: (i, j) => i === leader(h) && j === leader(0) }, "od-equidyn");
    const mean = (g: number) => sum(x.slice(round.groups.start[g], round.groups.start[g + 1])) / [5, 5, 4, 3][g];
    expect((sum(y) - sum(x)) / n).toBeCloseTo((3 * weights[0] * (mean(0) - mean(h))) / n, 12);
  });

  test("losses on purpose are of messages between groups: with all dropped, each group still takes its mean", () => {
    const { x: end } = gossip(topology("ring"), { d: 1, rounds: 3, drop: 1, x0: x });
    expect(end[1]).toBe(end[0]);
    expect(end[0]).toBeCloseTo(sum(x.slice(0, 5)) / 5, 12);
    expect(end[16]).toBeCloseTo(sum(x.slice(14)) / 3, 12);
  });

  test.each(["ring", "ou-equidyn"])("%s: with losses, crashes and cuts gossip keeps the mean and agrees", (between) => {
    const { errors, meanDrift } = gossip(topology(between), {
      ...{ d: 3, rounds: 300, drop: 0.3, absent: 0.05, seed: 4 },
      ...{ crash: [{ node: 2, from: 3, until: 40 }], cut: [{ pair: [5, 6], from: 0, until: 50 }] },
    });
    expect(meanDrift).toBeLessThan(1e-12);
    expect(errors[300]).toBeLessThan(1e-6 * errors[0]);
  });
});

test("stale messages are refused", () => {
  expect(() => gossip(topology("ring"), { d: 1, rounds: 1, stale: 0.5 })).toThrow(/groups send means/);
});
