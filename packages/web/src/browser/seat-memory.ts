/**
 * What a tab remembers of its seat over a reload: the seat, and the secret that proves that it was given to this tab. It
 * lives as long as the tab does (session storage); other tabs of the same browser have seats of their own.
 */

export interface SeatMemory {
  readonly rank: number;
  readonly secret: string;
}

/** What is used of a tab's storage. */
interface Memory {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

const keyOf = (room: string) => `equitopo seat ${room}`;

/** The seat that this tab had in a room, if it had one. */
export function rememberedSeat(
  room: string,
  storage: Pick<Memory, "getItem"> = sessionStorage,
): SeatMemory | undefined {
  let saved: Partial<SeatMemory> | null;
  try {
    saved = JSON.parse(storage.getItem(keyOf(room)) ?? "null");
  } catch {
    return undefined;
  }
  if (!Number.isInteger(saved?.rank) || typeof saved?.secret !== "string") return undefined;
  return { rank: saved.rank as number, secret: saved.secret };
}

export function rememberSeat(room: string, seat: SeatMemory, storage: Pick<Memory, "setItem"> = sessionStorage): void {
  storage.setItem(keyOf(room), JSON.stringify(seat));
}

export function forgetSeat(room: string, storage: Pick<Memory, "removeItem"> = sessionStorage): void {
  storage.removeItem(keyOf(room));
}
