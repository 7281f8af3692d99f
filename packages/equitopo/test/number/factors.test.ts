/** Factors, smooth numbers and orders, each against its definition. */

import { expect, test } from "vitest";
import { dividingPowers, nearestSmooth, orderUpToSign, primeFactors, smoothPart } from "../../src/number/factors.ts";
import { ceilLog, gcd, powMod } from "../../src/number/integers.ts";

test("primeFactors multiply to n, ascend and do not divide", () => {
  for (let n = 1; n <= 500; n++) {
    const factors = primeFactors(n);
    expect(factors.reduce((product, { prime, exponent }) => product * prime ** exponent, 1)).toBe(n);
    for (const { prime } of factors) for (let d = 2; d < prime; d++) expect(prime % d).toBeGreaterThan(0);
  }
  expect(primeFactors(2 ** 31 - 1)).toEqual([{ prime: 2 ** 31 - 1, exponent: 1 }]);
});

test("smoothPart keeps the primes up to the limit", () => {
  for (let n = 1; n <= 300; n++) {
    for (const most of [1, 2, 3, 6, 13, 40]) {
      const small = primeFactors(n).filter(({ prime }) => prime <= most);
      expect(smoothPart(n, most)).toBe(small.reduce((product, { prime, exponent }) => product * prime ** exponent, 1));
    }
  }
});

test("nearestSmooth, listed or searched for, is what looking at every number finds", () => {
  for (const most of [2, 3, 7, 13, 17, 23]) {
    for (const n of [29, 58, 97, 1009, 2021]) {
      const smooth = (m: number) => smoothPart(m, most) === m;
      if (smooth(n)) continue;
      let [below, above] = [n, n];
      while (!smooth(below)) below--;
      while (!smooth(above)) above++;
      expect(nearestSmooth(n, most, 2 ** 31 - 1)).toEqual([below, above]);
      expect(nearestSmooth(n, most, n)).toEqual([below]);
    }
  }
});

test("orderUpToSign is the least power that is 1 or -1", () => {
  for (let m = 2; m < 200; m++) {
    for (const b of [2, 3, 10, 12]) {
      if (gcd(b, m) > 1) continue;
      let [order, power] = [1, b % m];
      for (; power !== 1 && power !== m - 1; order++) power = (power * b) % m;
      expect(orderUpToSign(b, m)).toBe(order);
    }
  }
});

test("dividingPowers splits off what some power of b divides, and says which", () => {
  for (let n = 1; n <= 300; n++) {
    for (const b of [2, 6, 10, 12]) {
      const { part, steps } = dividingPowers(n, b);
      expect([n % part, gcd(n / part, b)]).toEqual([0, 1]);
      expect(powMod(b, steps, part)).toBe(0);
      if (steps > 0) expect(powMod(b, steps - 1, part)).not.toBe(0);
    }
  }
});

test("powMod and ceilLog are exact where floating numbers are not", () => {
  expect(powMod(3, 10 ** 9, 2 ** 31 - 1)).toBe(Number(modPow(3n, 10n ** 9n, 2n ** 31n - 1n)));
  expect([ceilLog(3, 243), ceilLog(3, 244), ceilLog(2, 2 ** 29), ceilLog(5, 1)]).toEqual([5, 6, 29, 0]);
});

function modPow(base: bigint, exponent: bigint, n: bigint): bigint {
  if (exponent === 0n) return 1n % n;
  const half = modPow(base, exponent / 2n, n);
  return (half * half * (exponent % 2n === 1n ? base : 1n)) % n;
}
