/** What a seat's window and its worker say to each other, beside the WebRTC connections (rtc-host.ts of @equitopo/web). */

import type { SeatMemory } from "@equitopo/web";
import type { Picked } from "./picked.ts";
import type { SeatEvent } from "./shown.ts";

export type ToSeatWorker =
  /** Take a seat: the one from before, where there was one. `rtc` is the port to the window's connections. */
  | { readonly kind: "join"; readonly link: string; readonly seat?: SeatMemory; readonly rtc: MessagePort | undefined }
  | { readonly kind: "picked"; readonly picked: readonly Picked[] }
  | { readonly kind: "leave" };

export type FromSeatWorker =
  | SeatEvent
  /** For the window to keep over a reload; undefined where the seat is not to be taken again. */
  | { readonly kind: "remember"; readonly seat: SeatMemory | undefined };
