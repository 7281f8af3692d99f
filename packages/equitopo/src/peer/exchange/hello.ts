/**
 * The greeting of two peers. Before any frame, the two ends of a connection prove that they run the same spec and, with a
 * pre-shared key, that both know it:
 *
 *   A  dialler  -> listener   magic, version, mode, spec hash, ranks of both ends, network size, 32 random bytes,
 *                             which incarnation dials, and the newest one of the listener that it knows (incarnation.ts)
 *   B  listener -> dialler    the same from its side, and HMAC(key, "listener" A B binding)
 *   C  dialler  -> listener   HMAC(key, "dialler" A B binding)
 *
 * HMAC-SHA-256. Both sides' random bytes are in both proofs, so neither can be replayed; the roles are, so neither can be
 * reflected. The binding is what ties the proofs to the encryption below them, where there is one that a man in the middle
 * could end at himself (WebRTC: the fingerprints of both certificates; WebSocket: the address that was dialled, which TLS
 * vouches for); it is empty elsewhere. Without a key (plain or TLS) the proofs are zeros; TLS has its own.
 *
 * Little-endian: 0 magic, 4 version, 5 mode, 8 spec hash (32), 40 from, 44 to, 48 size, 52 random bytes (32),
 * 84 incarnation, 92 the known incarnation (53 bits each; 0 if none is stated: seats of a room have epochs instead).
 */

import { hmacSha256, sameBytes } from "../../number/hmac.ts";

/**
 * How frames are protected once the other side is known. plain: not at all (one machine). key: sealed under the key. tls:
 * by TLS with certificates at both ends. rtc: by DTLS, whose fingerprints are in the proofs. socket: by TLS to the address
 * that is in the proofs, or by not leaving this machine.
 */
export type Mode = "plain" | "key" | "tls" | "rtc" | "socket";
export type Role = "dialler" | "listener";

export const helloBytes = 100;
export const proofBytes = 32;
export const nonceBytes = 32;
const magic = 0x48545145;
const version = 3;
/** The bytes that say whether the rest can be read at all: magic and version. */
export const openingBytes = 5;
const [randomAt, incarnationAt, knownAt] = [52, 84, 92];
const modes: readonly Mode[] = ["plain", "key", "tls", "rtc", "socket"];
const nothing = new Uint8Array(0);
const roleBytes: Readonly<Record<Role, Uint8Array>> = {
  dialler: Uint8Array.from("dialler", (letter) => letter.charCodeAt(0)),
  listener: Uint8Array.from("listener", (letter) => letter.charCodeAt(0)),
};

export interface Hello {
  readonly mode: Mode;
  readonly spec: Uint8Array;
  readonly from: number;
  readonly to: number;
  readonly size: number;
  readonly incarnation?: number;
  /** The newest incarnation of the other side that this side knows of. */
  readonly known?: number;
}

/** The hello as bytes; `random` are 32 bytes that were never used before. */
export function encodeHello(hello: Hello, random: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(helloBytes);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, magic, true);
  view.setUint8(4, version);
  view.setUint8(5, modes.indexOf(hello.mode));
  bytes.set(hello.spec, 8);
  view.setUint32(40, hello.from, true);
  view.setUint32(44, hello.to, true);
  view.setUint32(48, hello.size, true);
  bytes.set(random.subarray(0, nonceBytes), randomAt);
  view.setBigUint64(incarnationAt, BigInt(hello.incarnation ?? 0), true);
  view.setBigUint64(knownAt, BigInt(hello.known ?? 0), true);
  return bytes;
}

/** Why the first five bytes are not the beginning of a hello of this version; undefined if they are. */
export function checkOpening(bytes: Uint8Array): string | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, openingBytes);
  if (view.getUint32(0, true) !== magic) return "garbage";
  return view.getUint8(4) === version ? undefined : "version";
}

/** The incarnation of this hello's sender, and the incarnation that the sender knows the other side to have. */
export function incarnationsIn(bytes: Uint8Array): { readonly incarnation: number; readonly known: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, helloBytes);
  const at = (place: number) => Number(view.getBigUint64(place, true));
  return { incarnation: at(incarnationAt), known: at(knownAt) };
}

/** Whose number a hello claims to have, proved or not. */
export function claimedIn(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, helloBytes).getUint32(40, true);
}

/** The other side's number, or why it is refused. `self` is what this side would say. */
export function checkHello(bytes: Uint8Array, self: Omit<Hello, "to">): number | string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length !== helloBytes) return "garbage";
  const wrong = checkOpening(bytes);
  if (wrong !== undefined) return wrong;
  if (modes[view.getUint8(5)] !== self.mode) return "mode";
  if (!sameBytes(bytes.subarray(8, 40), self.spec)) return "spec";
  const from = view.getUint32(40, true);
  if (view.getUint32(48, true) !== self.size || from >= self.size || from === self.from) return "rank";
  if (view.getUint32(44, true) !== self.from) return "rank";
  const { incarnation, known } = incarnationsIn(bytes);
  return Math.max(incarnation, known) > Number.MAX_SAFE_INTEGER ? "garbage" : from;
}

/** The random bytes of both hellos: what the keys of a connection are derived with. */
export function saltOf(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const salt = new Uint8Array(2 * nonceBytes);
  salt.set(a.subarray(randomAt, randomAt + nonceBytes));
  salt.set(b.subarray(randomAt, randomAt + nonceBytes), nonceBytes);
  return salt;
}

export function proof(
  key: Uint8Array | undefined,
  role: Role,
  a: Uint8Array,
  b: Uint8Array,
  binding: Uint8Array = nothing,
): Uint8Array<ArrayBuffer> {
  if (key === undefined) return new Uint8Array(proofBytes);
  return hmacSha256(key, roleBytes[role], a, b, binding);
}
