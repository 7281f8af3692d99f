/** Rules of local steps are judged before the first round: by their options, over each topology. */

import { describe, expect, test } from "vitest";
import { defineAlgorithm } from "../../src/algorithm/algorithm.ts";
import { doublyStochastic } from "../../src/algorithm/condition.ts";
import { dsgd } from "../../src/algorithm/dsgd.ts";
import { createAlgorithm } from "../../src/algorithm/registry.ts";
import { number, share, whole } from "../../src/input/option.ts";
import { fillNormal } from "../../src/random/normal.ts";
import { driven } from "../../src/rate/outer-model.ts";
import { advancedOver } from "../../src/rate/recursion.ts";
import { trajectory } from "../../src/testing/network.ts";
import { createTopology } from "../../src/topology/registry.ts";
import { gossipDiloco, noloco } from "../rate/outer-rules.ts";

const { start } = dsgd;

/** Only what a condition sees of NoLoCo. */
const judged = defineAlgorithm({
  name: "judged",
  summary: "a model",
  update: "none",
  options: {
    outerMomentum: share(0.9),
    outerRate: number(0.7),
    pull: number(0.7),
    rounds: whole(1, 1),
  },
  outer: ({ outerMomentum, outerRate, pull, rounds }) => ({ ...noloco(outerMomentum, outerRate, pull), rounds }),
  start: (world, _options, saved) => start(world, { order: "adapt-then-combine" }, saved),
});

const onePeer = ["one-peer-exp", "od-equidyn", "ou-equidyn", "random-matching", "base"];
const graph = (name: string, n = 64) => createTopology({ name, n, ...(name === "base" ? { k: 1 } : {}) });
const refusal = (name: string, given: object, n = 64) =>
  judged.condition.unfit(graph(name, n), { outerMomentum: 0.9, outerRate: 0.7, pull: 0.7, rounds: 1, ...given });

describe("NoLoCo's options", () => {
  test.each([...onePeer, "static-exp"])("0.9 / 0.7 / 0.7 is refused over %s, with the largest stable pull", (name) => {
    const reason = refusal(name, {});
    expect(reason).toMatch(/its W\(t\) make disagreement grow, by 1\.\d+ an outer step/);
    const [, pull] = reason!.match(/stable with pull up to ([\d.]+)/) ?? [];
    expect(refusal(name, { pull: Number(pull) })).toBeUndefined();
    expect(refusal(name, { pull: Number(pull) + 0.02 })).toBeDefined();
    const [, momentum] = reason!.match(/outerMomentum up to ([\d.]+)/) ?? [];
    expect(refusal(name, { outerMomentum: Number(momentum) })).toBeUndefined();
    expect(refusal(name, { outerMomentum: Number(momentum) + 0.02 })).toBeDefined();
  });

  test("0.9 / 0.7 / 0.2 is refused over one-peer-exp and static-exp, and no larger ones are named", () => {
    for (const name of ["one-peer-exp", "static-exp"])
      expect(refusal(name, { pull: 0.2 })).toMatch(/pull up to 0\.[01]/);
  });

  test("0.9 / 0.7 / 0.7 is accepted over the ring, and 0.9 / 0.7 / 0.2 over OD-EquiDyn", () => {
    expect(refusal("ring", {})).toBeUndefined();
    expect(refusal("od-equidyn", { pull: 0.2 })).toBeUndefined();
  });

  test("more rounds an outer step may be worse or better, but a whole exact period is stable", () => {
    expect(refusal("base", { rounds: 6 })).toBeUndefined();
  });
});

test("CECA is accepted where an outer step goes through all of its rounds", () => {
  const ceca = createTopology({ name: "ceca-1p", n: 12 });
  const rounds = ceca.period!;
  const options = { outerMomentum: 0.9, outerRate: 0.7, pull: 0.7 };
  expect(judged.condition.unfit(ceca, { ...options, rounds })).toBeUndefined();
  expect(judged.condition.unfit(ceca, { ...options, rounds: rounds + 1 })).toContain(
    `a multiple of the period, ${rounds}`,
  );
});

test("what mixes outside the momentum is never refused; without options only the sums are looked at", () => {
  const outside = defineAlgorithm({
    ...{ name: "outside", summary: "a model", update: "none", outer: () => gossipDiloco(0.7, 0.99) },
    start: (world, _options, saved) => start(world, { order: "adapt-then-combine" }, saved),
  });
  for (const name of onePeer) {
    expect(outside.condition.unfit(graph(name, 16), {})).toBeUndefined();
    expect(judged.condition.unfit(graph(name, 16))).toBeUndefined();
  }
  const rows = createTopology({ name: "el-local", n: 16 });
  expect(outside.condition.unfit(rows, {})).toContain("row-stochastic only");
  expect(dsgd.condition).toBe(doublyStochastic);
});

describe("an algorithm does what its model says", () => {
  const inner = { steps: 1, inner: { name: "sgd" } };
  test.each([
    { name: "local-adamw" },
    { name: "local-adamw", rounds: 2 },
    { name: "diloco", outerRate: 0.6, outerMomentum: 0.4 },
    { name: "gossip-diloco", outerRate: 0.6, outerMomentum: 0.8 },
    { name: "gossip-diloco", outerRate: 0.6, outerMomentum: 0.8, mixMomentum: true, rounds: 3 },
    { name: "noloco", pull: 0.3, outerMomentum: 0.4 },
    { name: "noloco", form: "released", rounds: 2 },
    { name: "slowmo", by: "topology", outerRate: 0.8 },
    { name: "slowmo" },
    { name: "gasloc", pull: 0.4, outerMomentum: 0.6 },
    { name: "gasloc", form: "mix-first", pull: 0.7, rounds: 2 },
  ])("$name $form $rounds", (spec) => {
    const [n, d, updates] = [7, 2, 12];
    const topology = createTopology({ name: "od-equidyn", n });
    const optimiser = createAlgorithm({ ...inner, ...spec, learningRate: 1 });
    const drift = (t: number) => fillNormal(new Float64Array(n * d), 3, 1, t);
    const problem = {
      ...{ name: "given", n, d, metrics: () => ({}) },
      gradient: (_x: unknown, t: number, out: { set(values: ArrayLike<number>): void }) =>
        out.set(drift(t).map((v) => -v)),
    };
    const x0 = new Float64Array(n * d);
    const rows = trajectory({ optimiser, topology, problem, x0 }, updates);

    const model = optimiser.algorithm.outer!(optimiser.spec);
    const { rounds, mean } = model;
    let state: Float64Array[] = Array.from({ length: model.vectors + 1 }, () => new Float64Array(n * d));
    for (let t = 0; t < updates; t++) {
      state[model.vectors] = drift(t);
      const average = { kind: "mean", n, keep: 0 } as const;
      const passed = Array.from({ length: rounds }, (_, hop) => (mean ? average : topology.round(t * rounds + hop)));
      state = advancedOver(driven(model), passed, state);
      const off = state[0].reduce((most, value, k) => Math.max(most, Math.abs(value - rows[t][k])), 0);
      expect(off, `update ${t}`).toBeLessThan(1e-12);
    }
  });
});
