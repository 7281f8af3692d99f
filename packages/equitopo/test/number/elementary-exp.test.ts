import fc from "fast-check";
import { expect, test } from "vitest";
import { exp, sigmoid, softplus } from "../../src/number/elementary.ts";

const bits = new DataView(new ArrayBuffer(8));

/** How many numbers lie between a and b, both positive. */
function steps(a: number, b: number): number {
  bits.setFloat64(0, a);
  const first = bits.getBigInt64(0);
  bits.setFloat64(0, b);
  return Math.abs(Number(first - bits.getBigInt64(0)));
}

const real = (bound: number) => fc.double({ min: -bound, max: bound, noNaN: true });

test("exp is within 2 units in the last place of Math.exp", () => {
  fc.assert(
    fc.property(fc.oneof(real(1), real(40), real(708)), (x) => {
      expect(steps(exp(x), Math.exp(x))).toBeLessThanOrEqual(2);
    }),
    { numRuns: 5000 },
  );
});

test("exp at the ends of its range", () => {
  expect(exp(0)).toBe(1);
  expect(exp(-0)).toBe(1);
  expect(exp(710)).toBe(Number.POSITIVE_INFINITY);
  expect(exp(-746)).toBe(0);
  expect(exp(Number.NEGATIVE_INFINITY)).toBe(0);
  expect(exp(Number.NaN)).toBeNaN();
  expect(exp(709.75) / Math.exp(709.75)).toBeCloseTo(1, 14);
  // Below 2^-1022 numbers lie 2^-1074 apart.
  expect(Math.abs(exp(-740) - Math.exp(-740))).toBeLessThanOrEqual(2 ** -1073);
});

test("sigmoid and softplus are within 4 units of their formulas by Math", () => {
  fc.assert(
    fc.property(fc.oneof(real(2), real(40), real(700)), (x) => {
      expect(steps(sigmoid(x), 1 / (1 + Math.exp(-x)))).toBeLessThanOrEqual(4);
      expect(steps(softplus(x), Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x))))).toBeLessThanOrEqual(4);
    }),
    { numRuns: 5000 },
  );
});

test("sigmoid and softplus far out", () => {
  expect(sigmoid(0)).toBe(0.5);
  expect(softplus(0)).toBe(Math.LN2);
  expect(sigmoid(1e9)).toBe(1);
  expect(sigmoid(-1e9)).toBeLessThan(1e-307);
  expect(softplus(1e9)).toBe(1e9);
  expect(softplus(-1e9)).toBeLessThan(1e-307);
});
