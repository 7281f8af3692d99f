/**
 * A link within a link: every message is sealed with AES-256-GCM and counted from 0, so that a carrier can neither
 * read nor change a message, nor repeat, reorder or leave one out without being noticed. The keys, one for each direction, are
 *
 *   HKDF-SHA-256(key, random bytes of both hellos, "equitopo link dialler" | "equitopo link listener")
 *
 * WebCrypto works in the background: messages are sealed side by side and leave in the order in which they were given.
 */

import type { Role } from "equitopo/peer";
import { Inbox, linkOver } from "./inbox.ts";
import { backlogBytes, type Link } from "./link.ts";

/** Whether this runtime can seal: a page that was loaded neither through TLS nor from this machine cannot. */
export function canSeal(): boolean {
  return globalThis.crypto?.subtle !== undefined;
}

interface SealOptions {
  readonly key: Uint8Array;
  /** The random bytes of both hellos. */
  readonly salt: Uint8Array<ArrayBuffer>;
  readonly role: Role;
  /** Called when a message cannot be decrypted; the link is then closed. */
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
  const inbox = new Inbox();
  /** Messages given and taken so far, and bytes that are being sealed. */
  let [sent, opened, sealing] = [0, 0, 0];
  let sending: Promise<unknown> = Promise.resolve();
  let opening: Promise<unknown> = Promise.resolve();
  const ease = (): void => {
    if (outer.backlog <= backlogBytes / 2) inbox.drained();
  };
  const open = (bytes: Uint8Array<ArrayBuffer>): void => {
    if (inbox.ended) return;
    const plain = subtle.decrypt({ name: "AES-GCM", iv: nonceOf(opened++) }, back, bytes).catch(() => undefined);
    opening = opening.then(async () => {
      const message = await plain;
      if (inbox.ended) return;
      if (message === undefined) onBroken();
      if (message === undefined || !inbox.message(new Uint8Array(message))) outer.close();
    });
  };
  const outer = linkOver(inbox, {
    ...{ kind: link.kind, copies: true, backlog: () => sealing + link.backlog },
    send(piece) {
      const { length } = piece;
      sealing += length;
      const sealed = subtle.encrypt({ name: "AES-GCM", iv: nonceOf(sent++) }, out, piece);
      sending = sending.then(async () => {
        const bytes = new Uint8Array(await sealed);
        sealing -= length;
        link.send(bytes);
        ease();
      });
    },
    // Messages given before the end are still sent.
    close: () => void sending.then(() => link.close()),
  });
  link.listen({ message: open, drained: ease, closed: () => void opening.then(() => inbox.closed()) });
  return outer;
}

/** The number of a message, as a nonce of AES-GCM. */
function nonceOf(count: number): Uint8Array<ArrayBuffer> {
  const nonce = new Uint8Array(12);
  new DataView(nonce.buffer).setFloat64(4, count);
  return nonce;
}
