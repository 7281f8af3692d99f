/**
 * The laws of every topology: each member of the registry, every n from 2 to 40 and random ones to 300, all options.
 * What the rate must equal stands in exact-rates.test.ts.
 */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InputError } from "../src/input/input.ts";
import { RandomStream } from "../src/random/stream.ts";
import { denseMatrix, type Edge, forEachEdgeInto, type Round, selfWeight } from "../src/round/round.ts";
import { customGraph } from "../src/topology/custom.ts";
import { createTopology, topologies } from "../src/topology/registry.ts";
import type { Topology, TopologySpec } from "../src/topology/topology.ts";
import { accepted, drawn, drawnSpec } from "./topologies.ts";

/** Rounds to look at: two periods, or enough draws to meet every kind of round. */
function someRounds(topology: Topology): number[] {
  const count = topology.kind === "random" ? 24 : 2 * topology.period!;
  return Array.from({ length: count }, (_, t) => t);
}

/** A round with typed arrays as lists, for comparison by value. */
function plain(round: Round): string {
  return JSON.stringify(round, (_key, value) => (ArrayBuffer.isView(value) ? Array.from(value as Int32Array) : value));
}

/** Inner loops use this: an `expect` for each weight would take most of the time. */
function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

function near(actual: number, expected: number, what: string): void {
  if (!(Math.abs(actual - expected) <= 1e-12)) throw new Error(`${what}: ${actual} is not ${expected}`);
}

function doublyStochastic(topology: Topology): void {
  const { n } = topology;
  for (const t of someRounds(topology)) {
    const round = topology.round(t);
    const rows = new Float64Array(n);
    const columns = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      const own = selfWeight(round, i);
      if (!(own >= 0 && own <= 1)) throw new Error(`w_${i}${i} = ${own} in round ${t}`);
      rows[i] += own;
      columns[i] += own;
      forEachEdgeInto(round, i, (from, to, weight) => {
        if (!(weight >= 0 && weight <= 1) || to !== i) throw new Error(`edge ${from} -> ${to} weighs ${weight}`);
        rows[i] += weight;
        columns[from] += weight;
      });
    }
    for (let i = 0; i < n; i++) {
      near(rows[i], 1, `row ${i} of round ${t}`);
      near(columns[i], 1, `column ${i} of round ${t}`);
    }
  }
}

function trueDegree(topology: Topology): void {
  let most = 0;
  for (const t of someRounds(topology)) {
    const round = topology.round(t);
    for (let i = 0; i < topology.n; i++) {
      const peers = new Set<number>();
      forEachEdgeInto(round, i, (from, _to, weight) => {
        must(from !== i, `round ${t} has an edge from ${i} to itself`);
        must(!peers.has(from), `round ${t} has ${from} -> ${i} twice`);
        if (weight > 0) peers.add(from);
      });
      most = Math.max(most, peers.size);
    }
  }
  expect(most, "the stated degree is reached and never passed").toBe(topology.maxDegree);
}

/** Both flags, as "in every round" and "in some round"; 200 draws meet every index of a basis. */
function trueFlags(topology: Topology): void {
  const { n } = topology;
  let symmetric = true;
  let directed = false;
  for (let t = 0; t < (topology.period ?? 200) && (symmetric || !directed); t++) {
    const round = topology.round(t);
    const weights = new Map<number, number>();
    for (let i = 0; i < n; i++) forEachEdgeInto(round, i, (from, to, weight) => weights.set(to * n + from, weight));
    for (const [edge, weight] of weights) {
      const back = weights.get((edge % n) * n + Math.floor(edge / n));
      if (back === undefined) directed = true;
      if (back !== weight) symmetric = false;
    }
  }
  expect({ symmetric, directed }).toEqual({ symmetric: topology.symmetric, directed: topology.directed });
}

function peersAgree(topology: Topology): void {
  const { n } = topology;
  for (const t of someRounds(topology).slice(0, 12)) {
    const round = topology.round(t);
    const sent = new Map<number, number>();
    const told = new Map<number, number>();
    for (let i = 0; i < n; i++) {
      const { self, from, to } = topology.peers(t, i);
      must(self === selfWeight(round, i), `own weight of ${i} in round ${t}`);
      let place = 0;
      let difference = 0;
      forEachEdgeInto(round, i, (node, _to, weight) => {
        const link = from[place++];
        must(link?.node === node && link.weight === weight, `link ${node} -> ${i} in round ${t}`);
        must((i - node + n) % n > difference, `order of additions at ${i} in round ${t}`);
        difference = (i - node + n) % n;
        sent.set(node * n + i, weight);
      });
      must(place === from.length, `${i} receives from more nodes than round ${t} says`);
      for (const { node, weight } of to) told.set(i * n + node, weight);
    }
    must(told.size === sent.size, `round ${t}: ${told.size} sent, ${sent.size} received`);
    for (const [edge, weight] of told) must(sent.get(edge) === weight, `edge ${edge} (n from + to) in round ${t}`);
  }
}

/** round and peers give the same whatever was asked before, and in whatever order. */
function pure(topology: Topology): void {
  const times = someRounds(topology);
  const inOrder = times.map((t) => plain(topology.round(t)));
  for (const t of [...times].reverse()) {
    topology.peers((3 * t + 1) % 50, t % topology.n);
    must(plain(topology.round(t)) === inOrder[t], `round ${t} changed`);
  }
}

function rebuilt(topology: Topology): void {
  const again = createTopology(JSON.parse(JSON.stringify(topology.spec)) as TopologySpec);
  for (const t of [...someRounds(topology), 12345])
    must(plain(again.round(t)) === plain(topology.round(t)), `round ${t}`);
  const { name, n, kind, directed, symmetric, maxDegree, period, spec } = topology;
  expect(again).toMatchObject({ name, n, kind, directed, symmetric, maxDegree, period, spec });
}

/** Static: one round for ever. Periodic: every period holds the same rounds (the same order, where it says cyclic). */
function repeats(topology: Topology): void {
  const { kind, period } = topology;
  expect(kind === "random").toBe(period === undefined);
  if (period === undefined) return;
  if (kind === "static") expect(period).toBe(1);
  const first = Array.from({ length: period }, (_, t) => plain(topology.round(t)));
  for (const start of [period, 2 * period, 1000 * period]) {
    const later = Array.from({ length: period }, (_, t) => plain(topology.round(start + t)));
    const reordered = topology.spec["order"] === "random";
    const same = reordered ? later.sort().join() === [...first].sort().join() : later.join() === first.join();
    must(same, `the period from round ${start} is not the first`);
  }
}

const laws: Record<string, (topology: Topology) => void> = {
  "nonnegative and doubly stochastic": doublyStochastic,
  "the stated degree is the true one": trueDegree,
  "symmetric and directed say the truth": trueFlags,
  "peers(t, i) agrees with round(t)": peersAgree,
  "round is a pure function of t": pure,
  "the spec builds the same again": rebuilt,
  "static stays, periodic repeats": repeats,
};

function check(spec: TopologySpec, law: (topology: Topology) => void): void {
  try {
    law(createTopology(spec));
  } catch (error) {
    throw new Error(`${JSON.stringify(spec)}: ${(error as Error).message}`, { cause: error });
  }
}

describe.each([...topologies])("$name", (family) => {
  test("accepts or refuses every n from 2 to 40, and says which beforehand", () => {
    for (let n = 2; n <= 40; n++) {
      if (family.refuses?.(n) === undefined) expect(createTopology({ name: family.name, n }).n).toBe(n);
      else expect(() => createTopology({ name: family.name, n })).toThrow(InputError);
    }
  });

  test.each(Object.entries(laws))("%s", (_name, law) => {
    for (const n of accepted(family, 2, 40)) {
      check({ name: family.name, n }, law);
      for (const spec of fc.sample(drawnSpec(family, n), { ...drawn, numRuns: 4 })) check(spec, law);
    }
    const any = fc.constantFrom(...accepted(family, 2, 300)).chain((n) => drawnSpec(family, n));
    fc.assert(
      fc.property(any, (spec) => check(spec, law)),
      { ...drawn, numRuns: 15 },
    );
  });
});

describe("one's own matrix, directed, from the mean of three permutations", () => {
  const { "the spec builds the same again": _inTheRegistryOnly, ...ownLaws } = laws;
  test.each(Object.entries(ownLaws))("%s", (_name, law) => {
    for (let n = 3; n <= 30; n++) {
      const random = new RandomStream(n, 1000);
      const edges = [0.5, 0.3, 0.2].flatMap((weight) =>
        Array.from(random.permutation(n), (from, to): Edge => [from, to, weight]),
      );
      law(customGraph({ n, self: new Float64Array(n), edges }));
    }
  });
});

describe("shapes that are easy to get wrong", () => {
  const shapes: [TopologySpec, degree: number][] = [
    [{ name: "torus", n: 2, rows: 1, cols: 2 }, 1],
    [{ name: "torus", n: 4, rows: 2, cols: 2 }, 2],
    [{ name: "torus", n: 7, rows: 1 }, 2],
    [{ name: "torus", n: 7, cols: 1 }, 2],
    [{ name: "torus", n: 10, rows: 2 }, 3],
    [{ name: "torus", n: 10, rows: 5, cols: 2, lazy: true }, 3],
    [{ name: "torus", n: 9 }, 4],
    [{ name: "grid", n: 2, rows: 2 }, 1],
    [{ name: "grid", n: 7, rows: 1 }, 2],
    [{ name: "grid", n: 8, cols: 2 }, 3],
    [{ name: "grid", n: 300 }, 4],
    [{ name: "d-equistatic", n: 2, basis: [1, 1, -1] }, 1],
    [{ name: "d-equistatic", n: 5, basis: [1, 1, 4] }, 2],
    [{ name: "u-equistatic", n: 6, basis: [3, 1, -1] }, 3],
    [{ name: "static-exp", n: 5 }, 3],
    [{ name: "ring", n: 2 }, 1],
    [{ name: "complete", n: 2, lazy: true }, 1],
  ];
  test.each(shapes)("%j has degree %d and keeps every law", (spec, degree) => {
    expect(createTopology(spec).maxDegree).toBe(degree);
    for (const law of Object.values(laws)) check(spec, law);
  });

  test("grid and torus default to the most square factors; 300 is 15 x 20", () => {
    expect(createTopology({ name: "grid", n: 300 }).spec).toMatchObject({ rows: 15, cols: 20 });
    expect(createTopology({ name: "torus", n: 17 }).spec).toMatchObject({ rows: 1, cols: 17 });
  });

  test("a basis index -u is n - u, and repeats add their weights", () => {
    const w = (basis: number[]) => denseMatrix(createTopology({ name: "d-equistatic", n: 7, basis }).round(0));
    expect(w([-2, 3, 3])).toEqual(w([5, 3, 3]));
    expect(w([3, 3, 5])[3 * 7]).toBeCloseTo((2 / 3) * (6 / 7), 15);
    // Errata 3: node i receives from i - u.
    expect(w([5])[5 * 7]).toBeCloseTo(6 / 7, 15);
  });

  test("the default eta gives a weight of exactly 1/2, at every n", () => {
    for (const name of ["od-equidyn", "ou-equidyn"]) {
      for (let n = 2; n <= 300; n++) {
        const round = createTopology({ name, n }).round(0);
        const weight = round.kind === "circulant" ? round.weights[0] : round.kind === "matching" ? round.weight : 0;
        must(weight === 0.5, `${name}, n = ${n}: ${weight}`);
      }
    }
  });

  test("graphs that are complete have a rate of exactly 0", () => {
    const complete = [
      { name: "ring", n: 2 },
      { name: "ring", n: 3 },
      { name: "star", n: 2 },
      { name: "complete", n: 9 },
      { name: "hypercube", n: 2 },
    ];
    for (const spec of complete) expect(createTopology(spec).rate().rate, spec.name).toBe(0);
  });

  test("lazy is (I + W) / 2", () => {
    for (const family of topologies.filter(({ options }) => "lazy" in options)) {
      for (const n of accepted(family, 2, 20)) {
        const w = denseMatrix(createTopology({ name: family.name, n }).round(0));
        const lazy = denseMatrix(createTopology({ name: family.name, n, lazy: true }).round(0));
        lazy.forEach((weight, e) => {
          near(weight, (w[e] + (e % (n + 1) === 0 ? 1 : 0)) / 2, `${family.name} n = ${n}`);
        });
      }
    }
  });
});
