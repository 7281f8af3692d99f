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

test("each of the 53 bits of a uniform number is 1 as often as 0", () => {
  const random = new RandomStream(3, 100);
  const numbers = Array.from({ length: 400 }, () => random.uniform() * 2 ** 53);
  for (let bit = 0; bit < 53; bit++) {
    const ones = numbers.filter((value) => Math.floor(value / 2 ** bit) % 2 === 1).length;
    expect(ones).toBeGreaterThan(140);
    expect(ones).toBeLessThan(260);
  }
});
