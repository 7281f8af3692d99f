/** Outer rules by sampling and by following them, beside what is exact. */

import { expect, test } from "vitest";
import { centre, dot } from "../../src/number/vectors.ts";
import { fillNormal } from "../../src/random/normal.ts";
import { outerStability } from "../../src/rate/outer.ts";
import { driven, type OuterModel } from "../../src/rate/outer-model.ts";
import { advanced } from "../../src/rate/recursion.ts";
import { createTopology } from "../../src/topology/registry.ts";
import { relabelled } from "../../src/topology/relabel.ts";
import type { Topology } from "../../src/topology/topology.ts";
import { gasloc, gaslocMixFirst, gossipDiloco, noloco } from "./outer-rules.ts";

const graph = (name: string, n: number, options: object = {}) => createTopology({ name, n, ...options });

test("the cells that 1,500 rounds miss lie within the spread of such runs", () => {
  const ring = graph("ring", 64);
  const cells: [Topology, OuterModel, number][] = [
    [graph("base", 64, { k: 1 }), gasloc(0.7, 0.5, 1), 2.18],
    [ring, gossipDiloco(0.7, 0.9), 2.48],
    [ring, gossipDiloco(0.7, 0.9, true), 2.22],
  ];
  for (const [topology, model, printed] of cells) {
    const { factor, disagreement } = outerStability(topology, model);
    expect(factor).toBeGreaterThan(0.99);
    expect(disagreement / printed).toBeLessThan(1.1);
    const runs = Array.from({ length: 10 }, (_, seed) => followed(topology, model, 1500, 8, seed));
    expect(Math.min(...runs), topology.name).toBeLessThan(printed);
    expect(Math.max(...runs), topology.name).toBeGreaterThan(printed);
  }
  const { factor, disagreement } = outerStability(graph("od-equidyn", 64), gaslocMixFirst(0.7, 0.9));
  expect(factor.toFixed(2)).toBe("1.06");
  expect(disagreement).toBe(Infinity);
});

test("what a rule settles at is what it is seen to", () => {
  for (const [topology, model] of [
    [graph("ou-equidyn", 15), noloco(0.5, 0.7, 0.7)],
    [graph("base", 12, { k: 2 }), gossipDiloco(0.7, 0.9)],
    [graph("static-exp", 16), gasloc(0.7, 0.4, 1)],
    [relabelled(graph("one-peer-exp", 12)), noloco(0.4, 0.7, 0.6)],
  ] as [Topology, OuterModel][]) {
    const seen = followed(topology, model, 6000, 16, 0);
    expect(seen / outerStability(topology, model).disagreement, topology.name).toBeCloseTo(1, 1.5);
  }
});

/** The disagreement over so many outer steps from agreement on, of some columns. */
function followed(topology: Topology, model: OuterModel, steps: number, columns: number, seed: number): number {
  const { n } = topology;
  const recursion = driven(model);
  let state: Float64Array[] = Array.from({ length: recursion.vectors }, () => new Float64Array(n * columns));
  let square = 0;
  for (let t = 0; t < steps; t++) {
    fillNormal(state[recursion.vectors - 1], seed, 1, t);
    state = advanced(recursion, topology.round(t), state);
    const apart = state[0].slice();
    centre(apart, columns);
    square += dot(apart, apart) / (n * columns * steps);
  }
  return Math.sqrt(square) / model.speed;
}

/** The same rounds, of which nothing is known. */
const bare = (topology: Topology): Topology => {
  const { draws: _d, turned: _t, moments: _m, labelled: _l, ...rest } = topology;
  return rest;
};

test.each([
  ["one random shift", graph("od-equidyn", 24, { basis: [1, 5, 7] })],
  ["all directions alike", graph("random-matching", 20)],
  ["turned pairs", graph("ou-equidyn", 15)],
  ["relabelled circulants", relabelled(graph("one-peer-exp", 12))],
  ["relabelled pairs", relabelled(graph("base", 10, { k: 1 }))],
] as const)("exact lies within the error of sampled: %s", (_, topology) => {
  for (const rounds of [1, 3]) {
    const model = { ...noloco(0.5, 0.7, 0.6), rounds };
    const exact = outerStability(topology, model);
    const sampled = outerStability(bare(topology), model);
    expect([exact.method, sampled.method]).toEqual(["exact", "sampled"]);
    const { factor, disagreement } = sampled.error!;
    expect(Math.abs(exact.factor - sampled.factor), `${rounds} rounds`).toBeLessThan(1.5 * factor + 1e-6);
    expect(Math.abs(exact.disagreement - sampled.disagreement), `${rounds} rounds`).toBeLessThan(1.5 * disagreement);
  }
});
