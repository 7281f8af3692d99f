/**
 * Links through a relay, for pairs that cannot connect: all of them share one WebSocket to the server, which forwards
 * each message to its receiver and keeps nothing.
 *
 *   0  to (4 bytes)   4  from (4 bytes)   8  the message; nothing where the link ends        little-endian
 *
 * An address is 65536 epoch + rank of a seat, so that what was meant for a member that has left never reaches the next one
 * in its seat.
 *
 * The server could read and change what it forwards, so these links are always sealed (seal.ts).
 */

import { Inbox, linkOver } from "./inbox.ts";
import type { Link } from "./link.ts";

/** Bytes before a message on its way through the relay. */
export const relayHeaderBytes = 8;

/** Whom a message is for and who sent it, by what it says; undefined where it is too short to say. */
export function relayHeader(bytes: Uint8Array): { readonly to: number; readonly from: number } | undefined {
  if (bytes.length < relayHeaderBytes) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, relayHeaderBytes);
  return { to: view.getUint32(0, true), from: view.getUint32(4, true) };
}

export const relayAddress = ({ rank, epoch }: { readonly rank: number; readonly epoch: number }): number =>
  65_536 * epoch + rank;

/** One member's links through the relay. */
export class Relay {
  readonly carrier: Link;
  readonly #rank: number;
  readonly #links = new Map<number, { readonly link: Link; readonly inbox: Inbox }>();

  /** `carrier` is the way to the server, whole messages only; `rank` is this peer's number. */
  constructor(carrier: Link, rank: number) {
    this.carrier = carrier;
    this.#rank = rank;
    const all = (run: (inbox: Inbox) => void) => {
      for (const { inbox } of this.#links.values()) run(inbox);
    };
    carrier.listen({
      message: (bytes) => this.#take(bytes),
      drained: () => all((inbox) => inbox.drained()),
      closed: () => all((inbox) => inbox.closed()),
    });
  }

  /** The link to that peer: a new one where the last has ended. What the peer sends from now on waits in it. */
  link(peer: number): Link {
    const known = this.#links.get(peer);
    if (known !== undefined && !known.inbox.ended) return known.link;
    const inbox = new Inbox();
    const { carrier } = this;
    const link = linkOver(inbox, {
      ...{ kind: "relay", copies: true, backlog: () => carrier.backlog },
      send: (piece) => {
        const bytes = new Uint8Array(relayHeaderBytes + piece.length);
        const view = new DataView(bytes.buffer);
        view.setUint32(0, peer, true);
        view.setUint32(4, this.#rank, true);
        bytes.set(piece, relayHeaderBytes);
        carrier.send(bytes);
      },
      close: () => link.send(new Uint8Array(0)),
    });
    this.#links.set(peer, { link, inbox });
    return link;
  }

  #take(bytes: Uint8Array<ArrayBuffer>): void {
    const header = relayHeader(bytes);
    // A relay that delivers to the wrong door is not worth an answer.
    if (header === undefined || header.to !== this.#rank) return;
    // Nor is what nobody here has asked for kept: a server could fill any memory with senders that do not exist.
    const known = this.#links.get(header.from);
    if (known === undefined) return;
    if (bytes.length === relayHeaderBytes) known.inbox.closed();
    else if (!known.inbox.message(bytes.subarray(relayHeaderBytes))) known.link.close();
  }
}
