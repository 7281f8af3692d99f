/** What a rate is said to take, against what it is seen to take: operations, whatever the machine. */

import { describe, expect, test } from "vitest";
import {
  createTopology,
  customGraph,
  type Edge,
  graphTopology,
  type Topology,
  type TopologySpec,
  topologies,
} from "../../src/index.ts";
import { RandomStream } from "../../src/random/stream.ts";
import { prediction, watched } from "../../src/rate/index.ts";
import { rateWork, staticWork } from "../../src/topology/index.ts";

function counted(spec: TopologySpec): number {
  let operations = 0;
  watched(
    (more) => {
      operations += more;
    },
    () => {
      const topology = createTopology(spec);
      topology.rate();
      prediction(topology, 1e-6);
    },
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
    { name: "random-permutations", n: 300 },
    { name: "random-permutations", n: 1500 },
    { name: "random-permutations", n: 1000, d: 2 },
    { name: "random-permutations", n: 500, d: 40 },
    { name: "random-permutations", n: 3000, d: 5 },
    { name: "ceca-1p", n: 500 },
    { name: "ceca-1p", n: 10_000 },
    { name: "ceca-2p", n: 501 },
    { name: "ceca-2p", n: 10_001 },
    { name: "base", n: 500 },
    { name: "base", n: 20_001 },
    { name: "base", n: 3001, k: 4 },
    { name: "simple-base", n: 3001 },
  ])("$name, n = $n", (spec) => {
    const work = rateWork(spec)!;
    const ratio = work.operations / counted(spec);
    expect(ratio).toBeGreaterThan(1 / 3);
    expect(ratio).toBeLessThan(3);
    expect(work.bytes).toBeGreaterThan(work.heap);
    expect(work.seconds).toBeGreaterThan(0);
  });
});

describe("of a graph that somebody brought, known by its edges alone", () => {
  const drawn = new RandomStream(0, 1);
  const below = (k: number) => Math.floor(k * drawn.uniform());
  /** The same graph as a list of edges: no closed form is known of it. */
  const bare = (spec: TopologySpec) => {
    const { n, peers } = createTopology(spec);
    return graphTopology({ name: "bare", n }, (i) => peers(0, i).from.map(({ node }) => node));
  };
  const joined = (n: number, pairs: readonly (readonly [number, number])[]) => {
    const lists = Array.from({ length: n }, () => new Set<number>());
    for (const [a, b] of pairs) if (a !== b) lists[a].add(b) && lists[b].add(a);
    return graphTopology({ name: "bare", n }, (i) => lists[i]);
  };
  const labels = (n: number) => Array.from({ length: n }, (_, i) => i);
  const graphs: Record<string, () => Topology> = {
    "a ring": () => bare({ name: "ring", n: 800 }),
    "a path": () =>
      joined(
        700,
        labels(699).map((i) => [i, i + 1]),
      ),
    "a torus": () => bare({ name: "torus", n: 2500 }),
    "a grid": () => bare({ name: "grid", n: 900 }),
    "a ladder": () => bare({ name: "grid", n: 1200, rows: 4 }),
    "cliques in a ring": () => bare({ name: "d-cliques", n: 1000, join: "ring" }),
    "a random graph": () => bare({ name: "erdos-renyi", n: 2000 }),
    "a regular one": () => bare({ name: "random-regular", n: 3000, d: 6 }),
    "points in a square": () => bare({ name: "geometric", n: 1500 }),
    "an expander": () => bare({ name: "margulis", n: 2500 }),
    "a random tree": () =>
      joined(
        3000,
        labels(2999).map((i) => [i + 1, below(i + 1)]),
      ),
    hubs: () =>
      joined(
        3000,
        labels(2990).flatMap((i) =>
          [0, 1, 2].map(() => [i + 10, Math.floor((i + 10) * drawn.uniform() ** 2)] as const),
        ),
      ),
    "a small world": () =>
      joined(
        2000,
        labels(2000).flatMap(
          (i) =>
            [
              [i, (i + 1) % 2000],
              [i, (i + 2) % 2000],
              [i, below(10) === 0 ? below(2000) : i],
            ] as const,
        ),
      ),
    "a directed one": () => {
      const topology = createTopology({ name: "random-permutations", n: 1000, d: 4 });
      const links = labels(1000).flatMap((to) =>
        topology.peers(0, to).from.map(({ node, weight }): Edge => [node, to, weight]),
      );
      return customGraph({ n: 1000, self: labels(1000).map((i) => topology.peers(0, i).self), edges: links });
    },
  };
  test.each(Object.entries(graphs))("%s", (_name, make) => {
    const topology = make();
    const work = staticWork(topology)!;
    let operations = work.building;
    watched(
      (more) => {
        operations += more;
      },
      () => {
        topology.rate();
        prediction(topology, 1e-6);
      },
    );
    const ratio = work.operations / operations;
    expect([ratio, ratio > 1 / 3, ratio < 3]).toEqual([ratio, true, true]);
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
    ["random-permutations", 1_048_576, 278e6],
    ["el-local", 1_048_576, 221e6],
    ["random-groups", 1_048_576, 109e6],
    ["hierarchy", 1_048_576, 160e6],
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
  // Two rounds alone would take tens of thousands a node.
  expect(operations / 3000).toBeLessThan(3000);
});

test("every family says what memory it takes, but for those whose rounds are a few shifts, and matcha's few nodes", () => {
  const shifts = ["ring", "complete", "designed-static", "k-peer-exp", "doubling", "matcha"];
  // What the families with restrictions take: even, a power of 2, a prime, ...
  const sizes: Record<string, number> = { paley: 10_009, lps: 1092, matcha: 100 };
  for (const { name } of topologies) {
    const work = rateWork({ name, n: sizes[name] ?? 4096 });
    expect([name, work === undefined]).toEqual([name, shifts.includes(name)]);
  }
  const relabelled = rateWork({ name: "grid", n: 1e6, relabel: true })!;
  expect(relabelled.bytes).toBeGreaterThan(rateWork({ name: "grid", n: 1e6 })!.bytes);
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
