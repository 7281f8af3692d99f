/** estimateConstants: the estimate held against the exact values, and both against numbers by hand. */

import { describe, expect, test } from "vitest";
import { customProblem, leastSquares, logistic, type Problem } from "../../src/index.ts";
import { symmetricEigenvalues } from "../../src/problem/eigenvalues.ts";
import { leastSquaresFrom } from "../../src/problem/index.ts";
import { estimateConstants } from "../../src/theory/index.ts";

/** The same problem without what it knows of itself. */
const unknowing = ({ constants: _, ...problem }: Problem & { constants?: unknown }): Problem => problem as Problem;

describe("least squares", () => {
  test("by hand: f_i = 1/2 |a_i x - b_i|^2 in one dimension", () => {
    // H = 1 and 4, m = -1 and -8: x = 9/5, gradients 4/5 and -4/5, mean Hessian 5/2.
    const problem = leastSquaresFrom({ n: 2, d: 1, A: Float64Array.of(1, 2), b: Float64Array.of(1, 4), sigmaN: 3 });
    const { sigma, b, L, mu, kappa, method } = estimateConstants(problem);
    expect([sigma, L, mu, kappa, method]).toEqual([3, 4, 2.5, 1.6, "exact"]);
    expect(b).toBeCloseTo(0.8, 14);
  });

  test("the noise that is given counts by its mean square", () => {
    const noise = [Float64Array.of(3, 0), Float64Array.of(0, 3)];
    const problem = leastSquaresFrom({ n: 2, d: 1, A: Float64Array.of(1, 2), b: Float64Array.of(1, 4), noise });
    expect(estimateConstants(problem).sigma).toBeCloseTo(Math.sqrt(4.5), 14);
  });

  test("the estimate finds what the closed form says", () => {
    const problem = leastSquares({ n: 12, d: 4, K: 30, sigmaN: 2, sigmaH: 1, seed: 3 });
    const exact = estimateConstants(problem);
    const sampled = estimateConstants(unknowing(problem), { samples: 400 });
    expect(sampled.method).toBe("sampled");
    expect(Math.abs(sampled.L - exact.L)).toBeLessThanOrEqual((sampled.error?.L ?? 0) + 1e-6 * exact.L);
    expect(Math.abs(sampled.mu - exact.mu)).toBeLessThanOrEqual((sampled.error?.mu ?? 0) + 1e-6 * exact.mu);
    expect(sampled.L / exact.L).toBeCloseTo(1, 3);
    expect(sampled.mu / exact.mu).toBeCloseTo(1, 1);
    // 400 samples of 48 numbers: the relative standard deviation of sigma is 0.5 %.
    expect(Math.abs(sampled.sigma / exact.sigma - 1)).toBeLessThan(0.03);
    expect(Math.abs(sampled.b / exact.b - 1)).toBeLessThan(0.03);
  });
});

test("heterogeneity does not count the noise in", () => {
  const problem = leastSquares({ n: 10, d: 3, K: 20, sigmaS: 0, sigmaN: 5, seed: 1 });
  expect(estimateConstants(problem).b).toBeLessThan(1e-10);
  expect(estimateConstants(unknowing(problem), { samples: 500 }).b).toBeLessThan(1);
});

test("logistic regression: smooth, with the noise that it was made with", () => {
  const { sigma, b, L, mu, method } = estimateConstants(logistic({ n: 8, d: 3, L: 40, R: 0, sigmaN: 0.1, seed: 2 }));
  expect(method).toBe("sampled");
  expect(Math.abs(sigma / (0.1 * Math.sqrt(3)) - 1)).toBeLessThan(0.2);
  expect(b).toBeGreaterThan(0);
  // The Hessian is the mean of s (1 - s) h h^T, at most a quarter of the features' own.
  expect(L).toBeGreaterThan(mu);
  expect(L).toBeLessThan(1);
  expect(mu).toBeGreaterThan(0);
});

test("where f is not convex there is no kappa", () => {
  const gradient = (x: ArrayLike<number>, i: number, _t: number, out: { [k: number]: number }) => {
    out[0] = (i === 0 ? 1 : -3) * x[0];
  };
  const problem = customProblem({ n: 2, d: 1, gradient });
  expect(estimateConstants(problem, { steps: 3 })).toMatchObject({ kappa: Number.POSITIVE_INFINITY, sigma: 0 });
});

test("options are checked", () => {
  const problem = unknowing(leastSquares({ n: 2 }));
  expect(() => estimateConstants(problem, { samples: 1 })).toThrow("samples must be an integer of at least 2, got 1");
  expect(() => estimateConstants(problem, { h: 0 })).toThrow("h must be above 0");
  expect(() => estimateConstants(problem, { step: 1 } as object)).toThrow("did you mean steps?");
});

test("symmetricEigenvalues: a matrix with known ones", () => {
  // 2 on the diagonal, -1 beside it: 2 - 2 cos(k pi / 6).
  const d = 5;
  const matrix = Float64Array.from({ length: d * d }, (_, k) => {
    const difference = Math.abs(Math.floor(k / d) - (k % d));
    return difference === 0 ? 2 : difference === 1 ? -1 : 0;
  });
  symmetricEigenvalues(matrix, d).forEach((value, k) => {
    expect(value).toBeCloseTo(2 - 2 * Math.cos(((k + 1) * Math.PI) / 6), 13);
  });
});
