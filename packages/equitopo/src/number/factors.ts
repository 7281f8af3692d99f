/**
 * Prime factors of numbers below 2^31 by trial division, and what follows from them: smooth numbers (no prime above a
 * limit) and orders of powers.
 */

import { gcd, powMod } from "./integers.ts";

export interface PrimePower {
  readonly prime: number;
  readonly exponent: number;
}

/** n as a product of powers of primes, ascending; none for n = 1. O(sqrt n). */
export function primeFactors(n: number): PrimePower[] {
  const factors: PrimePower[] = [];
  let rest = n;
  for (let prime = 2; prime * prime <= rest; prime++) {
    let exponent = 0;
    for (; rest % prime === 0; rest /= prime) exponent++;
    if (exponent > 0) factors.push({ prime, exponent });
  }
  return rest > 1 ? [...factors, { prime: rest, exponent: 1 }] : factors;
}

/** O(sqrt n). */
export function isPrime(n: number): boolean {
  return n > 1 && primeFactors(n)[0].prime === n;
}

/** Whether a, no multiple of the odd prime p, is a square modulo p (Euler's criterion). O(log p). */
export function isSquareModulo(a: number, p: number): boolean {
  return powMod(a, (p - 1) / 2, p) === 1;
}

/** The largest divisor of n without a prime above `most`. O(min(most, sqrt n)). */
export function smoothPart(n: number, most: number): number {
  let rest = n;
  for (let prime = 2; prime <= most && prime * prime <= rest; prime++) while (rest % prime === 0) rest /= prime;
  // What is left is 1 or a prime, or has only primes above `most`.
  return rest <= most ? n : n / rest;
}

/** Up to this prime the smooth numbers are few and far between, and are listed; beyond, one is always near. */
const LISTED = 13;

/** The nearest numbers below and above n (2 and more, up to `largest`) that have no prime above `most`. */
export function nearestSmooth(n: number, most: number, largest: number): number[] {
  const smooth = (m: number) => smoothPart(m, most) === m;
  let below = n - 1;
  let above = n + 1;
  if (most > LISTED) {
    while (below >= 2 && !smooth(below)) below--;
    while (above <= largest && !smooth(above)) above++;
  } else {
    const all = smoothUpTo(2 * n, most);
    below = Math.max(...all.filter((m) => m < n));
    // 2 n at the latest: some power of 2 lies between.
    above = Math.min(...all.filter((m) => m > n));
  }
  return [below, above].filter((m) => m >= 2 && m <= largest);
}

function smoothUpTo(limit: number, most: number): number[] {
  let all = [1];
  for (let prime = 2; prime <= most; prime++) {
    if (!isPrime(prime)) continue;
    const powers = [1];
    while (powers[powers.length - 1] * prime <= limit) powers.push(powers[powers.length - 1] * prime);
    all = all.flatMap((m) => powers.map((power) => m * power).filter((product) => product <= limit));
  }
  return all;
}

/**
 * The least o >= 1 with b^o = 1 or -1 mod m, for b prime to m: a divisor of Euler's phi(m), found by taking primes out
 * of it. O(sqrt m).
 */
export function orderUpToSign(b: number, m: number): number {
  if (m <= 2) return 1;
  let order = primeFactors(m).reduce((phi, { prime, exponent }) => phi * (prime - 1) * prime ** (exponent - 1), 1);
  for (const { prime } of primeFactors(order)) {
    while (order % prime === 0 && powMod(b, order / prime, m) === 1) order /= prime;
  }
  return order % 2 === 0 && powMod(b, order / 2, m) === m - 1 ? order / 2 : order;
}

/** n = part times a number prime to b, `steps` the least with part dividing b^steps. O(log n) divisors. */
export function dividingPowers(n: number, b: number): { readonly part: number; readonly steps: number } {
  let rest = n;
  let steps = 0;
  for (let common = gcd(b, rest); common > 1; common = gcd(b, rest)) {
    rest /= common;
    steps++;
  }
  return { part: n / rest, steps };
}
