/**
 * What a room says of itself to an invited person before a seat is taken. It is in the server's page, which anybody can ask
 * for, so it is sealed under the key of the invite: the text XOR the stream HMAC-SHA-256(key, "about" k), k = 0, 1, 2, ...
 * A room has one key and says one text under it. Whoever serves the page could change it anyway, so it carries no tag.
 */

import { fromBase64url, hmacSha256, toBase64url } from "equitopo/number";

const label = new TextEncoder().encode("about");

/** The text as characters of base64url. O(length). */
export function sealAbout(key: Uint8Array, text: string): string {
  return toBase64url(streamed(key, new TextEncoder().encode(text)));
}

/** The text again; with another key it is none that means anything. */
export function openAbout(key: Uint8Array, sealed: string): string {
  return new TextDecoder().decode(streamed(key, fromBase64url(sealed) ?? new Uint8Array(0)));
}

function streamed(key: Uint8Array, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(bytes.length);
  for (let at = 0, k = 0; at < bytes.length; at += 32, k++) {
    const stream = hmacSha256(key, label, Uint8Array.of(k & 255, k >>> 8));
    for (let j = 0; j < 32 && at + j < bytes.length; j++) out[at + j] = bytes[at + j] ^ stream[j];
  }
  return out;
}
