/**
 * What a tab remembers of its seat over a reload: the seat, and the secret that proves that it was given to this tab. It
 * lives as long as the tab does (session storage); other tabs of the same browser have seats of their own.
 */

import { shape } from "equitopo/input";
import { rank } from "../room/protocol.ts";

const { fields, readJson, text } = shape;

const keyOf = (room: string) => `equitopo seat ${room}`;
const memory = fields({ rank, secret: text(64) });
export interface SeatMemory extends shape.Of<typeof memory> {}

/** The seat that this tab had in a room, if it had one. */
export function rememberedSeat(room: string): SeatMemory | undefined {
  return readJson(sessionStorage.getItem(keyOf(room)) ?? "null", 1000, memory);
}

export function rememberSeat(room: string, seat: SeatMemory): void {
  sessionStorage.setItem(keyOf(room), JSON.stringify(seat));
}

export function forgetSeat(room: string): void {
  sessionStorage.removeItem(keyOf(room));
}
