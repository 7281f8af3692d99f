/** Primes, powers and squares modulo a prime, in integers: trial division, for numbers of the size of a network. */

import { mulMod } from "./integers.ts";

/** O(sqrt n). */
export function isPrime(n: number): boolean {
  if (n < 4) return n > 1;
  if (n % 2 === 0) return false;
  for (let divisor = 3; divisor * divisor <= n; divisor += 2) if (n % divisor === 0) return false;
  return true;
}

/** base^exponent mod n. O(log exponent). */
export function powMod(base: number, exponent: number, n: number): number {
  let power = 1 % n;
  let square = base % n;
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) power = mulMod(power, square, n);
    square = mulMod(square, square, n);
  }
  return power;
}

/** Whether a, no multiple of the odd prime p, is a square modulo p (Euler's criterion). O(log p). */
export function isSquareModulo(a: number, p: number): boolean {
  return powMod(a, (p - 1) / 2, p) === 1;
}
