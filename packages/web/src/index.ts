/** Browsers as peers: links, the lane over them, rooms with seats. Runs in a page, in a worker and in Node. */

export { forgetPlace, indexedStore } from "./browser/indexed-store.ts";
export { holdLock, whenPageGoes } from "./browser/page-hooks.ts";
export { forgetSeat, rememberedSeat, rememberSeat, type SeatMemory } from "./browser/seat-memory.ts";
export type { Link, LinkListener } from "./link/link.ts";
