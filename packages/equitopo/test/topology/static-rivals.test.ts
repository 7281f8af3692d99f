/**
 * Static rivals against known figures, which were computed from dense eigenvalues in double precision, and against what
 * their constructions promise.
 */

import { describe, expect, test } from "vitest";
import { grid, ring, star } from "../../src/index.ts";
import { isPrime, isSquareModulo } from "../../src/number/factors.ts";
import { powMod } from "../../src/number/integers.ts";
import { denseMatrix } from "../../src/round/round.ts";
import { symmetricEigenvalues } from "../../src/testing/dense.ts";
import { topologyChecks } from "../../src/testing/topology.ts";
import { dCliques, dealByLabel } from "../../src/topology/d-cliques.ts";
import { lps, margulis, paley, randomPermutations, randomRegular } from "../../src/topology/index.ts";
import { projectiveGroup } from "../../src/topology/lps.ts";
import { createTopology } from "../../src/topology/registry.ts";
import type { Topology } from "../../src/topology/topology.ts";

const neighbours = (topology: Topology, i: number) => topology.peers(0, i).from.map(({ node }) => node);

describe("Paley", () => {
  test.each([
    [17, 0.284617],
    [25, 3 / 13],
    [49, 0.16],
    [101, 0.108332],
  ])("n = %d has rate %d, and 1/sqrt n with the best constant weight", (n, rate) => {
    expect(paley({ n }).rate().rate).toBeCloseTo(rate, 6);
    expect(paley({ n, weights: "best-constant" }).rate().rate).toBeCloseTo(1 / Math.sqrt(n), 12);
    expect(paley({ n }).maxDegree).toBe((n - 1) / 2);
  });

  test("two neighbours have (q - 5)/4 neighbours in common, in the field of 49 elements too", () => {
    for (const n of [13, 25, 49]) {
      const around = neighbours(paley({ n }), 3);
      const common = neighbours(paley({ n }), around[2]).filter((j) => around.includes(j));
      expect(common.length).toBe((n - 5) / 4);
    }
  });

  test("refuses what is no such order, naming the nearest that are", () => {
    expect(() => paley({ n: 19 })).toThrow("try n = 17 or 25");
    expect(() => paley({ n: 4 })).toThrow("try n = 5");
    expect(() => paley({ n: 81 })).toThrow("try n = 73 or 89");
  });
});

describe("Margulis", () => {
  test.each([
    [25, 0.66567],
    [100, 0.73669],
    [4900, 0.80884],
  ])("n = %d has rate %d", (n, rate) => {
    expect(margulis({ n }).rate().rate).toBeCloseTo(rate, 5);
  });

  test("every m keeps below 5 sqrt(2)/8, and the degree is 8 where there is room", () => {
    for (let m = 2; m <= 20; m++) expect(margulis({ n: m * m }).rate().rate).toBeLessThan(0.8839);
    expect(margulis({ n: 10_000 }).maxDegree).toBe(8);
    expect(margulis({ n: 4 }).maxDegree).toBe(2);
    expect(() => margulis({ n: 30 })).toThrow("try n = 25 or 36");
  });
});

describe("LPS", () => {
  test("(17, 13): 1092 nodes of degree 18; (5, 13): 2184 of degree 6, bipartite", () => {
    expect(lps({ n: 1092, p: 17, q: 13 }).rate().rate).toBeCloseTo(0.417274, 6);
    const bipartite = lps({ n: 2184, p: 5, q: 13 });
    expect(bipartite.rate().rate).toBeCloseTo(0.74996, 6);
    expect(bipartite.maxDegree).toBe(6);
    // A/d has the eigenvalue -1, so (I + A)/7 has (1 - 6)/7.
    expect(bipartite.rate().eigenvalues?.smallest).toBeCloseTo(-5 / 7, 12);
  });

  test("keeps every law", () => {
    for (const law of Object.values(topologyChecks)) law(lps({ n: 1092 }), createTopology);
  });

  test("n alone finds p and q; another n than theirs is refused with the right one", () => {
    expect(lps({ n: 1092 }).spec).toEqual({ name: "lps", n: 1092, p: 17, q: 13 });
    expect(lps({ n: 2184 }).spec).toMatchObject({ p: 5, q: 13 });
    expect(() => lps({ n: 300, p: 17, q: 13 })).toThrow("try n = 1092");
    expect(() => lps({ n: 300 })).toThrow("try n = 1092");
    expect(() => lps({ n: 2000 })).toThrow("try n = 1092 or 2184");
    expect(() => lps({ n: 1092, p: 7, q: 13 })).toThrow("distinct primes = 1 mod 4");
    expect(() => lps({ n: 1092, p: 13, q: 13 })).toThrow("distinct primes = 1 mod 4");
  });

  test.each([true, false])("labels and matrices of the projective group are one to one (special: %s)", (special) => {
    const group = projectiveGroup(13, special);
    expect(group.order).toBe(special ? 1092 : 2184);
    for (let label = 0; label < group.order; label++) {
      const matrix = group.matrixOf(label);
      expect(group.labelOf(matrix)).toBe(label);
      const [a, b, c, d] = matrix.map((entry) => (5 * entry) % 13);
      expect(group.labelOf([a, b, c, d])).toBe(label);
    }
  });

  test("primes, powers and squares", () => {
    expect(Array.from({ length: 30 }, (_, n) => n).filter(isPrime)).toEqual([2, 3, 5, 7, 11, 13, 17, 19, 23, 29]);
    expect(powMod(3, 100, 101)).toBe(1);
    expect([1, 2, 3, 4, 5, 6].filter((a) => isSquareModulo(a, 7))).toEqual([1, 2, 4]);
  });
});

describe("random graphs of a fixed degree", () => {
  const mean = (rates: number[]) => rates.reduce((sum, rate) => sum + rate / rates.length, 0);
  const seeds = [0, 1, 2, 3, 4];

  test.each([
    [4, 0.888],
    [10, 0.62],
    [16, 0.502],
  ])("random %d-regular, n = 300: near %d", (d, rate) => {
    const rates = seeds.map((seed) => randomRegular({ n: 300, d, seed }).rate().rate);
    expect(Math.abs(mean(rates) - rate)).toBeLessThan(0.015);
    expect(Math.max(...rates)).toBeLessThan((1 + 2 * Math.sqrt(d - 1)) / (d + 1) + 0.02);
  });

  test("is simple and regular at every n and degree, dense ones too", () => {
    for (let n = 4; n <= 20; n++) {
      for (let d = 3; d < n; d++) {
        if ((n * d) % 2 === 1) continue;
        const graph = randomRegular({ n, d, seed: n + d });
        for (let i = 0; i < n; i++) expect(new Set(neighbours(graph, i)).size).toBe(d);
      }
    }
    expect(() => randomRegular({ n: 301, d: 3 })).toThrow("n d must be even");
    expect(() => randomRegular({ n: 300, d: 2 })).toThrow("d must be an integer from 3");
  });

  test("every pair is as likely as any other", () => {
    const [n, d, draws] = [12, 3, 2000];
    const counts = new Float64Array(n * n);
    for (let seed = 0; seed < draws; seed++) {
      const graph = randomRegular({ n, d, seed });
      for (let i = 0; i < n; i++) for (const j of neighbours(graph, i)) counts[i * n + j]++;
    }
    const p = d / (n - 1);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < i; j++) {
        expect(Math.abs(counts[i * n + j] - draws * p)).toBeLessThan(5 * Math.sqrt(draws * p * (1 - p)));
      }
    }
  });

  test("random permutations, d = 9, n = 300: norm near 2 sqrt(d)/(d + 1)", () => {
    const rates = seeds.map((seed) => randomPermutations({ n: 300, d: 9, seed }).rate().rate);
    expect(Math.abs(mean(rates) - 0.595)).toBeLessThan(0.015);
    const { self, from, to } = randomPermutations({ n: 300 }).peers(0, 5);
    expect(self + from.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 14);
    expect(to.reduce((sum, { weight }) => sum + weight, self)).toBeCloseTo(1, 14);
  });
});

describe("D-Cliques", () => {
  test("sorted nodes: each clique holds every label, and cliques are joined as asked", () => {
    const cliqueOf = (i: number) => i % 10;
    for (const [join, joined] of [
      ["ring", 2],
      ["small-world", 6],
      ["pairs", 9],
    ] as const) {
      const graph = dCliques({ n: 100, join });
      for (let clique = 0; clique < 10; clique++) {
        const members = Array.from({ length: 10 }, (_, k) => clique + 10 * k);
        // Ten labels, sorted: node i has label floor(i / 10).
        expect(new Set(members.map((i) => Math.floor(i / 10))).size).toBe(10);
        const others = members.flatMap((i) => neighbours(graph, i)).map(cliqueOf);
        expect(others.filter((other) => other === clique).length).toBe(90);
        expect(new Set(others).size).toBe(1 + joined);
        expect(others.length).toBe(90 + joined);
      }
    }
  });

  test("label counts: dealing and swapping brings every clique near to the whole", () => {
    // Each node holds two labels, in shares that differ from node to node; the main one comes back every six nodes.
    const counts = Array.from({ length: 60 }, (_, i) =>
      Array.from({ length: 5 }, (_, l) => (l === (i % 6) % 5 ? 10 + (i % 9) : l === (i * 3 + 1) % 5 ? 3 : 0)),
    );
    const graph = dCliques({ n: 60, size: 10, counts });
    expect(graph.spec).toMatchObject({ counts });
    const distances = (order: ArrayLike<number>) => {
      const total = [0, 1, 2, 3, 4].map((l) => counts.reduce((sum, row) => sum + row[l], 0));
      const all = total.reduce((sum, count) => sum + count);
      return [0, 1, 2, 3, 4, 5].map((k) => {
        const members = Array.from(order).filter((_, place) => place % 6 === k);
        const held = total.map((_, l) => members.reduce((sum, i) => sum + counts[i][l], 0));
        const size = held.reduce((sum, count) => sum + count);
        return held.reduce((sum, count, l) => sum + Math.abs(count / size - total[l] / all), 0);
      });
    };
    const order = dealByLabel(6, counts);
    expect([...order].sort((a, b) => a - b)).toEqual(counts.map((_, i) => i));
    expect(Math.max(...distances(order))).toBeLessThan(0.1);
    // Dealt in turn as they come, each clique has one main label.
    expect(Math.max(...distances(counts.map((_, i) => i)))).toBeGreaterThan(1);
    for (const law of Object.values(topologyChecks)) law(graph, createTopology);
    expect(() => dCliques({ n: 61, counts })).toThrow("counts must have n = 61 rows");
  });
});

describe("best constant weights", () => {
  test("no other weight on all edges has a smaller rate, as long as none is negative", () => {
    const graphs = [
      ring({ n: 12 }),
      grid({ n: 12 }),
      star({ n: 9 }),
      paley({ n: 13 }),
      dCliques({ n: 30, join: "ring" }),
    ];
    for (const { spec, n, maxDegree } of graphs) {
      const best = createTopology({ ...spec, weights: "best-constant" });
      const w = denseMatrix(best.round(0));
      const c = best.peers(0, 0).from[0].weight;
      expect(c).toBeLessThanOrEqual(1 / maxDegree + 1e-15);
      // I - c L; another step is I - s (I - W).
      const rateAt = (step: number) => {
        const moved = w.map((weight, e) => step * weight + (e % (n + 1) === 0 ? 1 - step : 0));
        const values = symmetricEigenvalues(moved, n);
        return Math.max(values[n - 2], -values[0]);
      };
      expect(rateAt(1)).toBeCloseTo(best.rate().rate, 10);
      for (const step of [0.9, 0.99]) expect(rateAt(step)).toBeGreaterThan(rateAt(1) - 1e-12);
      // A longer step is worse, or takes more from a node than it has.
      const capped = c > 1 / maxDegree - 1e-12;
      if (!capped) expect(rateAt(1.01)).toBeGreaterThan(rateAt(1) - 1e-12);
    }
  });

  test("random regular graphs gain, and stay doubly stochastic", () => {
    const plain = randomRegular({ n: 300, d: 10 });
    const best = randomRegular({ n: 300, d: 10, weights: "best-constant" });
    expect(best.rate().rate).toBeLessThan(plain.rate().rate - 0.02);
    const { largest, smallest } = best.rate().eigenvalues ?? { largest: 0, smallest: 0 };
    // The weight that makes both ends alike is 0.1002; at 1/degree nothing is left to give away.
    expect(best.peers(0, 0).from[0].weight).toBe(0.1);
    expect(Math.abs(largest + smallest)).toBeLessThan(0.005);
  });
});

test("peers at a million nodes need nothing of that length", () => {
  const n = 1_000_000;
  for (const graph of [margulis({ n }), dCliques({ n, join: "small-world" })]) {
    for (const i of [0, 1, 123_456, n - 1]) {
      for (const { node, weight } of graph.peers(0, i).from) {
        expect(graph.peers(0, node).to.find((link) => link.node === i)?.weight).toBe(weight);
      }
    }
  }
});
