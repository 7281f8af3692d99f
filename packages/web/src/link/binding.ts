/**
 * What the proofs of an introduction are bound to: something that both ends of a link see alike exactly where nobody stands
 * between them. Over WebRTC the fingerprints of the two certificates, read off the descriptions that both sides hold; over
 * WebSocket the address that was dialled, since TLS lets nobody else answer there.
 */

import { InputError } from "equitopo/input";

export interface Fingerprints {
  readonly dialler: string;
  readonly listener: string;
}

/**
 * The fingerprints in a description, in one spelling and order.
 *
 * @example
 * ```ts
 * import { fingerprintOf } from "@equitopo/web";
 * fingerprintOf("v=0\r\na=fingerprint:sha-256 0a:1B\r\n") // => "sha-256 0A:1B"
 * ```
 */
export function fingerprintOf(sdp: string): string {
  const found = Array.from(
    sdp.matchAll(/^a=fingerprint:(\S+) ([0-9A-Fa-f:]+)\s*$/gm),
    ([, hash, digits]) => `${hash.toLowerCase()} ${digits.toUpperCase()}`,
  );
  if (found.length === 0) {
    throw new InputError("a WebRTC description names its certificate", "no a=fingerprint line", "send it whole");
  }
  return [...new Set(found)].sort().join(" ");
}

/** Both as bytes for the proofs. A line each: no two pairs give the same bytes. */
export function fingerprintBinding({ dialler, listener }: Fingerprints): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${dialler}\n${listener}\n`);
}

/** Scheme, host and port of a URL, in one spelling, as bytes for the proofs. */
export function addressBinding(address: string): Uint8Array<ArrayBuffer> {
  const { protocol, host } = new URL(address);
  return new TextEncoder().encode(`${protocol}//${host}\n`);
}
