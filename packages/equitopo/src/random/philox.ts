/**
 * Philox 4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011).
 *
 * A counter-based generator: 128 bits of counter and 64 bits of key in, 128 random bits out, no state.
 * Ten rounds of  (c0, c1, c2, c3) <- (hi(M1 c2) ^ c1 ^ k0, lo(M1 c2), hi(M0 c0) ^ c3 ^ k1, lo(M0 c0)),
 * the key raised by (W0, W1) after each. It passes BigCrush; the tests check Random123's published vectors.
 *
 * Here the key is the seed and the counter is (index, round, stream): number `index` of stream `stream` in round
 * `round` can be computed by anyone, at any time, alone.
 */

const M0 = 0xd2511f53;
const M1 = 0xcd9e8d57;
const W0 = 0x9e3779b9 | 0;
const W1 = 0xbb67ae85 | 0;

/** The high 32 bits of the unsigned product, from 16-bit halves of the constant factor: all in int32 registers. */
function mulHigh(high: number, low: number, b: number): number {
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const middle1 = Math.imul(high, bLow);
  const middle2 = Math.imul(low, bHigh);
  const carry = (middle1 & 0xffff) + (middle2 & 0xffff) + (Math.imul(low, bLow) >>> 16);
  return (Math.imul(high, bHigh) + (middle1 >>> 16) + (middle2 >>> 16) + (carry >>> 16)) | 0;
}

/** The high 32 bits of the unsigned 64-bit product a b, as a number in [0, 2^32). */
export function multiplyHigh(a: number, b: number): number {
  return mulHigh(a >>> 16, a & 0xffff, b) >>> 0;
}

type Words = Uint32Array | Int32Array;

/** One block: out[0..3] = Philox4x32-10(counter, key). About 40 ns. */
export function philox(k0: number, k1: number, c0: number, c1: number, c2: number, c3: number, out: Words): void {
  for (let round = 0; round < 10; round++) {
    const high0 = mulHigh(M0 >>> 16, M0 & 0xffff, c0);
    const high1 = mulHigh(M1 >>> 16, M1 & 0xffff, c2);
    const low0 = Math.imul(M0, c0);
    const low1 = Math.imul(M1, c2);
    c0 = high1 ^ c1 ^ k0;
    c1 = low1;
    c2 = high0 ^ c3 ^ k1;
    c3 = low0;
    k0 = (k0 + W0) | 0;
    k1 = (k1 + W1) | 0;
  }
  out[0] = c0;
  out[1] = c1;
  out[2] = c2;
  out[3] = c3;
}

/**
 * Block `index` of (seed, stream, round): four 32-bit words.
 *
 * seed and round are integers below 2^53, stream and index below 2^32.
 *
 * @example
 * ```ts
 * import { block } from "equitopo/random";
 * const words = new Uint32Array(4);
 * block(0, 0, 0, 0, words);
 * words[0].toString(16) // => "6627e8d5"
 * ```
 */
export function block(seed: number, stream: number, round: number, index: number, out: Words): void {
  philox(seed | 0, high32(seed), index, round | 0, stream, high32(round), out);
}

/** Bits 32 to 52 of a nonnegative safe integer. (x | 0 gives the low 32: ToInt32 works modulo 2^32.) */
export function high32(x: number): number {
  return (x / 4294967296) | 0;
}
