/** Plans: every family redrawn from its rule alone, hashes that say which rounds are meant, and refusals of bad files. */

import {
  circulantRate,
  circulantTopology,
  createTopology,
  expandSpec,
  odEquiDyn,
  planOf,
  readPlan,
  ring,
  runSpec,
  type Topology,
  topologies,
} from "equitopo";
import { sha256 } from "equitopo/number";
import { withGraphs } from "equitopo/run";
import { readGraph } from "equitopo/topology";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { planHash } from "../../src/topology/plan/plan.ts";
import { drawn, drawnSpec, drawsOf, someAccepted } from "./topologies.ts";

const rounds = [0, 1, 5, 1_000_003, 2 ** 40];

/** Peers and kinds agree, to the bit. */
function expectSame(graph: Topology, again: Topology): void {
  const { n } = graph;
  for (const t of rounds) {
    for (const i of new Set([0, 1, Math.floor(n / 2), n - 1])) expect(again.peers(t, i)).toEqual(graph.peers(t, i));
    expect(again.pair?.(t)).toEqual(graph.pair?.(t));
  }
  // One round over and over is static, whatever its family calls it.
  const kind = graph.period === 1 ? "static" : graph.kind;
  expect([again.kind, again.symmetric, again.period]).toEqual([kind, graph.symmetric, graph.period]);
}

describe.each([...topologies].map((family) => [family.name, family] as const))("%s", (_, family) => {
  const specs = fc
    .constantFrom(...someAccepted(family).filter((n) => n <= 64 || someAccepted(family).length <= 2))
    .chain((n) => fc.tuple(drawnSpec(family, n), family.random ? fc.constant(false) : fc.boolean(), fc.nat(2 ** 40)))
    .map(([spec, relabel, seed]) => (relabel ? { ...spec, relabel, seed } : spec));

  test("a plan, as JSON and back, draws its rounds", () => {
    fc.assert(
      fc.property(specs, (spec) => {
        const graph = createTopology(spec);
        const plan = planOf(graph, { rate: false });
        expect(plan.rule.name).not.toBe("rounds");
        const again = readPlan(JSON.stringify(plan));
        expectSame(graph, again);
        expect(planOf(again, { rate: false }).hash).toBe(plan.hash);
      }),
      { ...drawn, numRuns: drawsOf(family, 12) },
    );
  });
});

test.each([
  { name: "torus", n: 12 },
  { name: "od-equidyn", n: 9, basis: [1, 3] },
  { name: "ou-equidyn", n: 9, construction: "euclid" },
  { name: "one-peer-exp", n: 12 },
  { name: "base", n: 12, relabel: true, seed: 3 },
  { name: "random-matching", n: 9 },
  { name: "el-oracle", n: 9, s: 3 },
  { name: "el-local", n: 9 },
  { name: "matcha", n: 9, graph: "ring", budget: 1.5 },
  { name: "hierarchy", n: 9, groups: [4, 3, 2], between: "ou-equidyn" },
  { name: "complete", n: 5, lazy: true },
  { name: "ceca-2p", n: 9 },
])("the rate of a plan of $name is found again from the rule", (spec) => {
  const plan = planOf(createTopology(spec));
  expect(readPlan(plan).rate().rate).toBeCloseTo(plan.rate as number, 9);
});

test("a plan's period is exact where it is, and not where little is left of a disagreement", () => {
  const [exact, doubling] = [
    { name: "base", n: 12 },
    { name: "doubling", n: 1000 },
  ].map((spec) => readPlan(planOf(createTopology(spec), { rate: false })));
  expect([exact.exactAfter, exact.rate().periodNorm]).toEqual([createTopology({ name: "base", n: 12 }).exactAfter, 0]);
  expect([doubling.exactAfter, doubling.rate().periodNorm === 0]).toEqual([undefined, false]);
});

test("the hash is of the rounds: not of names, defaults written out, or how a file is written", () => {
  const { hash } = planOf(odEquiDyn({ n: 17 }));
  expect(planOf(odEquiDyn({ n: 17, basis: "full", eta: 17 / 32, seed: 0 })).hash).toBe(hash);
  expect(planOf(odEquiDyn({ n: 17, seed: 1 })).hash).not.toBe(hash);
  expect(planOf(odEquiDyn({ n: 18 })).hash).not.toBe(hash);
  // sha256 of the canonical JSON, by `printf '%s' '{"format":...}' | sha256sum`.
  const canonical =
    '{"format":"equitopo-plan","n":17,"rule":{"basis":"full","name":"shift","seed":0,"weight":0.5},"version":1}';
  expect(hash).toBe(sha256(new TextEncoder().encode(canonical)));
});

test("a static plan has no rate where nobody worked it out, none that has no end", () => {
  expect(planOf(ring({ n: 5 }), { rate: false })).toMatchObject({ rate: null, roundsTo1e6: null, period: 1 });
  const still = circulantTopology({ name: "still", n: 4 }, 1, [], [], circulantRate);
  expect(planOf(still)).toMatchObject({ rate: 1, roundsTo1e6: null });
});

describe("rounds of a plug-in that say nothing else", () => {
  const drawnOnce = odEquiDyn({ n: 6 });
  const { rule: _, ...own } = { ...drawnOnce, spec: { name: "mine", n: 6 } };
  const plan = planOf(own, { rounds: 3 });

  test("are written out, and end", () => {
    const again = readPlan(plan);
    expect(plan.rule).toMatchObject({ name: "rounds", rounds: [{}, {}, {}] });
    for (let t = 0; t < 3; t++) expect(again.peers(t, 4)).toEqual(own.peers(t, 4));
    expect(again.rate().rate).toBe(drawnOnce.rate().rate);
    expect(() => again.peers(3, 4)).toThrow(/has its 3 rounds written out, and no more, got 3; .*--written M/);
  });

  test("a period in another order each time is written out, too", () => {
    const { rule: _, ...shuffled } = createTopology({ name: "one-peer-exp", n: 8, order: "random" });
    expect(planOf(shuffled, { rounds: 5 }).rule).toMatchObject({ name: "rounds" });
  });
});

describe("as a graph of a file", () => {
  const text = JSON.stringify(planOf(createTopology({ name: "base", n: 5, relabel: true })));
  const bytes = new TextEncoder().encode(text);

  test("it is read, comes back from its spec, and gives the runs of its family", () => {
    const topology = createTopology({ name: "file", graph: readGraph(bytes) });
    expect(createTopology(JSON.parse(JSON.stringify(topology.spec))).peers(7, 2)).toEqual(topology.peers(7, 2));
    const run = (topology: object) => {
      const document = {
        topologies: [topology as { name: "ring"; n: number }],
        algorithms: [{ name: "dsgd", learningRate: 0.05 } as const],
        problem: { name: "least-squares", d: 3 } as const,
        rounds: 7,
      };
      return expandSpec(withGraphs(document, () => bytes)).map((one) => runSpec(one).stateHash);
    };
    expect(run({ name: "file", path: "graph.json" })).toEqual(run({ name: "base", n: 5, relabel: true }));
  });

  test("it has its weights", () => {
    const graph = readGraph(bytes);
    expect(() => createTopology({ name: "file", graph, weights: "metropolis" })).toThrow(/a plan has its weights/);
  });
});

const torus = JSON.parse(JSON.stringify(planOf(createTopology({ name: "torus", n: 9 }))));
const hashed = (plan: { n: number; rule: object }) => ({ ...plan, hash: planHash(plan.n, plan.rule as never) });

test.each<[string, unknown, RegExp]>([
  ["no JSON", "{", /a plan must be JSON .*; write it again: equitopo plan/],
  ["another format", { ...torus, format: "graph" }, /a plan must have format "equitopo-plan", got "graph"/],
  ["newer", { ...torus, version: 2 }, /the version of a plan must be 1, got 2; update equitopo/],
  ["no version", { ...torus, version: "1" }, /the version of a plan must be 1, got "1"; write it again/],
  ["another n", { ...torus, n: 10 }, /the hash of a plan must be that of its format, version, n and rule/],
  ["a changed rule", { ...torus, rule: { ...torus.rule, seed: 1 } }, /the hash of a plan must be/],
  ["no rule", { ...torus, rule: undefined }, /a plan must have a rule and a spec/],
  ["a rate in words", { ...torus, rate: "slow" }, /the rate of a plan must be a number, got "slow"/],
  ["an unknown rule", hashed({ ...torus, rule: { name: "chance" } }), /the rule of a plan must be table, shift/],
  ["an unknown round", hashed({ ...torus, rule: { name: "table", rounds: [{ kind: "x" }] } }), /round 0: the kind of/],
  ["no rounds", hashed({ ...torus, rule: { name: "table", rounds: [] } }), /the rounds of a table must be/],
  [
    "weights that do not sum to 1",
    hashed({ ...torus, n: 2, rule: { name: "table", rounds: [{ kind: "sparse", weights: [0.5], rows: [[0], [0]] }] } }),
    /every row and column of a weight matrix must sum to 1/,
  ],
  [
    "partners of nobody",
    hashed({
      ...torus,
      n: 3,
      rule: { name: "table", rounds: [{ kind: "matching", weight: 0.5, partner: [1, 2, 0] }] },
    }),
    /partners must be each other's/,
  ],
  [
    "labels of drawn rounds",
    hashed({
      ...torus,
      rule: { name: "labels", block: 1, seed: 0, stream: 9, of: { name: "push", s: 1, seed: 0 } },
    }),
    /labels are drawn anew after whole periods/,
  ],
  ...(
    [
      [
        { name: "pairs", basis: "full", construction: "euclid", weight: 7, seed: 0 },
        /weight must lie in \[0, 1\], got 7/,
      ],
      [
        { name: "pairs", basis: "full", construction: "any", weight: 0.5, seed: 0 },
        /construction must be one of greedy/,
      ],
      [{ name: "shift", basis: "all", weight: 0.5, seed: 0 }, /an index of the basis must be an integer from 1/],
      [{ name: "shift", basis: [], weight: 0.5, seed: 0 }, /a basis must have an index/],
      [{ name: "shift", basis: "full", weight: 0.5, seed: -1 }, /seed must be an integer of at least 0, got -1/],
      [{ name: "push", seed: 0 }, /s must be an integer from 1 to/],
      [{ name: "subset", alpha: 0.5, probabilities: [2], matchings: [[0, 1]], seed: 0 }, /a probability must lie in/],
      [
        { name: "subset", alpha: 0.5, probabilities: [], matchings: [[0, 1]], seed: 0 },
        /1 matchings must have as many/,
      ],
      [{ name: "subset", alpha: 0.5, probabilities: [1], matchings: [[0, 1, 1, 2]], seed: 0 }, /each at most once/],
      [{ name: "table" }, /the members of a rule must be those that plans have/],
      [{ name: "labels", block: 1, seed: 0, stream: 9 }, /the members of a rule must be/],
    ] as const
  ).map(([rule, message]) => [JSON.stringify(rule), hashed({ ...torus, rule }), message] as [string, unknown, RegExp]),
  [
    "two vectors that are not CECA's",
    hashed({
      ...torus,
      rule: { name: "pair", rounds: [], of: { name: "table", rounds: [{ kind: "mean", keep: 0 }] } },
    }),
    /must be those of CECA/,
  ],
])("refused: %s", (_, plan, message) => {
  expect(() => readPlan(typeof plan === "string" ? plan : JSON.stringify(plan))).toThrow(message);
});
