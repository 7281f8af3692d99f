/**
 * A member's line to the room's server: one WebSocket for texts (protocol.ts) and for what is relayed. A line that breaks
 * is dialled again, at first soon and then less and less often, for as long as the member lives; after a few failures in a
 * row the server counts as gone, and `onLost` says so.
 */

import { deaf, Inbox, linkOver } from "../link/inbox.ts";
import type { Link } from "../link/link.ts";
import type { Socket } from "../link/socket-link.ts";
import { type FromRoom, readFromRoom, type ToRoom } from "./protocol.ts";

/** The used part of a WebSocket, a browser's or one of the package `ws`. */
export interface SignalSocket extends Omit<Socket, "send"> {
  send(data: string | Uint8Array<ArrayBuffer>): void;
}

export interface LineOptions {
  readonly open: () => SignalSocket;
  readonly join: () => ToRoom;
  readonly onMessage: (message: FromRoom) => void;
  /** The line broke, or could not be opened, so many times in a row. */
  readonly onLost: (failures: number) => void;
}

/** Milliseconds before the first, the second, ... dialling after a loss; the last one repeats. */
const pauses = [100, 300, 700, 2000, 5000, 10_000];
/** Milliseconds for a socket to open, and for the first answer on it. */
const [openTime, answerTime] = [5000, 15_000];
const opened = 1;

export type Line = ReturnType<typeof lineTo>;

export function lineTo({ open, join, onMessage, onLost }: LineOptions) {
  let socket: SignalSocket | undefined;
  let carrier: Link | undefined;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ended = false;
  const isOpen = () => socket?.readyState === opened;

  function lost(): void {
    socket = undefined;
    if (ended) return;
    const pause = pauses[Math.min(failures++, pauses.length - 1)];
    onLost(failures);
    // That call may have ended the line.
    if (!ended) timer = setTimeout(dial, pause);
  }

  function dial() {
    if (ended) return;
    let dialled: SignalSocket;
    try {
      dialled = open();
    } catch {
      return lost();
    }
    socket = dialled;
    dialled.binaryType = "arraybuffer";
    const inbox = new Inbox();
    const backlog = () => dialled.bufferedAmount;
    // The binary half of the socket, for the relay's links.
    carrier = linkOver(inbox, {
      ...{ kind: "relay", backlog },
      send(piece) {
        if (dialled.readyState !== opened) return;
        dialled.send(piece);
        inbox.pollBacklog(backlog);
      },
      // The line is the member's: a relay does not end it.
      close: () => {},
    });
    // Until a pair asks for the relay, what comes through it is dropped, and must not fill the line.
    carrier.listen(deaf);
    let over = false;
    const end = () => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      inbox.closed();
      dialled.close();
      if (socket === dialled) lost();
    };
    timer = setTimeout(end, openTime);
    dialled.onopen = () => {
      clearTimeout(timer);
      timer = setTimeout(end, answerTime);
      dialled.send(JSON.stringify(join()));
    };
    dialled.onmessage = ({ data }: { data: unknown }) => {
      if (over) return;
      const message = typeof data === "string" ? readFromRoom(data) : undefined;
      if (message !== undefined) {
        // Only now it is sure that a server is there: any program can accept a socket, and drop it.
        clearTimeout(timer);
        failures = 0;
        onMessage(message);
      }
      // What sends anything else is no server of a room.
      else if (!(data instanceof ArrayBuffer) || !inbox.message(new Uint8Array(data))) end();
    };
    dialled.onclose = end;
    dialled.onerror = end;
  }

  // Not at once: the caller must have the line before anything happens on it.
  queueMicrotask(dial);
  return {
    get open() {
      return isOpen();
    },
    /** The link that carries relayed messages while a socket is open: each socket has its own. */
    get carrier() {
      return isOpen() ? carrier : undefined;
    },
    /** Bytes that were sent and have not left yet. */
    get backlog() {
      return isOpen() ? (socket?.bufferedAmount ?? 0) : 0;
    },
    /** False where there is no line now: nothing is kept for later. */
    send(message: ToRoom): boolean {
      if (isOpen()) socket?.send(JSON.stringify(message));
      return isOpen();
    },
    /** Ends it for good. */
    close(): void {
      ended = true;
      clearTimeout(timer);
      socket?.close();
      carrier?.close();
    },
  };
}
