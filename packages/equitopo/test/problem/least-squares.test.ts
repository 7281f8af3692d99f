import { describe, expect, test } from "vitest";
import { leastSquares, leastSquaresFrom } from "../../src/problem/least-squares.ts";
import { fillNormal } from "../../src/random/normal.ts";

/** f_i as printed in the (corrected) paper. */
function loss(p: { A: Float64Array; b: Float64Array; K: number; d: number }, i: number, x: Float64Array): number {
  let sum = 0;
  for (let row = i * p.K; row < (i + 1) * p.K; row++) {
    let residual = -p.b[row];
    for (let j = 0; j < p.d; j++) residual += p.A[row * p.d + j] * x[j];
    sum += residual * residual;
  }
  return sum / 2;
}

describe("least squares", () => {
  // d <= K goes through the normal equations, d > K over the rows.
  test.each([
    { d: 10, K: 50 },
    { d: 3, K: 3 },
    { d: 7, K: 4 },
  ])("the gradient is that of f by finite differences, d = $d, K = $K", ({ d, K }) => {
    const n = 4;
    const p = leastSquares({ n, d, K, sigmaN: 0, sigmaH: 0.5, seed: 3 });
    const x = fillNormal(new Float64Array(n * d), 1, 1000, 0);
    const g = new Float64Array(n * d);
    p.gradient(x, 0, g, 0, n);
    for (let k = 0; k < n * d; k++) {
      const i = Math.floor(k / d);
      const at = (step: number) => {
        const moved = x.slice(i * d, (i + 1) * d);
        moved[k % d] += step;
        return loss(p, i, moved);
      };
      // f is quadratic: the central difference is exact but for rounding.
      expect((at(0.5) - at(-0.5)) / g[k]).toBeCloseTo(1, 9);
    }
  });

  test("x_LS satisfies the normal equations, and the mean gradient vanishes there", () => {
    const n = 30;
    const p = leastSquares({ n, sigmaN: 0, sigmaH: 1, seed: 9 });
    const best = p.solution();
    const x = new Float64Array(n * p.d);
    for (let i = 0; i < n; i++) x.set(best, i * p.d);
    const g = new Float64Array(n * p.d);
    p.gradient(x, 0, g, 0, n);
    for (let j = 0; j < p.d; j++) {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += g[i * p.d + j];
      expect(Math.abs(sum / n)).toBeLessThan(1e-11);
    }
    const { relativeError, consensusDistance } = p.metrics(x);
    expect(relativeError).toBe(0);
    expect(consensusDistance).toBeLessThan(1e-13);
  });

  test("metrics are what they say", () => {
    const n = 5;
    const p = leastSquares({ n, d: 3, K: 6, sigmaH: 0.3, seed: 4 });
    const x = fillNormal(new Float64Array(n * 3), 1, 1000, 0);
    const best = p.solution();
    const mean = new Float64Array(3).map((_, j) => [0, 1, 2, 3, 4].reduce((sum, i) => sum + x[i * 3 + j], 0) / n);
    let f = 0;
    for (let i = 0; i < n; i++) f += loss(p, i, mean) / n;
    const away = Math.sqrt(x.reduce((sum, v, k) => sum + (v - best[k % 3]) ** 2, 0));
    const { relativeError, loss: found, consensusDistance } = p.metrics(x);
    expect(found / f).toBeCloseTo(1, 12);
    expect(relativeError).toBeCloseTo(away / Math.sqrt(n * best.reduce((sum, v) => sum + v * v, 0)), 12);
    expect(consensusDistance).toBeCloseTo(Math.sqrt(x.reduce((sum, v, k) => sum + (v - mean[k % 3]) ** 2, 0)), 12);
  });

  test("generated data: A standard normal, measurements off by sigma_s, noise of variance sigma_n^2", () => {
    const n = 300;
    const p = leastSquares({ n, sigmaN: 2, seed: 5 });
    const variance = (v: Float64Array) => v.reduce((sum, z) => sum + z * z, 0) / v.length;
    // 150,000 numbers: the variance's own deviation is sqrt(2 / 150,000) = 0.0037.
    expect(Math.abs(variance(p.A) - 1)).toBeLessThan(0.02);
    // The residual at x_LS has (nK - d) degrees of freedom.
    const least = p.metrics(new Float64Array(n * 10).map((_, k) => p.solution()[k % 10])).loss;
    expect((2 * n * least) / (n * 50 - 10)).toBeCloseTo(0.01, 3);
    const noise = new Float64Array(n * 10);
    const clean = new Float64Array(n * 10);
    const x = new Float64Array(n * 10);
    p.gradient(x, 6, noise, 0, n);
    leastSquaresFrom({ n, d: 10, A: p.A, b: p.b }).gradient(x, 6, clean, 0, n);
    // 3,000 numbers: relative deviation of the variance 0.026.
    expect(Math.abs(variance(noise.map((v, k) => v - clean[k])) - 4)).toBeLessThan(0.5);
    const later = new Float64Array(n * 10);
    p.gradient(x, 7, later, 0, n);
    expect(later).not.toEqual(noise);
  });

  test("sigma_h spreads the nodes' own solutions, and 0 does not", () => {
    const own = (sigmaH: number) => {
      const p = leastSquares({ n: 2, d: 2, K: 400, sigmaS: 0, sigmaH, seed: 1 });
      return [0, 1].map((i) =>
        leastSquaresFrom({ n: 1, d: 2, A: p.A.slice(i * 800, (i + 1) * 800), b: p.b.slice(i * 400, (i + 1) * 400) }),
      );
    };
    const [same, again] = own(0).map((p) => p.solution());
    for (let j = 0; j < 2; j++) expect(same[j]).toBeCloseTo(again[j], 12);
    const v = fillNormal(new Float64Array(4), 1, 33, 0);
    const [first, second] = own(0.5).map((p) => p.solution());
    for (let j = 0; j < 2; j++) expect(first[j] - second[j]).toBeCloseTo(0.5 * (v[j] - v[2 + j]), 12);
  });

  test("the same seed gives the same bits, another one others", () => {
    const make = (seed: number) => leastSquares({ n: 3, seed });
    expect(make(1).b).toEqual(make(1).b);
    expect(make(1).b).not.toEqual(make(2).b);
  });

  test("refuses what it cannot use, with the rule", () => {
    expect(() => leastSquares({ n: 0 })).toThrow(/n must be an integer of at least 1, got 0/);
    expect(() => leastSquares({ n: 3, sigmaN: -1 })).toThrow(/sigmaN must be at least 0, got -1/);
    expect(() => leastSquares({ n: 3, seeds: 1 } as never)).toThrow(/did you mean seed/);
    expect(() => leastSquaresFrom({ n: 2, d: 2, A: new Float64Array(7), b: new Float64Array(4) })).toThrow(/n x K x d/);
    const flat = leastSquaresFrom({ n: 1, d: 2, A: Float64Array.of(1, 1, 2, 2), b: Float64Array.of(1, 2) });
    expect(() => flat.solution()).toThrow(/positive definite/);
  });
});
