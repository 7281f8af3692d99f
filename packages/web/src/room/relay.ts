/**
 * Whom a relayed message is for. The relay's header (link/relay-link.ts) has room for two numbers of 32 bits; here they are
 * a seat and its epoch, so that what was meant for one who has left never reaches the next one in the seat:
 *
 *     address = 65536 epoch + rank
 */

import type { Occupant } from "./protocol.ts";

type Stand = Pick<Occupant, "rank" | "epoch">;

export const relayAddress = ({ rank, epoch }: Stand): number => 65_536 * epoch + rank;

export function addressee(address: number): Stand {
  return { rank: address % 65_536, epoch: Math.floor(address / 65_536) };
}

/** Says who it is from, whatever it said itself: a sender is who its seat says. */
export function stampSender(bytes: Uint8Array, from: Stand): void {
  new DataView(bytes.buffer, bytes.byteOffset, bytes.length).setUint32(4, relayAddress(from), true);
}
