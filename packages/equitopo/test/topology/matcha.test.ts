/** MATCHA: golden values, the mean square against all subsets of matchings, and the matchings themselves. */

import { describe, expect, test } from "vitest";
import { type Dense, symmetricEigenvalues } from "../../src/testing/dense.ts";
import { complete } from "../../src/topology/complete.ts";
import { colourEdges, type Pair } from "../../src/topology/edge-colouring.ts";
import { erdosRenyi } from "../../src/topology/erdos-renyi.ts";
import { grid } from "../../src/topology/grid.ts";
import { matcha } from "../../src/topology/matcha.ts";
import { matchaWeights } from "../../src/topology/matcha-weights.ts";
import { randomRegular } from "../../src/topology/random-regular.ts";
import { createTopology } from "../../src/topology/registry.ts";
import { ring } from "../../src/topology/ring.ts";
import { star } from "../../src/topology/star.ts";
import type { Topology } from "../../src/topology/topology.ts";
import { torus } from "../../src/topology/torus.ts";

function edgesOf(graph: Topology): Pair[] {
  return Array.from({ length: graph.n }, (_, i) =>
    graph
      .peers(0, i)
      .from.filter(({ node }) => i < node)
      .map(({ node }): Pair => [i, node]),
  ).flat();
}

/** lambda_max of E[W^T Pi W] over every subset of the matchings. */
function meanSquare(n: number, edges: readonly Pair[], colours: Int32Array, p: Float64Array, alpha: number): number {
  const sum: Dense = new Float64Array(n * n);
  for (let subset = 0; subset < 2 ** p.length; subset++) {
    const active = Array.from(p, (_, j) => (subset >> j) & 1);
    const probability = active.reduce((product, on, j) => product * (on === 1 ? p[j] : 1 - p[j]), 1);
    const w = new Float64Array(n * n);
    for (let i = 0; i < n; i++) w[i * n + i] = 1;
    edges.forEach(([u, v], e) => {
      if (active[colours[e]] === 0) return;
      w[u * n + u] -= alpha;
      w[v * n + v] -= alpha;
      w[u * n + v] += alpha;
      w[v * n + u] += alpha;
    });
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        for (let k = 0; k < n; k++) sum[i * n + j] += probability * w[k * n + i] * w[k * n + j];
      }
    }
  }
  // W^T Pi W = W^T W - J for symmetric W whose rows sum to 1.
  return symmetricEigenvalues(
    sum.map((value) => value - 1 / n),
    n,
  )[n - 1];
}

const weightsOf = (graph: Topology, budget: number) => {
  const edges = edgesOf(graph);
  const colours = colourEdges(graph.n, edges);
  return { edges, colours, ...matchaWeights(graph.n, edges, colours, budget, 2) };
};

test.each([
  ["K_16, C = 1", complete({ n: 16 }), 1, 15 / 44, 7 / 11],
  ["5 x 5 torus, C = 1", torus({ n: 25 }), 1, 0.5329, 0.8527],
  ["5 x 5 torus, C = 2", torus({ n: 25 }), 2, 0.4304, 0.7037],
  ["8-ring, C = 1", ring({ n: 8 }), 1, 0.6074, 0.7839],
] as const)("golden: %s", (_, graph, budget, alpha, square) => {
  const topology = matcha({ graph, budget });
  expect(topology.rate().rate ** 2).toBeCloseTo(square, 4);
  const found = weightsOf(graph, budget);
  expect(found.alpha).toBeCloseTo(alpha, 4);
  expect(topology.rate().rate ** 2).toBeCloseTo(found.square, 14);
  expect(topology.signed).toBe(true);
});

test.each([
  ["ring", ring({ n: 8 }), 1],
  ["odd ring", ring({ n: 7 }), 1.5],
  ["torus", torus({ n: 9 }), 2],
  ["grid", grid({ n: 12 }), 1],
  ["star", star({ n: 5 }), 1],
] as const)("%s: the mean square is that over all subsets of matchings, and alpha is the best", (_, graph, budget) => {
  const { edges, colours, probabilities, alpha, square, error } = weightsOf(graph, budget);
  const exact = (step: number) => meanSquare(graph.n, edges, colours, probabilities, step);
  expect(Math.abs(square - exact(alpha))).toBeLessThan(1e-10);
  expect(error).toBeLessThan(1e-9);
  for (const step of [0.97 * alpha, 1.03 * alpha]) expect(exact(step)).toBeGreaterThan(square);
  expect(probabilities.reduce((sum, p) => sum + p, 0)).toBeCloseTo(Math.min(budget, probabilities.length), 9);
  for (const p of probabilities) expect(p >= 0 && p <= 1).toBe(true);
});

test("p leaves what all alike would do where edges differ: bridges come more often", () => {
  // Two triangles joined by one edge.
  const edges: Pair[] = [
    [0, 1],
    [1, 2],
    [0, 2],
    [3, 4],
    [4, 5],
    [3, 5],
    [2, 3],
  ];
  const colours = colourEdges(6, edges);
  const { probabilities, square } = matchaWeights(6, edges, colours, 1, 2);
  const bridge = probabilities[colours[6]];
  expect(bridge).toBeGreaterThan(1.2 / probabilities.length);
  expect(square).toBeLessThan(0.95);
});

test("nonnegative holds alpha at 1/degree", () => {
  const topology = matcha({ graph: torus({ n: 25 }), budget: 4, nonnegative: true });
  expect(topology.signed).toBeUndefined();
  for (let t = 0; t < 50; t++) for (let i = 0; i < 25; i++) expect(topology.peers(t, i).self).toBeGreaterThanOrEqual(0);
});

test("matchings come as often as the budget says", () => {
  const topology = matcha({ graph: ring({ n: 8 }), budget: 0.5 });
  let messages = 0;
  for (let t = 0; t < 4000; t++) messages += topology.peers(t, 3).from.length;
  // Two matchings, a quarter each: 2000, standard deviation 39.
  expect(Math.abs(messages - 2000)).toBeLessThan(200);
});

test("the base graph by name or spec; directed and changing ones are refused", () => {
  const spec = { name: "matcha", n: 12, graph: { name: "torus", rows: 3 } };
  expect(createTopology(spec).spec).toMatchObject(spec);
  expect(createTopology({ name: "matcha", n: 12 }).spec["graph"]).toBe("torus");
  const written = matcha({ graph: torus({ n: 12, rows: 3 }) }).spec;
  expect(written["graph"]).toEqual({ name: "torus", rows: 3, cols: 4 });
  expect(createTopology(written).round(5)).toEqual(createTopology(spec).round(5));
  expect(() => createTopology({ name: "matcha", n: 12, graph: "static-exp" })).toThrow("static and undirected");
  expect(() => createTopology({ name: "matcha", n: 12, graph: "ou-equidyn" })).toThrow("static and undirected");
  expect(() => createTopology({ name: "matcha" as string, n: 12, graph: 3 })).toThrow("name or spec");
  expect(() => createTopology({ name: "matcha", n: 4000 })).toThrow("2048");
});

describe("edge colouring", () => {
  test.each([
    ["ring of 8", ring({ n: 8 }), 2],
    ["ring of 9", ring({ n: 9 }), 3],
    ["K_16", complete({ n: 16 }), 15],
    ["K_9", complete({ n: 9 }), 9],
    ["grid", grid({ n: 30 }), 4],
    ["5 x 5 torus", torus({ n: 25 }), 5],
    ["star", star({ n: 7 }), 6],
    ["Petersen-like random 3-regular", randomRegular({ n: 20, d: 3 }), 3],
    ["Erdos-Renyi", erdosRenyi({ n: 60, seed: 3 }), erdosRenyi({ n: 60, seed: 3 }).maxDegree],
  ] as const)("%s: proper, balanced, in %4$d colours", (_, graph, count) => {
    const edges = edgesOf(graph);
    const colours = colourEdges(graph.n, edges);
    const sizes = new Map<number, number>();
    const seen = new Set<number>();
    edges.forEach((edge, e) => {
      for (const node of edge) {
        expect(seen.has(node * 1000 + colours[e])).toBe(false);
        seen.add(node * 1000 + colours[e]);
      }
      sizes.set(colours[e], (sizes.get(colours[e]) ?? 0) + 1);
    });
    expect(sizes.size).toBe(count);
    expect(Math.max(...sizes.values()) - Math.min(...sizes.values())).toBeLessThanOrEqual(1);
  });

  test("a graph that needs one more than its degree: Petersen's, in 4", () => {
    const outer = [0, 1, 2, 3, 4].map((i): Pair => [i, (i + 1) % 5]);
    const spokes = [0, 1, 2, 3, 4].map((i): Pair => [i, i + 5]);
    const inner = [0, 1, 2, 3, 4].map((i): Pair => [i + 5, ((i + 2) % 5) + 5]);
    const edges = [...outer, ...spokes, ...inner];
    const colours = colourEdges(10, edges);
    expect(new Set(colours).size).toBe(4);
    const used = new Set(edges.flatMap((edge, e) => edge.map((node) => node * 10 + colours[e])));
    expect(used.size).toBe(30);
  });
});
