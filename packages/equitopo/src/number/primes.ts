/** Primes and squares modulo a prime, in integers: trial division, for numbers of the size of a network. */

import { powMod } from "./integers.ts";

/** O(sqrt n). */
export function isPrime(n: number): boolean {
  if (n < 4) return n > 1;
  if (n % 2 === 0) return false;
  for (let divisor = 3; divisor * divisor <= n; divisor += 2) if (n % divisor === 0) return false;
  return true;
}

/** Whether a, no multiple of the odd prime p, is a square modulo p (Euler's criterion). O(log p). */
export function isSquareModulo(a: number, p: number): boolean {
  return powMod(a, (p - 1) / 2, p) === 1;
}
