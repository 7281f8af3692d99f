/**
 * Exact integer arithmetic on node labels. JavaScript's % keeps the sign of its left side,
 * which breaks every formula of the paper that says "mod": use these instead.
 */

/** a mod n in [0, n), for any integer a. */
export function mod(a: number, n: number): number {
  const r = a % n;
  return r < 0 ? r + n : r;
}

/** Greatest common divisor of two nonnegative integers; gcd(0, n) = n. */
export function gcd(a: number, b: number): number {
  while (b !== 0) {
    const r = a % b;
    a = b;
    b = r;
  }
  return a;
}

/**
 * a * b mod n, exact for a, b < n < 2^53. Below 2^53 the plain product is exact; above, BigInt.
 */
export function mulMod(a: number, b: number, n: number): number {
  const product = a * b;
  return product <= Number.MAX_SAFE_INTEGER ? product % n : Number((BigInt(a) * BigInt(b)) % BigInt(n));
}

/**
 * The b in [0, n/d) with b v = d (mod n), d = gcd(v, n): the extended Euclidean algorithm, O(log n).
 * (The paper asks for b in [1, n/d - 1]; b = 0 only when n/d = 1, that is v = 0 mod n.)
 */
export function bezout(v: number, n: number): { d: number; b: number } {
  // Labels are below 2^31 and no factor exceeds n: int32 arithmetic, twice as fast as that of doubles.
  let d = v | 0;
  let b = 1;
  let nextD = n | 0;
  let nextB = 0;
  while (nextD !== 0) {
    const quotient = (d / nextD) | 0;
    const remainder = (d - Math.imul(quotient, nextD)) | 0;
    const factor = (b - Math.imul(quotient, nextB)) | 0;
    d = nextD;
    b = nextB;
    nextD = remainder;
    nextB = factor;
  }
  return { d, b: mod(b, n / d) };
}

/** The smallest L with 2^L >= n, in integers (Math.log2 rounds). */
export function ceilLog2(n: number): number {
  return ceilLog(2, n);
}

/** base^exponent mod n, exact for n < 2^53, in O(log exponent) products. */
export function powMod(base: number, exponent: number, n: number): number {
  let result = 1 % n;
  let square = mod(base, n);
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = mulMod(result, square, n);
    square = mulMod(square, square, n);
  }
  return result;
}

/** The smallest L with base^L >= n, in integers. */
export function ceilLog(base: number, n: number): number {
  let exponent = 0;
  for (let power = 1; power < n; power *= base) exponent++;
  return exponent;
}
