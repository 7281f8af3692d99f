/**
 * Frames sealed with AES-256-GCM under HKDF(key, both random bytes of the hellos), counted from 0: nothing can be read,
 * changed, repeated or left out unseen. No forward secrecy: whoever learns the key can read recorded traffic.
 */

import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import { saltOf, tagBytes } from "equitopo/internal/peer";

/** Seals or opens the frames of one connection, in the order they are sent. */
export class Seal {
  readonly #key: Uint8Array;
  readonly #nonce = Buffer.alloc(12);
  #count = 0;

  /** `a` and `b` are the hellos of the dialler and the listener. */
  constructor(key: Uint8Array, a: Uint8Array, b: Uint8Array) {
    this.#key = new Uint8Array(hkdfSync("sha256", key, saltOf(a, b), "equitopo frames", 32));
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
