/** Erdos-Renyi and geometric graphs against their definitions, pair by pair. */

import { describe, expect, test } from "vitest";
import { RandomStream, streams } from "../../src/random/stream.ts";
import { erdosRenyi } from "../../src/topology/erdos-renyi.ts";
import { geometric } from "../../src/topology/geometric.ts";
import { reachesAll } from "../../src/topology/graph.ts";
import type { Topology } from "../../src/topology/topology.ts";

function neighbours(topology: Topology): number[][] {
  return Array.from({ length: topology.n }, (_, i) =>
    topology
      .peers(0, i)
      .from.map(({ node }) => node)
      .sort((a, b) => a - b),
  );
}

describe("Erdos-Renyi", () => {
  test("each pair is joined with probability (1 + a) ln n / n, whatever the pair", () => {
    const n = 20;
    const a = 2;
    const draws = 2000;
    // 0.449: disconnected draws, which would be left out, are one in ten thousand.
    const p = ((1 + a) * Math.log(n)) / n;
    const counts = new Float64Array(n * n);
    for (let seed = 0; seed < draws; seed++) {
      neighbours(erdosRenyi({ n, a, seed })).forEach((list, i) => {
        for (const j of list) counts[i * n + j]++;
      });
    }
    let total = 0;
    const deviation = Math.sqrt(draws * p * (1 - p));
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < i; j++) {
        expect(Math.abs(counts[i * n + j] - draws * p), `pair ${i}, ${j}`).toBeLessThan(5 * deviation);
        total += counts[i * n + j];
      }
    }
    const pairs = (n * (n - 1)) / 2;
    expect(Math.abs(total - pairs * draws * p)).toBeLessThan(5 * Math.sqrt(pairs) * deviation);
  });

  test("p is capped at 1: the complete graph", () => {
    expect(erdosRenyi({ n: 5, a: 5 }).maxDegree).toBe(4);
    expect(erdosRenyi({ n: 5, a: 5 }).rate().rate).toBeLessThan(1e-12);
  });

  test("resampled until connected, where most draws are not", () => {
    for (let seed = 0; seed < 20; seed++) {
      const topology = erdosRenyi({ n: 60, a: -0.2, seed });
      expect(reachesAll(topology.n, (i) => neighbours(topology)[i])).toBe(true);
      expect(topology.rate().rate).toBeLessThan(1);
    }
  });
});

describe("geometric", () => {
  /** The definition without cells: all pairs of the first connected draw. */
  function allPairs(n: number, a: number, seed: number): number[][] {
    const square = ((1 + a) * Math.log(n)) / n;
    for (let attempt = 0; ; attempt++) {
      const random = new RandomStream(seed, streams.graph, attempt);
      const x = Array.from({ length: n }, () => random.uniform());
      const y = Array.from({ length: n }, () => random.uniform());
      const others = Array.from({ length: n }, (_, j) => j);
      const lists = x.map((_, i) => others.filter((j) => j !== i && (x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2 <= square));
      if (reachesAll(n, (i) => lists[i])) return lists;
    }
  }

  test("cells lose no pair: r from the whole square down to a tenth", () => {
    for (const n of [2, 3, 5, 10, 40, 150, 400]) {
      for (const a of [-0.3, 0.5, 1]) {
        for (let seed = 0; seed < 3; seed++) {
          if (n < 10 && a < 0) continue;
          expect(neighbours(geometric({ n, a, seed })), `n = ${n}, a = ${a}`).toEqual(allPairs(n, a, seed));
        }
      }
    }
  });
});
