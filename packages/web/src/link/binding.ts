/**
 * What the proofs of an introduction are bound to: something that both ends of a link see alike only if nobody is between
 * them. Over WebRTC the fingerprints of the two certificates, read off the descriptions that both sides hold; over
 * WebSocket the address that was dialled, since TLS lets nobody else answer there. Without TLS only this machine is safe.
 */

import { InputError } from "equitopo/internal/input";

export interface Fingerprints {
  readonly dialler: string;
  readonly listener: string;
}

/**
 * The fingerprints in a description, in one spelling and order. Every line that speaks of one must be read here exactly as
 * an engine reads it: a line that only one of the two takes for a fingerprint would let a man in the middle show another.
 *
 * @example
 * ```ts
 * import { fingerprintOf } from "@equitopo/web";
 * fingerprintOf("v=0\r\na=fingerprint:sha-256 0a:1B\r\n") // => "sha-256 0A:1B"
 * ```
 */
export function fingerprintOf(sdp: string): string {
  const lines = sdp.split(/\r?\n/).filter((line) => /fingerprint/i.test(line));
  const found = lines.map((line) => /^a=fingerprint:([\w-]+) ([0-9A-F:]+)$/i.exec(line));
  if (found.length === 0 || found.includes(null)) {
    const got = found.length === 0 ? "no a=fingerprint line" : "one in another form";
    throw new InputError("a WebRTC description names its certificate", got, "send it whole, as the engine made it");
  }
  const spelled = found.map((parts) => `${parts?.[1].toLowerCase()} ${parts?.[2].toUpperCase()}`);
  return [...new Set(spelled)].sort().join(" ");
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

/** Whether a host is this very machine, as URLs write it: IPv6 in brackets or without. */
export function isLoopbackHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "").toLowerCase();
  return bare === "localhost" || bare === "::1" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(bare);
}

/** Whether a WebSocket may be opened to that address: without TLS only on this very machine. */
export function isSafeAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === "wss:" || (protocol === "ws:" && isLoopbackHost(hostname));
}
