/**
 * A link within a link: every message is sealed with AES-256-GCM and counted from 0, so that whoever carries it can
 * neither read nor change it, nor repeat, reorder or leave one out unseen. The keys, one for each direction, are
 *
 *   HKDF-SHA-256(key, random bytes of both hellos, "equitopo link dialler" | "equitopo link listener")
 *
 * WebCrypto works in the background: messages are sealed side by side and leave in the order in which they were given.
 */

import type { Role } from "equitopo/peer";
import { Inbox } from "./inbox.ts";
import { backlogBytes, type Link, type LinkKind, type LinkListener } from "./link.ts";

/** Whether this runtime can seal: pages that came neither through TLS nor from this machine cannot. */
export function canSeal(): boolean {
  return globalThis.crypto?.subtle !== undefined;
}

export interface SealOptions {
  readonly key: Uint8Array;
  /** The random bytes of both hellos. */
  readonly salt: Uint8Array<ArrayBuffer>;
  /** This side's. */
  readonly role: Role;
  /** Told when a message does not open: the link is closed with it. */
  readonly onBroken: () => void;
}

/** The sealed link over this one. Needs crypto.subtle (`canSeal`). */
export async function sealedLink(link: Link, { key, salt, role, onBroken }: SealOptions): Promise<Link> {
  const { subtle } = globalThis.crypto;
  const base = await subtle.importKey("raw", new Uint8Array(key), "HKDF", false, ["deriveKey"]);
  const derive = (side: Role) =>
    subtle.deriveKey(
      { name: "HKDF", hash: "SHA-256", salt, info: new TextEncoder().encode(`equitopo link ${side}`) },
      base,
      { name: "AES-GCM", length: 256 },
      false,
      ["encrypt", "decrypt"],
    );
  const [out, back] = await Promise.all([derive(role), derive(role === "dialler" ? "listener" : "dialler")]);
  return new SealedLink(link, out, back, onBroken);
}

/** The number of a message as AES-GCM wants it. */
function nonceOf(count: number): Uint8Array<ArrayBuffer> {
  const nonce = new Uint8Array(12);
  new DataView(nonce.buffer).setFloat64(4, count);
  return nonce;
}

class SealedLink implements Link {
  readonly kind: LinkKind;
  readonly copies = true;
  readonly #link: Link;
  readonly #inbox = new Inbox();
  readonly #out: CryptoKey;
  readonly #back: CryptoKey;
  readonly #onBroken: () => void;
  /** Messages given and taken so far. */
  #sent = 0;
  #opened = 0;
  /** Bytes that are being sealed. */
  #sealing = 0;
  #sending: Promise<unknown> = Promise.resolve();
  #opening: Promise<unknown> = Promise.resolve();

  constructor(link: Link, out: CryptoKey, back: CryptoKey, onBroken: () => void) {
    this.kind = link.kind;
    this.#link = link;
    this.#out = out;
    this.#back = back;
    this.#onBroken = onBroken;
    link.listen({
      message: (bytes) => this.#open(bytes),
      drained: () => this.#ease(),
      closed: () => {
        void this.#opening.then(() => this.#inbox.closed());
      },
    });
  }

  get backlog(): number {
    return this.#sealing + this.#link.backlog;
  }

  send(piece: Uint8Array<ArrayBuffer>): void {
    if (this.#inbox.ended) return;
    const { length } = piece;
    this.#sealing += length;
    const sealed = globalThis.crypto.subtle.encrypt({ name: "AES-GCM", iv: nonceOf(this.#sent++) }, this.#out, piece);
    this.#sending = this.#sending.then(async () => {
      const bytes = new Uint8Array(await sealed);
      this.#sealing -= length;
      this.#link.send(bytes);
      this.#ease();
    });
  }

  #ease(): void {
    if (this.backlog <= backlogBytes / 2) this.#inbox.drained();
  }

  #open(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.#inbox.ended) return;
    const plain = globalThis.crypto.subtle
      .decrypt({ name: "AES-GCM", iv: nonceOf(this.#opened++) }, this.#back, bytes)
      .catch(() => undefined);
    this.#opening = this.#opening.then(async () => {
      const message = await plain;
      if (this.#inbox.ended) return;
      if (message === undefined) {
        this.#onBroken();
        this.close();
      } else if (!this.#inbox.message(new Uint8Array(message))) this.close();
    });
  }

  listen(listener: LinkListener | undefined): void {
    this.#inbox.listen(listener);
  }

  close(): void {
    if (this.#inbox.ended) return;
    this.#inbox.closed();
    // What was given before the end still goes.
    void this.#sending.then(() => this.#link.close());
  }
}
