/** Differences that a plain formula loses, and all the digits of a uniform number. */

import { expect, test } from "vitest";
import { versine } from "../../src/number/roots.ts";
import { RandomStream } from "../../src/random/stream.ts";

test("1 - cos of a small angle keeps its digits", () => {
  for (const n of [1e6, 1e8, 1e10]) {
    // To second order in the angle, and the next term of the series.
    const angle = (2 * Math.PI) / n;
    expect(versine(1, n) / ((angle * angle) / 2 - angle ** 4 / 24)).toBeCloseTo(1, 13);
  }
});

test("uniform numbers have 53 bits: the last is 1 as often as 0", () => {
  const random = new RandomStream(3, 100);
  const odd = Array.from({ length: 400 }, () => (random.uniform() * 2 ** 53) % 2).filter((bit) => bit === 1).length;
  expect(odd).toBeGreaterThan(150);
  expect(odd).toBeLessThan(250);
});
