/**
 * HMAC-SHA-256 (RFC 2104): H(key ^ opad, H(key ^ ipad, message)). WebCrypto's is missing on pages without TLS, and peers
 * must know each other there, too. For proofs of a hundred bytes, not for streams.
 */

import { sha256Bytes } from "./hash.ts";

const block = 64;

/**
 * The 32 bytes of HMAC-SHA-256 over the parts, one after the other. O(bytes).
 *
 * @example
 * ```ts
 * import { hmacSha256 } from "equitopo/number";
 * const text = (words: string) => new TextEncoder().encode(words);
 * hmacSha256(text("Jefe"), text("what do ya want "), text("for nothing?"))[0] // => 0x5b
 * ```
 */
export function hmacSha256(key: Uint8Array, ...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(block);
  padded.set(key.length > block ? sha256Bytes(key) : key);
  const inner = [padded.map((byte) => byte ^ 0x36), ...parts];
  return sha256Bytes(joined([padded.map((byte) => byte ^ 0x5c), sha256Bytes(joined(inner))]));
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Whether two runs of bytes are equal, in a time that does not depend on where they differ. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let k = 0; k < a.length; k++) difference |= a[k] ^ b[k];
  return difference === 0;
}
