import { describe, expect, test } from "vitest";
import { sigmoid } from "../../src/number/elementary.ts";
import { logistic, logisticFrom } from "../../src/problem/logistic.ts";
import { fillNormal } from "../../src/random/normal.ts";
import { streams } from "../../src/random/stream.ts";

describe("logistic regression", () => {
  test("the gradient is that of f by finite differences", () => {
    const n = 3;
    const d = 5;
    const p = logistic({ n, d, L: 40, R: 0.3, sigmaN: 0, seed: 2 });
    const x = fillNormal(new Float64Array(d), 1, 1000, 0);
    const everywhere = (row: Float64Array) => new Float64Array(n * d).map((_, k) => row[k % d]);
    const g = new Float64Array(n * d);
    p.gradient(everywhere(x), 0, g, 0, n);
    const mean = new Float64Array(d).map((_, j) => (g[j] + g[d + j] + g[2 * d + j]) / n);
    for (let j = 0; j < d; j++) {
      const at = (step: number) => p.metrics(everywhere(x.map((v, k) => (k === j ? v + step : v)))).loss;
      expect(Math.abs((at(1e-5) - at(-1e-5)) / 2e-5 - mean[j])).toBeLessThan(1e-9);
    }
    const { gradientNorm } = p.metrics(everywhere(x));
    expect(gradientNorm).toBeCloseTo(Math.sqrt(mean.reduce((sum, v) => sum + v * v, 0)), 12);
  });

  test("the loss is the formula's, regulariser per coordinate", () => {
    const h = Float64Array.of(1, 2, -1, 0.5);
    const p = logisticFrom({ n: 2, d: 2, h, y: Float64Array.of(1, -1), R: 0.1 });
    const x = [0.3, -0.7];
    const z = [h[0] * x[0] + h[1] * x[1], -(h[2] * x[0] + h[3] * x[1])];
    const wanted =
      z.reduce((sum, v) => sum + Math.log(1 + Math.exp(-v)) / 2, 0) +
      x.reduce((sum, v) => sum + (0.1 * v * v) / (1 + v * v), 0);
    expect(p.metrics(Float64Array.of(...x, ...x)).loss).toBeCloseTo(wanted, 14);
  });

  test("labels follow the logistic model at each node's own solution", () => {
    const n = 20;
    const d = 10;
    const L = 1000;
    const seed = 6;
    const p = logistic({ n, d, L, sigmaH: 0.5, seed });
    const h = fillNormal(new Float64Array(n * L * d), seed, streams.features, 0);
    const centre = fillNormal(new Float64Array(d), seed, streams.solution, 0);
    const v = fillNormal(new Float64Array(n * d), seed, streams.localSolution, 0);
    // Ten bins by the probability of label 1; in each the fraction must agree.
    const expected = new Float64Array(10);
    const found = new Float64Array(10);
    const counts = new Float64Array(10);
    let mismatches = 0;
    for (let row = 0; row < n * L; row++) {
      const i = Math.floor(row / L);
      let logit = 0;
      for (let j = 0; j < d; j++) logit += h[row * d + j] * (centre[j] + 0.5 * v[i * d + j]);
      const probability = sigmoid(logit);
      const bin = Math.min(9, Math.floor(10 * probability));
      const label = p.signedFeatures[row * d] === h[row * d] ? 1 : -1;
      for (let j = 0; j < d; j++) mismatches += p.signedFeatures[row * d + j] === label * h[row * d + j] ? 0 : 1;
      counts[bin] += 1;
      expected[bin] += probability;
      found[bin] += label === 1 ? 1 : 0;
    }
    expect(mismatches).toBe(0);
    for (let bin = 0; bin < 10; bin++) {
      expect(counts[bin]).toBeGreaterThan(300);
      // Five standard deviations of a fraction are at most 5 / (2 sqrt(count)).
      expect(Math.abs(found[bin] - expected[bin])).toBeLessThan(2.5 * Math.sqrt(counts[bin]));
    }
  });

  test("noise has the variance sigma_n^2 and changes with t", () => {
    const n = 400;
    const gradients = (sigmaN: number, t: number) => {
      const g = new Float64Array(n * 10);
      logistic({ n, L: 2, sigmaN, seed: 8 }).gradient(new Float64Array(n * 10), t, g, 0, n);
      return g;
    };
    const clean = gradients(0, 3);
    const noise = gradients(0.1, 3).map((v, k) => v - clean[k]);
    const variance = noise.reduce((sum, v) => sum + v * v, 0) / noise.length;
    expect(Math.abs(variance / 0.01 - 1)).toBeLessThan(0.12);
    expect(gradients(0.1, 4)).not.toEqual(gradients(0.1, 3));
  });

  test("refuses what it cannot use", () => {
    const h = Float64Array.of(1, 2);
    expect(() => logisticFrom({ n: 1, d: 1, h, y: Float64Array.of(1, 0) })).toThrow(/1 or -1, got 0/);
    expect(() => logisticFrom({ n: 1, d: 2, h, y: Float64Array.of(1, 1) })).toThrow(/n x L x d/);
    expect(() => logistic({ n: 3, K: 5 } as never)).toThrow(/logistic takes the options/);
  });
});
