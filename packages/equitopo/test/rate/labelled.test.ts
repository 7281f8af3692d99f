/** Gains and stability of relabelled blocks: against every order of the labels, against figures computed apart, and draws. */

import { describe, expect, test } from "vitest";
import { spectralRadius } from "../../src/rate/eigenvalues.ts";
import { gains } from "../../src/rate/gains.ts";
import { advanced, recursions } from "../../src/rate/recursion.ts";
import { stability } from "../../src/rate/stability.ts";
import { applyRound } from "../../src/round/apply.ts";
import { createTopology } from "../../src/topology/registry.ts";
import type { Topology } from "../../src/topology/topology.ts";

const relabelled = (name: string, n: number, options: object = {}): Topology =>
  createTopology({ name, n, relabel: true, ...options });

/** All orders of 0 .. n - 1. */
function orders(n: number): number[][] {
  if (n === 0) return [[]];
  return orders(n - 1).flatMap((rest) => Array.from({ length: n }, (_, at) => rest.toSpliced(at, 0, n - 1)));
}

/** The block's rounds as what they do to vectors, under each order of the labels. */
function blocksOf(topology: Topology) {
  const { n, block, labelled } = topology;
  return orders(n).map((order) =>
    Array.from({ length: block! }, (_, t) => (x: Float64Array) => {
      const inner = applyRound(
        labelled!.round(t),
        Float64Array.from(order, (j) => x[j]),
        new Float64Array(n),
      );
      const out = new Float64Array(n);
      for (const [i, j] of order.entries()) out[j] = inner[i];
      return out;
    }),
  );
}

/** The mean of S S^T and of fresh noise along h, by iterating E s, E s s^T over all orders, no symmetry being used. */
function enumerated(topology: Topology, h: Float64Array) {
  const { n } = topology;
  const blocks = blocksOf(topology);
  const size = h.reduce((sum, x) => sum + x * x, 0);
  // E of the products of (s, h) and of the noise, as matrices over (n + 1) numbers: s and the 1 that h is multiplied by.
  let second: number[][] = Array.from({ length: n + 1 }, (_, i) =>
    Array.from({ length: n + 1 }, (_, j) => (i + j === 2 * n ? 1 : 0)),
  );
  let result = 0;
  for (let step = 0; step < 200; step++) {
    const next = second.map((row) => row.map(() => 0));
    result = 0;
    for (const rounds of blocks) {
      // Columns of the affine map s -> A s + B h, over n + 1 numbers.
      const columns = Array.from({ length: n + 1 }, (_, c) => ({
        s: new Float64Array(n).fill(0).map((_, i) => (i === c ? 1 : 0)),
        h: c === n ? 1 : 0,
      }));
      for (const round of rounds) {
        for (const column of columns) column.s = round(column.s.map((x, i) => x + column.h * h[i]));
        const entry = (i: number, c: number) => columns[c].s[i];
        for (let i = 0; i < n; i++) {
          for (let c = 0; c <= n; c++) {
            for (let d = 0; d <= n; d++)
              result += (entry(i, c) * second[c][d] * entry(i, d)) / (blocks.length * rounds.length * size);
          }
        }
      }
      const map = (i: number, c: number) => (i === n ? columns[c].h : columns[c].s[i]);
      const half = second.map((_, i) =>
        second.map((_, d) => second.reduce((sum, row, c) => sum + map(i, c) * row[d], 0)),
      );
      for (let i = 0; i <= n; i++) {
        for (let j = 0; j <= n; j++) {
          for (let d = 0; d <= n; d++) next[i][j] += (half[i][d] * map(j, d)) / blocks.length;
        }
      }
    }
    second = next;
  }
  return Math.sqrt(result);
}

describe("against every order of the labels", () => {
  test.each([
    ["base", 4, { k: 1 }],
    ["base", 3, { k: 1 }],
    ["one-peer-exp", 4, {}],
    ["one-peer-exp", 3, {}],
    ["doubling", 3, {}],
  ] as const)("%s of %i nodes: the same gain in every direction", (name, n, options) => {
    const topology = relabelled(name, n, options);
    const found = gains(topology);
    expect(found.method).toBe("exact");
    expect(found.worst).toBe(found.rms);
    for (const start of [1, 2]) {
      const h = Float64Array.from({ length: n }, (_, i) => (i < start ? 1 : 0) - start / n);
      expect(enumerated(topology, h)).toBeCloseTo(found.rms, 9);
    }
  });

  test.each(["lazy", "plain", "extra", "dsgt", "diging"] as const)("the radius of %s", (form) => {
    for (const topology of [relabelled("base", 4, { k: 1 }), relabelled("one-peer-exp", 3)]) {
      const { n, block, labelled } = topology;
      const recursion = recursions[form](0.3);
      const size = 2 * n;
      const orderly = orders(n);
      // E of (L x L) on the products of all entries of both vectors, disagreements only.
      const square = new Float64Array(size ** 4);
      for (const order of orderly) {
        const columns = Array.from({ length: size }, (_, c) => {
          const unit = (a: number) =>
            Float64Array.from(order, (j) => (Math.floor(c / n) === a ? (j === c % n ? 1 : 0) - 1 / n : 0));
          let state = [unit(0), unit(1)];
          for (let t = 0; t < block!; t++) state = advanced(recursion, labelled!.round(t), state);
          const out = new Float64Array(size);
          for (const [i, j] of order.entries()) [out[j], out[n + j]] = [state[0][i], state[1][i]];
          return out;
        });
        for (let i = 0; i < size ** 2; i++) {
          for (let j = 0; j < size ** 2; j++) {
            const [a, b, c, d] = [Math.floor(i / size), i % size, Math.floor(j / size), j % size];
            square[i * size ** 2 + j] += (columns[c][a] * columns[d][b]) / orderly.length;
          }
        }
      }
      const found = stability(topology, form, 0.3);
      expect(found.method).toBe("exact");
      expect(found.radius).toBeCloseTo(spectralRadius(square, size ** 2) ** (1 / block!), 7);
    }
  });
});

describe("figures computed apart", () => {
  test("one-peer-exp and Base-2 relabelled at n = 300", () => {
    expect(gains(relabelled("one-peer-exp", 300)).worst.toFixed(3)).toBe("1.691");
    expect(gains(relabelled("base", 300, { k: 1 })).worst.toFixed(2)).toBe("2.06");
    expect(gains(relabelled("doubling", 300)).worst.toFixed(2)).toBe("2.00");
  });

  test("a block of one round has the two moments of its round", () => {
    for (const name of ["ring", "static-exp", "random-regular"]) {
      const graph = relabelled(name, 10);
      const { moments, ...rest } = graph;
      expect(moments).toBeDefined();
      for (const key of ["rms", "worst", "noise"] as const) expect(gains(rest)[key]).toBeCloseTo(gains(graph)[key], 11);
      for (const form of ["lazy", "diging"] as const) {
        expect(stability(rest, form, 0.3).radius).toBeCloseTo(stability(graph, form, 0.3).radius, 9);
      }
    }
  });

  test("where n is too large sampling knows that no direction is worse", () => {
    const found = gains(relabelled("base", 1100, { k: 4 }));
    expect(found).toMatchObject({ method: "sampled", worst: found.rms });
  });

  test("lazy and plain radii of base at n = 4", () => {
    const graph = relabelled("base", 4, { k: 1 });
    expect(stability(graph).radius.toFixed(4)).toBe("0.7188");
    expect(stability(graph, "plain").radius.toFixed(4)).toBe("0.5774");
  });

  test("CECA over two vectors: what a run of many blocks settles at", () => {
    for (const name of ["ceca-1p", "ceca-2p"]) {
      const topology = relabelled(name, 16);
      const { n, block, pair } = topology;
      const h = Float64Array.from({ length: n }, (_, i) => (i < 4 ? 0.75 : -0.25));
      const [x, z, heard] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)];
      let square = 0;
      for (let t = 0; t < 2000 * block!; t++) {
        const { sends, x: onX, z: onZ } = pair!(t);
        for (let i = 0; i < n; i++) [x[i], z[i]] = [x[i] + h[i], z[i] + h[i]];
        applyRound(topology.round(t), sends === "x" ? x : z, heard);
        for (let i = 0; i < n; i++) {
          [x[i], z[i]] = [onX.own * x[i] + onX.heard * heard[i], onZ.own * z[i] + onZ.heard * heard[i]];
        }
        square += x.reduce((sum, value) => sum + value * value, 0) / (2000 * block! * 3);
      }
      expect(Math.abs(Math.sqrt(square) / gains(topology).worst - 1), name).toBeLessThan(0.03);
    }
  });
});
