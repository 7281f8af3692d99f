/** What rules of local steps have to do with each other, their clocks, and what they refuse. oracle.test.ts has their equations. */

import { expect, test } from "vitest";
import { type AlgorithmSpec, algorithm, createAlgorithm } from "../../src/algorithm/registry.ts";
import { createWorld } from "../../src/algorithm/world.ts";
import { comeBack } from "../../src/peer/course/one-run.ts";
import type { Rows } from "../../src/round/round.ts";
import { simulate } from "../../src/run/simulate.ts";
import { expandSpec } from "../../src/run/spec.ts";
import { gap } from "../../src/testing/network.ts";
import { quadratic } from "../../src/testing/quadratic.ts";
import { complete } from "../../src/topology/complete.ts";
import { createTopology } from "../../src/topology/registry.ts";
import type { TopologySpec } from "../../src/topology/topology.ts";

const n = 9;
const d = 4;
const problem = quadratic({ n, d, sigma: 0.3, start: Float64Array.of(1, -2, 3, 0.5) });
const sgd = { name: "sgd" };

const models = (spec: AlgorithmSpec, graph: TopologySpec = { name: "ou-equidyn", n }, updates = 40): Rows =>
  simulate({
    topology: createTopology(graph),
    algorithm: createAlgorithm({ learningRate: 0.02, ...spec }),
    problem: graph.n === n ? problem : quadratic({ n: graph.n, d, sigma: 0.3, start: problem.start as Float64Array }),
    updates,
    seed: 2,
  }).x;

test("DiLoCo is gossip DiLoCo with mixed momentum over the complete graph, to rounding", () => {
  const common = { steps: 4, outerRate: 0.6, outerMomentum: 0.8 };
  const gossip = (mixMomentum: boolean, name = "complete") =>
    models({ name: "gossip-diloco", ...common, mixMomentum }, { name, n });
  const diloco = models({ name: "diloco", ...common });
  expect(gap(diloco, gossip(true))).toBeLessThan(1e-12);
  expect(gap(problem.start as Float64Array, diloco)).toBeGreaterThan(0.1);
  // A rule is linear: where models agree after every outer step, own momenta have the mean that mixed ones have.
  expect(gap(diloco, gossip(false))).toBeLessThan(1e-12);
  expect(gap(gossip(true, "ring"), gossip(false, "ring"))).toBeGreaterThan(1e-3);
});

test("NoLoCo as released is SlowMo over pairs, to the bit; as published it is so where its pull is the outer rate", () => {
  const common = { steps: 3, outerRate: 0.7, outerMomentum: 0.5 };
  const pairs = { name: "random-matching", n, seed: 4 };
  const slowmo = models({ name: "slowmo", by: "topology", ...common }, pairs);
  expect(models({ name: "noloco", form: "released", ...common }, pairs)).toEqual(slowmo);
  expect(models({ name: "noloco", pull: 0.7, ...common }, pairs)).toEqual(slowmo);
  // With a pull next to it two vectors are sent, and the models are next to these.
  const beside = gap(models({ name: "noloco", pull: 0.7 + 1e-9, ...common }, pairs), slowmo);
  expect(beside).toBeGreaterThan(0);
  expect(beside).toBeLessThan(1e-7);
  expect(createAlgorithm({ name: "noloco", steps: 3, pull: 0.2 }).sends.vectors).toBe(2 / 3);
  expect(createAlgorithm({ name: "noloco", steps: 3 }).sends.vectors).toBe(1 / 3);
});

test("SlowMo's published form is the heavy ball at a constant inner rate only", () => {
  const form = (form: string, learningRate: AlgorithmSpec["learningRate"]) =>
    models({ name: "slowmo", steps: 3, inner: sgd, form, ...(learningRate === undefined ? {} : { learningRate }) });
  expect(gap(form("published", 0.02), form("heavy-ball", 0.02))).toBeLessThan(1e-12);
  const falling = { name: "cosine", rate: 0.03, rounds: 40 };
  expect(gap(form("published", falling), form("heavy-ball", falling))).toBeGreaterThan(1e-3);
});

test("mix-first GASLoC is DiLoCo over the complete graph; as transcribed its nodes keep apart", () => {
  const common = { steps: 4, outerRate: 0.6, outerMomentum: 0.5 };
  const diloco = models({ name: "diloco", ...common });
  const gasloc = (form: string) => models({ name: "gasloc", form, ...common }, { name: "complete", n });
  expect(gap(gasloc("mix-first"), diloco)).toBeLessThan(1e-12);
  const apart = gasloc("transcribed");
  expect(gap(apart.subarray(0, d), apart.subarray(d, 2 * d))).toBeGreaterThan(1e-3);
});

test("outer step k goes through rounds R k to R k + R - 1, and nothing is sent in between", () => {
  const topology = createTopology({ name: "ou-equidyn", n });
  const asked: number[] = [];
  const watched = {
    ...topology,
    round(t: number) {
      asked.push(t);
      return topology.round(t);
    },
  };
  const spec = { name: "gossip-diloco", steps: 4, rounds: 3 };
  const run = simulate({ topology: watched, algorithm: createAlgorithm(spec), problem, updates: 11, every: 1 });
  expect(asked.slice(-6)).toEqual([0, 1, 2, 3, 4, 5]);
  const sent = 3 * 8 * d;
  expect(run.bytes).toEqual([0, 0, 0, 0, sent, sent, sent, sent, 2 * sent, 2 * sent, 2 * sent, 2 * sent]);
  expect(run.updates).toEqual(Array.from({ length: 12 }, (_, t) => t));
});

test("CECA is an exact mean where rounds are whole periods, and refused in words elsewhere", () => {
  const ceca = { name: "ceca-2p", n: 10 };
  for (const name of ["local-adamw", "gossip-diloco", "noloco", "slowmo", "gasloc"]) {
    const spec = { name, steps: 5, ...(name === "slowmo" ? { by: "topology" } : {}) };
    const exact = models(spec, { name: "complete", n: 10 });
    expect(gap(models({ ...spec, rounds: 4 }, ceca), exact), name).toBeLessThan(1e-11);
    expect(gap(models({ ...spec, rounds: 8 }, ceca), exact), name).toBeLessThan(1e-11);
    for (const rounds of [1, 2, 6]) {
      expect(() => models({ ...spec, rounds }, ceca), name).toThrow(/multiple of the period, 4, and is/);
    }
  }
  // Means do not go through it.
  expect(() => models({ name: "diloco", steps: 5 }, ceca)).not.toThrow();
  expect(() => models({ name: "slowmo", steps: 5 }, ceca)).not.toThrow();
});

test("a single node is a control: W is 1, and every rule runs there and alike over W and the mean", () => {
  const alone = { name: "complete", n: 1 } as const;
  expect(complete({ n: 1 }).peers(0, 0)).toEqual({ self: 1, from: [], to: [] });
  expect(complete({ n: 1, lazy: true }).rate().rate).toBe(0);
  expect(() => createTopology({ name: "ring", n: 1 })).toThrow("n must be an integer of at least 2, got 1");
  const common = { steps: 4, outerRate: 0.6, outerMomentum: 0.5 };
  const diloco = models({ name: "diloco", ...common }, alone);
  expect(models({ name: "gossip-diloco", ...common }, alone)).toEqual(diloco);
  expect(gap(models({ name: "gasloc", ...common }, alone), diloco)).toBeLessThan(1e-12);
  const slowmo = models({ name: "slowmo", ...common }, alone);
  expect(models({ name: "noloco", ...common }, alone)).toEqual(slowmo);
  expect(gap(slowmo, diloco)).toBeGreaterThan(1e-3);
  const document = {
    topologies: [alone],
    algorithms: [{ name: "diloco" }],
    problem: { name: "least-squares" },
    rounds: 2,
  } as const;
  expect(expandSpec(document)).toHaveLength(1);
});

test("centralised with an inner optimiser: all nodes make one step of the mean gradient", () => {
  const x = models({ name: "centralised", inner: { name: "adamw" } });
  for (let i = 1; i < n; i++) expect(x.subarray(i * d, (i + 1) * d)).toEqual(x.subarray(0, d));
  const both = () => createAlgorithm({ name: "centralised", momentum: 0.9, inner: sgd });
  expect(both).toThrow(/its own momentum, or an inner optimiser, got "both, momentum 0.9"; try inner/);
});

test("a peer that was away goes on from its own anchor, momentum and moments", () => {
  const sending = { late: true, compress: { name: "quantise", bits: 8 } };
  for (const name of ["gossip-diloco", "noloco", "gasloc", "local-adamw"]) {
    const optimiser = createAlgorithm({ name, steps: 4, learningRate: 0.02, ...sending });
    const topology = createTopology({ name: "ring", n });
    const { learningRate } = optimiser;
    const world = () =>
      createWorld({ topology, problem, learningRate, seed: 1, rows: (w) => new Float64Array(w), first: 2, count: 1 });
    const running = optimiser.start(world());
    // Six updates: one outer step, alone, and two inner steps on the way to the next.
    for (let t = 0; t < 6; t++) {
      const iteration = running.iterate(t);
      for (let step = iteration.next(); !step.done; ) step = iteration.next(step.value.vectors);
    }
    const saved = Object.fromEntries(Object.entries(running.state).map(([key, rows]) => [key, rows.slice()]));
    const back = comeBack(optimiser, world(), saved as typeof running.state);
    expect(back.state, name).toEqual(saved);
    expect(Object.keys(saved).sort(), name).toEqual(["x", ...Object.keys(algorithm(name).states)].sort());
  }
});

test("options that say nothing, or two things, are refused with a remedy", () => {
  const refused = (spec: AlgorithmSpec) => () => createAlgorithm(spec);
  expect(refused({ name: "noloco", form: "released", pull: 0.3 })).toThrow(
    "noloco's pull is its outer rate in the released form, 0.7, got 0.3; leave it out, or choose the form published",
  );
  expect(refused({ name: "diloco", rounds: 2 })).toThrow(/rounds must be an integer from 1 to 1/);
  expect(refused({ name: "slowmo", rounds: 2 })).toThrow(/slowmo's rounds must be 1.*got 2; .*by: topology/);
  expect(refused({ name: "diloco", inner: { name: "adam" } })).toThrow(/did you mean adamw\?/);
  expect(refused({ name: "diloco", inner: { name: "adamw", beta1: 1 } })).toThrow(/beta1 must lie in \[0, 1\), got 1/);
  expect(refused({ name: "diloco", inner: { name: "sgd", momentum: 0.9 } })).toThrow(/takes the options clip/);
  expect(refused({ name: "diloco", inner: 3 })).toThrow(/one of sgd, momentum, adamw/);
  expect(refused({ name: "local-adamw", outerRate: 0.7 })).toThrow(/takes the options/);
});

test("AdamW decays what the problem calls matrices, and clips a node's gradient by its norm", () => {
  const pulled = { ...quadratic({ n, d, sigma: 0 }), matrices: [[1, 3]] as const, start: Float64Array.of(1, 1, 1, 1) };
  const still = { ...pulled, gradient: (_x: Rows, _t: number, out: Rows) => void out.fill(0) };
  const run = (weightDecay: number) =>
    simulate({
      ...{ topology: complete({ n }), problem: still, updates: 1 },
      algorithm: createAlgorithm({ name: "local-adamw", learningRate: 0.1, inner: { name: "adamw", weightDecay } }),
    }).x.subarray(0, d);
  expect([...run(0.5)]).toEqual([1, 0.95, 0.95, 1]);
  expect([...run(0)]).toEqual([1, 1, 1, 1]);
  const long = { ...pulled, gradient: (_x: Rows, _t: number, out: Rows) => void out.set([3, 0, 4, 0, 0.3, 0, 0.4, 0]) };
  const clipped = simulate({
    ...{ topology: complete({ n: 2 }), problem: { ...long, n: 2 }, updates: 1 },
    algorithm: createAlgorithm({ name: "local-adamw", learningRate: 1, inner: { name: "sgd", clip: 1 } }),
  }).x;
  expect(gap(clipped, [0.4, 1, 0.2, 1, 0.7, 1, 0.6, 1])).toBeLessThan(1e-15);
});
