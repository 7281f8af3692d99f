/** Ends of spectra: windows of labels, both ends of a symmetric W, circulants in parts, periods and their roots. */

import { describe, expect, test } from "vitest";
import { circulantRate } from "../../src/rate/circulant.ts";
import { sparseRate } from "../../src/rate/lanczos.ts";
import { advanced, recursions } from "../../src/rate/recursion.ts";
import { asymptoticRate, roundSpectrum } from "../../src/rate/spectrum.ts";
import { stability } from "../../src/rate/stability.ts";
import { windowNorm } from "../../src/rate/window.ts";
import { applyRound } from "../../src/round/apply.ts";
import { dEquiStatic } from "../../src/topology/d-equistatic.ts";
import { graphTopology } from "../../src/topology/graph.ts";
import { ring } from "../../src/topology/ring.ts";

test("the norm of windows is the largest product over all modes, wherever the search ends", () => {
  for (let n = 3; n <= 40; n++) {
    for (const sizes of [[2], [3], [5], [2, 4], [2, 8], [4, 4], [3, 7], [7, 25], [6, 6, 6]]) {
      const modulus = (size: number, k: number) =>
        Math.abs(Math.sin((Math.PI * size * k) / n) / (size * Math.sin((Math.PI * k) / n)));
      const all = Array.from({ length: n - 1 }, (_, k) =>
        sizes.reduce((product, size) => product * modulus(size, k + 1) ** 2, 1),
      );
      const windows = sizes.map((size) => ({ size, residue: size % n, times: 2 }));
      const exact = sizes.some((size) => size % n === 0);
      const largest = exact ? 0 : Math.max(...all);
      expect(windowNorm(n, windows) / (largest || 1), `n = ${n}, ${sizes}`).toBeCloseTo(largest === 0 ? 0 : 1, 9);
    }
  }
});

describe("one symmetric W", () => {
  test("its smallest eigenvalue decides where it is the larger one", () => {
    // Complete and bipartite, 3 and 3 nodes: 1, 1/4 four times, -1/2.
    const graph = graphTopology({ name: "bipartite", n: 6 }, (i) => (i < 3 ? [3, 4, 5] : [0, 1, 2]));
    const { rate, eigenvalues } = sparseRate(graph.round(0), true);
    expect(rate).toBeCloseTo(0.5, 12);
    expect(eigenvalues?.largest).toBeCloseTo(0.25, 6);
  });

  test("the end that decides is found to 11 digits", () => {
    const path = graphTopology({ name: "path", n: 60 }, (i) => [i - 1, i + 1].filter((j) => j >= 0 && j < 60));
    expect(sparseRate(path.round(0), true).error).toBeLessThan(1e-11);
  });

  test("of many eigenvalues 0 only that of consensus does not count", () => {
    // W = J edge by edge: (I + W)/2 has 1/2 everywhere, and z^2 = (2 z - 1)/2 the modulus 2^(-1/2).
    const all = graphTopology({ name: "all", n: 5 }, (i) => [0, 1, 2, 3, 4].filter((j) => j !== i));
    expect(stability(all).radius).toBeCloseTo(Math.SQRT1_2, 9);
  });
});

test("a circulant in parts has a rate of 1, whatever its sums round to", () => {
  for (const p of [3, 5, 7, 11, 13]) {
    for (let parts = 2; parts < 12; parts++) {
      const shifts = Array.from({ length: p - 1 }, (_, j) => (j + 1) * parts);
      const circulant = { n: p * parts, self: 0.1, shifts, weights: shifts.map(() => 0.9 / (p - 1)) };
      expect(circulantRate(circulant).rate).toBe(1);
    }
  }
});

test("eigenvalues of real rounds come in conjugate pairs", () => {
  for (const n of [7, 12, 31]) {
    const { im } = roundSpectrum(dEquiStatic({ n, basis: [1, 3] }).round(0));
    expect(Math.max(...im)).toBeGreaterThan(0.1);
    expect(im.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 12);
  }
});

test("the long-run rate is that of a round: the root of a period's", () => {
  // Lazy exchanges along the two axes of a square commute: directions keep 1/2, 1/2 and 1/4 in a period of two rounds.
  const axes = [Int32Array.of(1, 0, 3, 2), Int32Array.of(2, 3, 0, 1)];
  const round = (t: number) => ({ kind: "matching" as const, n: 4, partner: axes[t % 2], weight: 0.25 });
  const rate = () => ({ rate: 1, bound: null, method: "closed form" as const });
  const square = { n: 4, kind: "periodic" as const, period: 2, symmetric: true, round, rate };
  expect(asymptoticRate(square)).toBeCloseTo(Math.SQRT1_2, 9);
});

test.each(["dsgt", "diging"] as const)("the recursion of %s is its update on one quadratic", (name) => {
  const [n, step] = [7, 0.3];
  const round = ring({ n }).round(0);
  const draw = (phase: number) => Float64Array.from({ length: n }, (_, i) => Math.sin(3 * i + phase));
  const [x, y] = [draw(0), draw(1)];
  const image = (rows: Float64Array) => applyRound(round, rows, new Float64Array(n));
  const difference = x.map((value, i) => value - y[i]);
  // X+ = W (X - g Y) or W X - g Y; Y+ = W Y + G+ - G: with y for g Y, and step times x for g G.
  const next = name === "dsgt" ? image(difference) : image(x).map((value, i) => value - y[i]);
  const tracker = image(y).map((value, i) => value + step * (next[i] - x[i]));
  const found = advanced(recursions[name](step), round, [x, y]);
  found[0].forEach((value, i) => {
    expect(value).toBeCloseTo(next[i], 12);
    expect(found[1][i]).toBeCloseTo(tracker[i], 12);
  });
});
