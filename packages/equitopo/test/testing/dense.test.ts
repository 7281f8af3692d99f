/** The oracle itself, on matrices whose spectra are known without it. */

import { expect, test } from "vitest";
import { consensusNorm, multiply, spectralNorm, symmetricEigenvalues, transpose } from "../../src/testing/dense.ts";

test("eigenvalues of the path's Laplacian are 2 - 2 cos(pi k / n)", () => {
  const n = 12;
  const laplacian = new Float64Array(n * n);
  for (let i = 0; i + 1 < n; i++) {
    laplacian[i * n + i] += 1;
    laplacian[(i + 1) * n + i + 1] += 1;
    laplacian[i * n + i + 1] = -1;
    laplacian[(i + 1) * n + i] = -1;
  }
  symmetricEigenvalues(laplacian, n).forEach((value, k) => {
    expect(value).toBeCloseTo(2 - 2 * Math.cos((Math.PI * k) / n), 13);
  });
});

test("the spectral norm of diag(1e-9, 1e-12) between two rotations keeps its digits", () => {
  const rotation = (x: number) => Float64Array.of(Math.cos(x), -Math.sin(x), Math.sin(x), Math.cos(x));
  const a = multiply(multiply(rotation(0.3), Float64Array.of(1e-12, 0, 0, 1e-9), 2), rotation(1.1), 2);
  expect(Math.abs(spectralNorm(a, 2) - 1e-9)).toBeLessThan(1e-23);
});

test("norm and eigenvalues agree: the root of the largest eigenvalue of A^T A", () => {
  const n = 9;
  const a = Float64Array.from({ length: n * n }, (_, e) => Math.sin(7 * e * e + 1));
  const gram = multiply(transpose(a, n), a, n);
  expect(spectralNorm(a, n)).toBeCloseTo(Math.sqrt(symmetricEigenvalues(gram, n)[n - 1]), 12);
});

test("Pi takes consensus out: I has norm 1, J has norm 0", () => {
  const n = 5;
  const identity = Float64Array.from({ length: n * n }, (_, e) => (e % (n + 1) === 0 ? 1 : 0));
  expect(consensusNorm(identity, n)).toBeCloseTo(1, 14);
  expect(consensusNorm(new Float64Array(n * n).fill(1 / n), n)).toBeLessThan(1e-15);
});
