/** What a rate is said to take, against what it is seen to take: operations, whatever the machine. */

import { describe, expect, test } from "vitest";
import { createTopology, type TopologySpec } from "../../src/index.ts";
import { prediction, watched } from "../../src/rate/index.ts";
import { rateWork } from "../../src/topology/index.ts";

function counted(spec: TopologySpec): number {
  let operations = 0;
  watched(
    (more) => {
      operations += more;
    },
    () => createTopology(spec).rate(),
  );
  return operations;
}

describe("operations are told within a factor of 3 before they are made", () => {
  test.each<TopologySpec>([
    { name: "grid", n: 900 },
    { name: "grid", n: 2500 },
    { name: "grid", n: 1600, rows: 8 },
    { name: "grid", n: 1009 },
    { name: "grid", n: 900, weights: "best-constant" },
    { name: "torus", n: 4900 },
    { name: "star", n: 5000 },
    { name: "hypercube", n: 4096 },
    { name: "erdos-renyi", n: 1000 },
    { name: "erdos-renyi", n: 3000, a: 0.5 },
    { name: "geometric", n: 1500 },
    { name: "random-regular", n: 3000, d: 6 },
    { name: "margulis", n: 2500 },
    { name: "d-cliques", n: 1000 },
    { name: "d-cliques", n: 1000, join: "ring" },
    { name: "d-cliques", n: 1000, join: "small-world" },
    { name: "d-equistatic", n: 50_000 },
    { name: "d-equistatic", n: 50_000, m: 60 },
    { name: "u-equistatic", n: 50_000 },
    { name: "od-equidyn", n: 50_000, m: 20 },
    { name: "ou-equidyn", n: 50_000, m: 20 },
  ])("$name, n = $n", (spec) => {
    const work = rateWork(spec)!;
    const ratio = work.operations / counted(spec);
    expect(ratio).toBeGreaterThan(1 / 3);
    expect(ratio).toBeLessThan(3);
    expect(work.bytes).toBeGreaterThan(work.heap);
    expect(work.seconds).toBeGreaterThan(0);
  });
});

test("what was measured on large graphs: bytes at the most, within a factor of 2.5", () => {
  // The growth of the process while each was built, in bytes, as measured.
  for (const [name, n, bytes] of [
    ["grid", 1_000_000, 174e6],
    ["erdos-renyi", 300_000, 374e6],
    ["geometric", 100_000, 283e6],
    ["star", 1_000_000, 382e6],
    ["hypercube", 1_048_576, 545e6],
    ["random-regular", 300_000, 101e6],
  ] as const) {
    const ratio = rateWork({ name, n })!.bytes / bytes;
    expect([name, ratio > 0.4, ratio < 2.5]).toEqual([name, true, true]);
  }
});

test("the rounds of what is exact after a few are predicted from the last of them", () => {
  const topology = createTopology({ name: "ceca-1p", n: 3000 });
  let operations = 0;
  const predicted = watched(
    (more) => {
      operations += more;
    },
    () => prediction(topology, 1e-6),
  );
  expect(predicted).toEqual({ rounds: topology.exactAfter, method: "exact product" });
  // Two rounds alone would take 19,000 a node.
  expect(operations / 3000).toBeLessThan(1000);
});

test("whoever watches changes nothing, may stop the work, and is forgotten afterwards", () => {
  const grid = () => createTopology({ name: "grid", n: 400 });
  const told: number[] = [];
  const seen = watched(
    (more) => told.push(more),
    () => grid().rate(),
  );
  expect(seen).toEqual(grid().rate());
  const { length } = told;
  grid().rate();
  expect(told).toHaveLength(length);
  const stop = () => {
    throw new Error("enough");
  };
  expect(() => watched(stop, () => grid().rate())).toThrow("enough");
  expect(grid().rate().rate).toBe(seen.rate);
});
