/** Random matchings, EL-Oracle, EL-Local and random groups: golden mean squares, and what is measured of them. */

import { expect, test } from "vitest";
import { fillNormal } from "../../src/random/normal.ts";
import { applyRound } from "../../src/round/apply.ts";
import { gossip } from "../../src/run/gossip.ts";
import { refuses } from "../../src/testing/law.ts";
import { createTopology } from "../../src/topology/registry.ts";
import type { TopologySpec } from "../../src/topology/topology.ts";

/** Mean squares at n = 300, from their closed forms to five digits. */
const golden: [TopologySpec, number][] = [
  [{ name: "random-matching", n: 300 }, 0.49833],
  [{ name: "el-oracle", n: 300, s: 1 }, 0.49833],
  [{ name: "el-oracle", n: 300, s: 4 }, 0.19732],
  [{ name: "el-oracle", n: 300, s: 9 }, 0.09699],
  [{ name: "el-local", n: 300, s: 1 }, 0.63062],
  [{ name: "random-groups", n: 256, size: 16 }, 15 / 255],
];

test.each(golden)("%j has the mean square %d, and that is what is measured", (spec, square) => {
  const topology = createTopology(spec);
  expect(topology.rate().rate ** 2).toBeCloseTo(square, 5);
  measured(spec, topology.rate().rate ** 2, 150);
});

/** E |W x|^2 / |x|^2 for one x of sum 0, within four standard errors. */
function measured(spec: TopologySpec, square: number, draws: number): void {
  const topology = createTopology(spec);
  const { n } = topology;
  const x = fillNormal(new Float64Array(n), 3, 1000, 0);
  const mean = x.reduce((sum, value) => sum + value / n, 0);
  for (let i = 0; i < n; i++) x[i] -= mean;
  const shares = Array.from({ length: draws }, (_, t) => {
    const y = applyRound(topology.round(t), x, new Float64Array(n));
    return y.reduce((sum, value) => sum + value * value, 0) / x.reduce((sum, value) => sum + value * value, 0);
  });
  const average = shares.reduce((sum, share) => sum + share / draws, 0);
  const spread = shares.reduce((sum, share) => sum + (share - average) ** 2 / draws, 0);
  expect(Math.abs(average - square), JSON.stringify(spec)).toBeLessThan(4 * Math.sqrt(spread / draws) + 1e-12);
}

test("small and odd n, where a biased permutation or the odd node out would show", () => {
  for (let n = 3; n <= 9; n++) {
    for (const spec of [
      { name: "random-matching", n },
      { name: "el-local", n },
      { name: "el-oracle", n, s: 2 },
    ]) {
      measured(spec, createTopology(spec).rate().rate ** 2, 3000);
    }
  }
  expect(createTopology({ name: "random-matching", n: 9 }).rate().rate ** 2).toBeCloseTo(1 / 2, 12);
});

test("each pair of a random matching comes equally often", () => {
  const n = 8;
  const counts = new Float64Array(n * n);
  const topology = createTopology({ name: "random-matching", n, seed: 5 });
  const draws = 7000;
  for (let t = 0; t < draws; t++) counts[topology.peers(t, 3).from[0].node]++;
  for (let j = 0; j < n; j++) {
    const expected = j === 3 ? 0 : draws / 7;
    expect(Math.abs(counts[j] - expected), `3 and ${j}`).toBeLessThan(j === 3 ? 1 : 5 * Math.sqrt(expected));
  }
});

test("EL-Local's mean drifts: medians of 21 runs, as a share of the nodes' distance from it", () => {
  const median = (n: number, s: number) => {
    const shifts = Array.from({ length: 21 }, (_, seed) => {
      const x0 = fillNormal(new Float64Array(n), seed, 1000, 1);
      const before = x0.reduce((sum, value) => sum + value / n, 0);
      const distance = Math.sqrt(x0.reduce((sum, value) => sum + (value - before) ** 2 / n, 0));
      const { x } = gossip(createTopology({ name: "el-local", n, s, seed }), { d: 1, rounds: 40, x0 });
      return Math.abs(Array.from(x).reduce((sum, value) => sum + value / n, 0) - before) / distance;
    });
    return shifts.sort((a, b) => a - b)[10];
  };
  // A median of 21 absolute normals scatters by about a quarter.
  for (const [n, s, drift] of [
    [25, 1, 0.088],
    [300, 1, 0.025],
    [300, 4, 0.012],
  ]) {
    const ratio = median(n, s) / drift;
    expect(ratio, `n = ${n}, s = ${s}`).toBeGreaterThan(0.5);
    expect(ratio, `n = ${n}, s = ${s}`).toBeLessThan(1.7);
  }
});

test("EL-Local with everybody pushing to everybody is the complete graph, and doubly stochastic", () => {
  const graph = createTopology({ name: "el-local", n: 6, s: 5 });
  expect(graph.stochastic).toBe(undefined);
  expect(graph.rate().rate).toBe(0);
  expect(createTopology({ name: "el-local", n: 6, s: 4 }).stochastic).toBe("rows");
});

test("random groups say which sizes and which n would do", () => {
  const build = (n: number, size: number) => () => createTopology({ name: "random-groups", n, size });
  refuses(build(300, 16), /must divide n = 300, got 16; try size = 15 or 20, or n = 288 or 304/, "16 of 300");
  refuses(build(7, 3), /try size = 7, or n = 6 or 9/, "3 of 7");
  refuses(build(4, 9), /try size = 4, or n = 9/, "9 of 4");
});

test("no two families draw the same labels from one seed by accident of a stream", () => {
  const partner = (name: string) => createTopology({ name, n: 64, seed: 1 }).peers(0, 9).from[0].node;
  const first = createTopology({ name: "ring", n: 64, relabel: true, seed: 1 })
    .peers(0, 9)
    .from.map(({ node }) => node);
  expect(first).not.toContain(partner("random-matching"));
});
