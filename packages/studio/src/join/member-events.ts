/** A member of a room as the page is told of it. */

import type { LinkKind, Member, PairView } from "@equitopo/web";
import type { SeatEvent } from "./shown.ts";

const carried = (view: PairView): view is LinkKind =>
  view === "rtc" || view === "websocket" || view === "relay" || view === "port";

export function memberEvents({ rank, size, view }: Pick<Member, "rank" | "size" | "view">): SeatEvent[] {
  const open = [...view.pairs].flatMap(([peer, pair]) => (carried(pair) ? [[peer, pair] as const] : []));
  return [
    { kind: "seated", rank, size },
    { kind: "here", here: [{ rank, runtime: "browser" }, ...view.here] },
    { kind: "links", wanted: view.pairs.size, open },
    { kind: "server", alive: view.server === "here" },
  ];
}
