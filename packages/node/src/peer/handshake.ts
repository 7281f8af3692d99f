/**
 * Who is there? Before any frame, the two ends of a connection show that they run the same spec and, with a pre-shared
 * key, that both know it:
 *
 *   A  dialler  -> listener   magic, version, mode, spec hash, who dials, who is meant, network size, 32 random bytes
 *   B  listener -> dialler    the same from its side, and HMAC(key, "listener" A B)
 *   C  dialler  -> listener   HMAC(key, "dialler" A B)
 *
 * HMAC-SHA-256. Both sides' random bytes are in both proofs, so neither can be replayed; the roles are, so neither can be
 * reflected. Frames are then sealed with AES-256-GCM under HKDF(key, both random bytes), counted from 0: nothing can be
 * read, changed, repeated or left out unseen. No forward secrecy: whoever learns the key can read recorded traffic.
 * Without a key (plain or TLS) the proofs are zeros; TLS has its own.
 */

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import { tagBytes } from "equitopo/peer";

export type Mode = "plain" | "key" | "tls";
export const helloBytes = 84;
export const proofBytes = 32;
const magic = 0x48545145;
const version = 1;
const modes: readonly Mode[] = ["plain", "key", "tls"];

export interface Hello {
  readonly mode: Mode;
  /** SHA-256 of the spec. */
  readonly spec: Uint8Array;
  readonly from: number;
  readonly to: number;
  readonly size: number;
}

export function encodeHello(hello: Hello): Buffer {
  const bytes = Buffer.alloc(helloBytes);
  bytes.writeUInt32LE(magic, 0);
  bytes.writeUInt8(version, 4);
  bytes.writeUInt8(modes.indexOf(hello.mode), 5);
  bytes.set(hello.spec, 8);
  bytes.writeUInt32LE(hello.from, 40);
  bytes.writeUInt32LE(hello.to, 44);
  bytes.writeUInt32LE(hello.size, 48);
  bytes.set(randomBytes(32), 52);
  return bytes;
}

/** The other side's number, or why it is refused. `self` is what this side would say. */
export function checkHello(bytes: Buffer, self: Omit<Hello, "to">): number | string {
  if (bytes.readUInt32LE(0) !== magic) return "garbage";
  if (bytes.readUInt8(4) !== version) return "version";
  if (modes[bytes.readUInt8(5)] !== self.mode) return "mode";
  if (!timingSafeEqual(bytes.subarray(8, 40), self.spec)) return "spec";
  const from = bytes.readUInt32LE(40);
  if (bytes.readUInt32LE(48) !== self.size || from >= self.size || from === self.from) return "rank";
  if (bytes.readUInt32LE(44) !== self.from) return "rank";
  return from;
}

export function proof(key: Uint8Array | undefined, role: "listener" | "dialler", a: Uint8Array, b: Uint8Array): Buffer {
  if (key === undefined) return Buffer.alloc(proofBytes);
  return createHmac("sha256", key).update(role).update(a).update(b).digest();
}

export function sameProof(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Seals or opens the frames of one connection, in the order they are sent. */
export class Seal {
  readonly #key: Uint8Array;
  readonly #nonce = Buffer.alloc(12);
  #count = 0;

  constructor(key: Uint8Array, a: Uint8Array, b: Uint8Array) {
    const salt = Buffer.concat([a.subarray(52, 84), b.subarray(52, 84)]);
    this.#key = new Uint8Array(hkdfSync("sha256", key, salt, "equitopo frames", 32));
  }

  #next(): Buffer {
    this.#nonce.writeUIntLE(this.#count++, 0, 6);
    return this.#nonce;
  }

  seal(header: Uint8Array, payload: Uint8Array): { payload: Buffer; tag: Buffer } {
    const cipher = createCipheriv("aes-256-gcm", this.#key, this.#next(), { authTagLength: tagBytes });
    cipher.setAAD(header);
    const sealed = cipher.update(payload);
    cipher.final();
    return { payload: sealed, tag: cipher.getAuthTag() };
  }

  open(header: Uint8Array, payload: Uint8Array, tag: Uint8Array): Buffer | undefined {
    const decipher = createDecipheriv("aes-256-gcm", this.#key, this.#next(), { authTagLength: tagBytes });
    decipher.setAAD(header);
    decipher.setAuthTag(tag);
    const plain = decipher.update(payload);
    try {
      decipher.final();
      return plain;
    } catch {
      return undefined;
    }
  }
}
