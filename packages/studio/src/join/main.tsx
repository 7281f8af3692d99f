/**
 * The page with which a browser takes a seat in a run. This window shows what happens and keeps the WebRTC connections,
 * which exist only in windows; everything else (signalling, exchanges, algorithm, deadlines) is its worker's, whose clocks
 * run on when the tab is hidden.
 */

import { forgetSeat, holdLock, hostRtc, parseInvite, rememberedSeat, rememberSeat, whenPageGoes } from "@equitopo/web";
import { signal } from "@preact/signals";
import { render } from "preact";
import { Page } from "./page.tsx";
import type { FromSeatWorker, ToSeatWorker } from "./protocol.ts";
import SeatWorker from "./seat.worker.ts?worker&inline";
import { after, nothingShown, type SeatEvent } from "./shown.ts";
import { inTrouble, noInvite } from "./trouble.ts";
import "./style.css";

const shown = signal(nothingShown);
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

  worker.addEventListener("error", ({ message }) => show({ kind: "trouble", trouble: inTrouble(message) }));
  worker.addEventListener("message", ({ data }: MessageEvent<FromSeatWorker>) => {
    if (data.kind !== "remember") show(data);
    else if (data.seat === undefined) forgetSeat(room);
    else {
      rememberSeat(room, data.seat);
      if (data.seat.rank !== seat?.rank) void holdLock(lockName(room, data.seat.rank));
    }
  });
  say({ kind: "join", link, ...(seat === undefined ? {} : { seat }), rtc: hasRtc ? port2 : undefined }, [port2]);
  return say;
}

function start(): void {
  let say: Promise<(message: ToSeatWorker) => void> | undefined;
  const tell = async (message: ToSeatWorker) => (await say)?.(message);
  render(
    <Page
      shown={shown}
      onPicked={(picked) => tell({ kind: "picked", picked })}
      onLeave={() => tell({ kind: "leave" })}
    />,
    document.getElementById("app") as HTMLElement,
  );
  if (location.protocol === "file:" || location.hash === "") {
    show({ kind: "trouble", trouble: noInvite });
    return;
  }
  try {
    const { link, room } = parseInvite(location.href);
    say = takeSeat(link, room);
  } catch (error) {
    show({ kind: "trouble", trouble: inTrouble(error) });
  }
}

start();
