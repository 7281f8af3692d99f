/** What is counted and timed, and rows, packets and rates in the cases that runs seldom meet. */

import { describe, expect, test } from "vitest";
import { staticSymmetric } from "../../src/algorithm/condition.ts";
import { Meter } from "../../src/algorithm/meter.ts";
import { mixPair } from "../../src/algorithm/rows.ts";
import { createSchedule } from "../../src/algorithm/schedule.ts";
import { roundSeconds } from "../../src/faults/latency.ts";
import { groupsOf } from "../../src/round/groups.ts";
import type { GroupedRound } from "../../src/round/round.ts";
import { createTopology } from "../../src/topology/registry.ts";
import { ring } from "../../src/topology/ring.ts";

describe("the meter", () => {
  test("an all-reduce is 2 (n - 1) messages of an n-th", () => {
    const meter = new Meter(5, { alpha: 1, beta: 0.01 });
    meter.allReduce(1000);
    expect([meter.messages, meter.bytes, meter.seconds]).toEqual([8, 1600, 8 * (1 + 2)]);
  });

  test("who is down sends nothing", () => {
    const meter = new Meter(5);
    meter.exchange(ring({ n: 5 }).round(0), 100, 0, Uint8Array.of(0, 1, 0, 0, 0));
    expect([0, 1, 2].map((node) => meter.bytesOf(node))).toEqual([200, 0, 200]);
  });
});

test("a group whose leader is down sends nothing to others", () => {
  const groups = groupsOf(6, [
    [0, 1],
    [2, 3],
    [4, 5],
  ]);
  const pairs = createTopology({ name: "ring", n: 3 }).round(0);
  const round = { kind: "grouped", n: 6, groups, between: pairs, weighted: pairs } as GroupedRound;
  const sentWith = (down: Uint8Array) => {
    const meter = new Meter(6, { alpha: 1, beta: 0 }, 0, groups);
    meter.exchange(round, 100, 0, down);
    return meter.between;
  };
  expect(sentWith(new Uint8Array(6))).toBe(200);
  expect(sentWith(new Uint8Array(6).fill(1))).toBe(0);
});

describe("the seconds of a round", () => {
  const network = { alpha: 1, beta: 0.5 };

  test("a node sends one message after another, and the slowest is waited for", () => {
    expect(roundSeconds(network, 3, 0, 0, 4, (j) => j)).toBe(2 * (1 + 2));
  });

  test("who sends nothing is not waited for", () => {
    const late = { ...network, delays: [100, 0, 0] };
    expect(roundSeconds(late, 3, 0, 0, 4, (j) => (j === 0 ? 0 : 1))).toBe(3);
  });

  test("stragglers come as often as they are said to", () => {
    const some = { ...network, straggler: { probability: 0.1, seconds: 1000 } };
    const rounds = Array.from({ length: 2000 }, (_, t) => roundSeconds(some, 1, 7, t, 4, () => 1));
    expect(rounds.filter((seconds) => seconds > 100).length / 2000).toBeCloseTo(0.1, 1);
    expect(rounds.filter((seconds) => seconds > 100).length).toBeLessThan(280);
  });
});

test("a second vector that keeps nothing of itself becomes the first where nothing is heard", () => {
  const [x, z, r] = [Float64Array.of(1, 2), Float64Array.of(3, 4), Float64Array.of(5, 6)];
  mixPair(x, z, r, Uint8Array.of(0, 1), {
    sends: "x",
    x: { own: 0.5, heard: 0.5 },
    z: { own: 0, heard: 1 },
  });
  expect([...x, ...z]).toEqual([1, 4, 1, 6]);
  const kept = Float64Array.of(3);
  mixPair(Float64Array.of(1), kept, Float64Array.of(5), Uint8Array.of(0), {
    sends: "x",
    x: { own: 1, heard: 0 },
    z: { own: 0.5, heard: 0.5 },
  });
  expect(kept[0]).toBe(3);
});

test("CIFAR-10's rate falls at epochs 50, 100 and 120", () => {
  const rate = createSchedule("cifar10", { n: 10, epoch: 4 });
  const at = (epoch: number) => rate(4 * epoch);
  expect([49, 50, 99, 100, 119, 120].map((epoch) => at(epoch).toPrecision(3))).toEqual(
    [0.1, 0.01, 0.01, 0.001, 0.001, 0.0001].map((value) => value.toPrecision(3)),
  );
});

test("one symmetric W is one that never changes", () => {
  expect(staticSymmetric.unfit(createTopology({ name: "base", n: 12 }))).toContain("changes from round to round");
});
