/**
 * Links through a relay, for pairs that cannot connect: all of them share one WebSocket to the server, which forwards
 * each message to whom it is for and keeps nothing.
 *
 *   0  to (4 bytes)   4  from (4 bytes)   8  the message; nothing where the link ends        little-endian
 *
 * The server could read and change what it forwards, so these links are always sealed (sealed-link.ts).
 */

import { Inbox } from "./inbox.ts";
import type { Link, LinkListener } from "./link.ts";

/** Bytes before a message on its way through the relay. */
export const relayHeaderBytes = 8;

/** Whom a message is for and who sent it, by what it says; undefined where it is too short to say. */
export function relayHeader(bytes: Uint8Array): { readonly to: number; readonly from: number } | undefined {
  if (bytes.length < relayHeaderBytes) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, relayHeaderBytes);
  return { to: view.getUint32(0, true), from: view.getUint32(4, true) };
}

function addressed(to: number, from: number, piece: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(relayHeaderBytes + piece.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, to, true);
  view.setUint32(4, from, true);
  bytes.set(piece, relayHeaderBytes);
  return bytes;
}

class RelayLink implements Link {
  readonly kind = "relay";
  readonly copies = true;
  readonly inbox = new Inbox();
  readonly #carrier: Link;
  readonly #to: number;
  readonly #from: number;

  constructor(carrier: Link, to: number, from: number) {
    this.#carrier = carrier;
    this.#to = to;
    this.#from = from;
  }

  get backlog(): number {
    return this.#carrier.backlog;
  }

  send(piece: Uint8Array<ArrayBuffer>): void {
    if (!this.inbox.ended) this.#carrier.send(addressed(this.#to, this.#from, piece));
  }

  listen(listener: LinkListener | undefined): void {
    this.inbox.listen(listener);
  }

  close(): void {
    if (this.inbox.ended) return;
    this.send(new Uint8Array(0));
    this.inbox.closed();
  }
}

/** One member's links through the relay. */
export class Relay {
  readonly #carrier: Link;
  readonly #rank: number;
  readonly #links = new Map<number, RelayLink>();

  /** `carrier` is the way to the server, whole messages only; `rank` is this peer's number. */
  constructor(carrier: Link, rank: number) {
    this.#carrier = carrier;
    this.#rank = rank;
    carrier.listen({
      message: (bytes) => this.#take(bytes),
      drained: () => {
        for (const { inbox } of this.#links.values()) inbox.drained();
      },
      closed: () => {
        for (const { inbox } of this.#links.values()) inbox.closed();
      },
    });
  }

  /** The link to that peer: a new one where the last has ended. What the peer sends from now on waits in it. */
  link(peer: number): Link {
    const known = this.#links.get(peer);
    if (known !== undefined && !known.inbox.ended) return known;
    const link = new RelayLink(this.#carrier, peer, this.#rank);
    this.#links.set(peer, link);
    return link;
  }

  #take(bytes: Uint8Array<ArrayBuffer>): void {
    const header = relayHeader(bytes);
    // A relay that delivers to the wrong door is not worth an answer.
    if (header === undefined || header.to !== this.#rank) return;
    // Nor is what nobody here has asked for kept: a server could fill any memory with senders that do not exist.
    const link = this.#links.get(header.from);
    if (link === undefined) return;
    if (bytes.length === relayHeaderBytes) link.inbox.closed();
    else if (!link.inbox.message(bytes.subarray(relayHeaderBytes))) link.close();
  }
}
