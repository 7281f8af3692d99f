/**
 * The page with which a browser takes a seat in a run. This window shows what happens and keeps the WebRTC connections,
 * which exist only in windows; everything else (signalling, exchanges, algorithm, deadlines) is its worker's, whose clocks
 * run on when the tab is hidden.
 */

import {
  forgetSeat,
  holdLock,
  hostRtc,
  parseInvite,
  rememberedSeat,
  rememberSeat,
  whenPageGoes,
} from "@equitopo/web/internal";
import { signal } from "@preact/signals";
import { render } from "preact";
import { type RoomFacts, roomFacts } from "./invitation.tsx";
import { Page } from "./page.tsx";
import { after, failed, nothingShown, type SeatEvent } from "./page-state.ts";
import type { FromSeatWorker, ToSeatWorker } from "./seat.worker.ts";
import SeatWorker from "./seat.worker.ts?worker&inline";
import { inTrouble, noInvite } from "./trouble.ts";
import "./style.css";

const shown = signal(nothingShown);
const room = signal<RoomFacts | undefined>(undefined);
const show = (event: SeatEvent) => {
  shown.value = after(shown.value, event);
};

/** A browser may have switched WebRTC off; then its links are those that a server carries. */
const hasRtc = typeof RTCPeerConnection === "function";

const lockName = (room: string, rank: number) => `equitopo ${room} ${rank}`;

async function takeSeat(link: string, room: string) {
  const worker = new SeatWorker();
  const say = (message: ToSeatWorker, transfer: Transferable[] = []) => worker.postMessage(message, transfer);
  const { port1, port2 } = new MessageChannel();
  const closeRtc = hasRtc ? hostRtc(port1) : () => {};
  whenPageGoes(closeRtc);

  // A copied tab remembers the seat of the one it was copied from, who holds the lock: it takes another seat.
  const before = rememberedSeat(room);
  const seat = before !== undefined && (await holdLock(lockName(room, before.rank))) !== undefined ? before : undefined;

  worker.addEventListener("error", ({ message }) => show(failed(inTrouble(message))));
  worker.addEventListener("message", ({ data }: MessageEvent<FromSeatWorker>) => {
    if (!("remember" in data)) show(data);
    else if (data.remember === undefined) forgetSeat(room);
    else {
      rememberSeat(room, data.remember);
      if (data.remember.rank !== seat?.rank) void holdLock(lockName(room, data.remember.rank));
    }
  });
  say({ kind: "join", link, ...(seat === undefined ? {} : { seat }), rtc: hasRtc ? port2 : undefined }, [port2]);
  return say;
}

function start(): void {
  let say: Promise<(message: ToSeatWorker) => void> | undefined;
  let join = () => {};
  const tell = async (message: ToSeatWorker) => (await say)?.(message);
  render(
    <Page
      shown={shown}
      room={room}
      onJoin={() => join()}
      onPicked={(picked) => tell({ kind: "picked", picked })}
      onLeave={() => tell({ kind: "leave" })}
    />,
    document.getElementById("app") as HTMLElement,
  );
  if (location.protocol === "file:" || location.hash === "") {
    show(failed(noInvite));
    return;
  }
  try {
    const invite = parseInvite(location.href.replace(location.search, ""));
    room.value = roomFacts(invite.key);
    join = () => {
      join = () => {};
      show({ phase: "joining" });
      say = takeSeat(invite.link, invite.room);
    };
    // Who had a seat comes back to it: that has been asked already. A page that nobody attends has ?join in its address.
    const isDecided = rememberedSeat(invite.room) !== undefined || new URLSearchParams(location.search).has("join");
    if (isDecided) join();
    else show({ phase: "invited" });
  } catch (error) {
    show(failed(inTrouble(error)));
  }
}

start();
