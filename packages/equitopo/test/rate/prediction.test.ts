/** Norms and predictions counted from any round, held against dense products and against each other. */

import { describe, expect, test } from "vitest";
import { type Predictable, prediction } from "../../src/rate/prediction.ts";
import { normOver } from "../../src/rate/product.ts";
import { windowNorm } from "../../src/rate/window.ts";
import { consensusNorm, denseProduct } from "../../src/testing/dense.ts";
import { base } from "../../src/topology/base.ts";
import { onePeerExp } from "../../src/topology/one-peer-exp.ts";
import { createTopology } from "../../src/topology/registry.ts";
import { relabelled } from "../../src/topology/relabel.ts";
import { ring } from "../../src/topology/ring.ts";

describe("blocks of rounds drawn together", () => {
  const graph = relabelled(onePeerExp({ n: 12 }), 3);
  const { rate, periodNorm = 1 } = graph.rate();
  // The first round, how many, and how many whole and cut blocks of four these are.
  test.each([
    [0, 4, 1, 0],
    [0, 3, 0, 1],
    [2, 4, 0, 2],
    [2, 6, 1, 1],
    [3, 10, 2, 2],
    [5, 2, 0, 1],
    [4, 12, 3, 0],
    [1, 7, 1, 1],
  ])("from round %i on, %i of them: %i whole and %i cut", (first, m, whole, cut) => {
    const { norm, method } = normOver(graph, m, first);
    expect(method).toBe("mean square");
    expect(norm).toBeCloseTo(periodNorm ** whole * rate ** cut, 14);
  });

  test("only whole blocks multiply", () => {
    const { rounds, method } = prediction(graph, 1e-3);
    expect(method).toBe("mean square");
    expect(rounds % 4).toBe(0);
    expect(periodNorm ** (rounds / 4)).toBeLessThanOrEqual(1e-3);
    expect(periodNorm ** (rounds / 4 - 1)).toBeGreaterThan(1e-3);
  });
});

describe("from any round on", () => {
  const most = (graph: Predictable, tolerance: number) =>
    Math.max(...Array.from({ length: graph.period ?? 1 }, (_, first) => prediction(graph, tolerance, first).rounds));

  test.each([5, 6, 7, 12])("base graph of %i nodes: enough from wherever, and for some not one too many", (n) => {
    const graph = base({ n });
    const any = prediction(graph, 1e-9, "any").rounds;
    expect(any).toBe((graph.exactAfter ?? 0) + (graph.period ?? 0) - 1);
    expect(most(graph, 1e-9)).toBeLessThanOrEqual(any);
    for (let first = 0; first < (graph.period ?? 0); first++) {
      expect(consensusNorm(denseProduct(graph, first, any), n)).toBeLessThan(1e-9);
    }
  });

  test("rounds of two vectors a node, whose start is waited for", () => {
    const graph = createTopology({ name: "hyper-hypercube", n: 12, k: 2 });
    const { period = 1, exactAfter = 1 } = graph;
    for (let first = 1; first < period; first++) {
      const { norm } = normOver(graph, exactAfter, first);
      expect(norm).toBeCloseTo(consensusNorm(denseProduct(graph, first, exactAfter), 12), 9);
      const { rounds } = prediction(graph, 1e-9, first);
      expect(rounds).toBeGreaterThanOrEqual(exactAfter);
      expect(consensusNorm(denseProduct(graph, first, rounds), 12)).toBeLessThan(1e-9);
    }
  });
});

test("a base graph is not exact before its stretch has begun and ended", () => {
  const graph = base({ n: 6 });
  const length = graph.exactAfter ?? 0;
  for (let first = 1; first < length; first++) {
    const dense = consensusNorm(denseProduct(graph, first, length), 6);
    expect(normOver(graph, length, first).norm).toBeCloseTo(dense, 9);
    expect(normOver(graph, 2 * length - first, first)).toEqual({ norm: 0, method: "closed form" });
  }
});

test("across the start of drawn stretches the wait is added", () => {
  const graph = relabelled(base({ n: 6 }), 1);
  const length = graph.exactAfter ?? 0;
  for (let first = 1; first < length; first++) {
    expect(prediction(graph, 1e-6, first).rounds).toBe(length - first + length);
  }
});

test("rates that round to 1 are known by their gap", () => {
  const n = 100_000_000;
  const gap = (2 / 3) * 2 * Math.sin(Math.PI / n) ** 2;
  const { rounds } = prediction({ period: 1, rate: () => ({ rate: 1, gap, bound: null, method: "closed form" }) }, 0.1);
  expect(rounds / (Math.log(10) / gap)).toBeCloseTo(1, 9);
  expect(ring({ n: 1000 }).rate().gap).toBeCloseTo((2 / 3) * 2 * Math.sin(Math.PI / 1000) ** 2, 18);
});

describe("windows of labels", () => {
  const modulus = (q: number, k: number, n: number) =>
    Math.abs(Math.sin((Math.PI * q * k) / n)) / (q * Math.sin((Math.PI * k) / n));
  test.each([
    [30, [[7, 1]]],
    [
      30,
      [
        [4, 2],
        [3, 1],
      ],
    ],
    [97, [[2, 3]]],
    [
      97,
      [
        [50, 1],
        [48, 1],
      ],
    ],
    [
      64,
      [
        [3, 1],
        [5, 4],
      ],
    ],
    [
      101,
      [
        [33, 1],
        [34, 1],
        [67, 2],
      ],
    ],
  ])("n = %i, %j: the largest over all frequencies", (n, windows) => {
    let most = 0;
    for (let k = 1; k < n; k++) {
      most = Math.max(
        most,
        windows.reduce((product, [q, times]) => product * modulus(q, k, n) ** times, 1),
      );
    }
    const found = windowNorm(
      n,
      windows.map(([size, times]) => ({ size, residue: size % n, times })),
    );
    expect(found).toBeCloseTo(most, 12);
  });

  test("for every size and some pairs of sizes of 2 to 40 labels", () => {
    for (let n = 3; n <= 40; n++) {
      for (let q = 2; q < n; q++) {
        for (const other of [2, 3, n - 1, Math.ceil(n / 2) + 1]) {
          if (other < 2 || other >= n || q >= n) continue;
          const product = (k: number) => modulus(q, k, n) * modulus(other, k, n);
          let most = 0;
          for (let k = 1; k < n; k++) most = Math.max(most, product(k));
          const windows = [q, other].map((size) => ({ size, residue: size % n, times: 1 }));
          expect(Math.abs(windowNorm(n, windows) - most), `${n} ${q} ${other}`).toBeLessThan(1e-12);
        }
      }
    }
  });
});
