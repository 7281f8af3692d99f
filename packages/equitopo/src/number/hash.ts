/**
 * SHA-256 (FIPS 180-4) of a state's bytes, so that two runs anywhere can be compared by 64 hexadecimal digits.
 * WebCrypto's is asynchronous and Node's is not in browsers; this one is neither, at some 150 MB/s.
 */

/** The first 32 bits of the fractional parts of the roots of the first primes: cube roots, and square roots. */
const [K, START] = constants();

function constants(): [Int32Array, Int32Array] {
  const primes: number[] = [];
  for (let p = 2; primes.length < 64; p++) if (primes.every((q) => p % q !== 0)) primes.push(p);
  return [Int32Array.from(primes, (p) => rootBits(p, 3)), Int32Array.from(primes.slice(0, 8), (p) => rootBits(p, 2))];
}

/** floor(2^32 p^(1/k)) mod 2^32, in integers: Math's roots may be off in the last bit. */
function rootBits(p: number, k: 2 | 3): number {
  const target = BigInt(p) << BigInt(32 * k);
  let root = 0n;
  for (let bit = 1n << 36n; bit > 0n; bit >>= 1n) {
    const next = root | bit;
    if (next ** BigInt(k) <= target) root = next;
  }
  return Number(root & 0xffffffffn) | 0;
}

/**
 * SHA-256 of bytes, in hexadecimal.
 *
 * @example
 * ```ts
 * import { sha256 } from "equitopo/number";
 * sha256(Uint8Array.of(97, 98, 99)).slice(0, 8) // => "ba7816bf"
 * ```
 */
export function sha256(bytes: Uint8Array): string {
  return Array.from(digest(bytes), (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** SHA-256 as its 32 bytes. */
export function sha256Bytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const hash = new Uint8Array(32);
  const view = new DataView(hash.buffer);
  digest(bytes).forEach((word, k) => {
    view.setInt32(4 * k, word);
  });
  return hash;
}

/** The eight words of the hash. */
function digest(bytes: Uint8Array): Int32Array {
  const state = START.slice();
  const w = new Int32Array(64);
  const whole = bytes.length - (bytes.length % 64);
  for (let at = 0; at < whole; at += 64) compress(state, bytes, at, w);
  // The rest, a 1 bit, zeros, and the length in bits.
  const rest = bytes.length - whole;
  const tail = new Uint8Array(rest < 56 ? 64 : 128);
  tail.set(bytes.subarray(whole));
  tail[rest] = 0x80;
  const view = new DataView(tail.buffer);
  view.setUint32(tail.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(tail.length - 4, (bytes.length * 8) % 2 ** 32);
  for (let at = 0; at < tail.length; at += 64) compress(state, tail, at, w);
  return state;
}

function compress(state: Int32Array, bytes: Uint8Array, at: number, w: Int32Array): void {
  for (let t = 0; t < 16; t++, at += 4) {
    w[t] = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
  }
  for (let t = 16; t < 64; t++) {
    const p = w[t - 15];
    const q = w[t - 2];
    const s0 = ((p >>> 7) | (p << 25)) ^ ((p >>> 18) | (p << 14)) ^ (p >>> 3);
    const s1 = ((q >>> 17) | (q << 15)) ^ ((q >>> 19) | (q << 13)) ^ (q >>> 10);
    w[t] = (w[t - 16] + s0 + w[t - 7] + s1) | 0;
  }
  let a = state[0];
  let b = state[1];
  let c = state[2];
  let d = state[3];
  let e = state[4];
  let f = state[5];
  let g = state[6];
  let h = state[7];
  for (let t = 0; t < 64; t++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[t] + w[t]) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

/**
 * SHA-256 of the rows' bytes, little-endian on every machine. O(bytes).
 *
 * @example
 * ```ts
 * import { stateHash } from "equitopo";
 * stateHash(Float64Array.of(1, 2)).slice(0, 8) // => "dc91ce9a"
 * ```
 */
export function stateHash(x: Float64Array | Float32Array): string {
  const bytes = new Uint8Array(x.buffer, x.byteOffset, x.byteLength);
  const littleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
  if (littleEndian) return sha256(bytes);
  const swapped = bytes.slice();
  for (let at = 0; at < swapped.length; at += x.BYTES_PER_ELEMENT) {
    swapped.subarray(at, at + x.BYTES_PER_ELEMENT).reverse();
  }
  return sha256(swapped);
}
