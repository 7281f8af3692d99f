/**
 * A member's line to the room's server: one WebSocket for texts (protocol.ts) and for what is relayed. A line that breaks
 * is dialled again, at first soon and then less and less often, for as long as the member lives; after a few failures in a
 * row the server counts as gone, which those who wait for it are told.
 */

import { Inbox } from "../link/inbox.ts";
import { backlogBytes, type Link, type LinkListener } from "../link/link.ts";
import { type FromRoom, readFromRoom, type ToRoom } from "./protocol.ts";

/** What is used of a WebSocket: a browser's, or one of the package `ws`. */
export interface SignalSocket {
  binaryType: string;
  readonly readyState: number;
  readonly bufferedAmount: number;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  send(data: string | Uint8Array<ArrayBuffer>): void;
  close(): void;
}

export interface LineOptions {
  readonly open: () => SignalSocket;
  /** What to say first, each time. */
  readonly join: () => ToRoom;
  readonly onMessage: (message: FromRoom) => void;
  /** A socket is open, and what is relayed goes over the carrier for as long as it is. */
  readonly onOpen: (carrier: Link) => void;
  /** It was lost, or could not be opened, so often in a row. */
  readonly onLost: (failures: number) => void;
}

/** Milliseconds before the first, the second, ... dialling after a loss; the last one repeats. */
const pauses = [100, 300, 700, 2000, 5000, 10_000];
/** Milliseconds for a socket to open, for the first answer on it, and between two looks at a full one. */
const [openTime, answerTime, look] = [5000, 15_000, 5];
const opened = 1;

export class Line {
  readonly #options: LineOptions;
  #socket: SignalSocket | undefined;
  #carrier: Carrier | undefined;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ended = false;

  constructor(options: LineOptions) {
    this.#options = options;
    // Not at once: whoever makes a line is to have it before anything happens on it.
    queueMicrotask(() => {
      if (!this.#ended) this.#dial();
    });
  }

  get open(): boolean {
    return this.#socket?.readyState === opened;
  }

  /** Bytes that were sent and have not left yet. */
  get backlog(): number {
    return this.open ? (this.#socket?.bufferedAmount ?? 0) : 0;
  }

  /** False where there is no line now: nothing is kept for later. */
  send(message: ToRoom): boolean {
    if (!this.open) return false;
    this.#socket?.send(JSON.stringify(message));
    return true;
  }

  /** Ends it for good. */
  close(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
    this.#carrier?.inbox.closed();
  }

  #dial(): void {
    let socket: SignalSocket;
    try {
      socket = this.#options.open();
    } catch {
      this.#lost();
      return;
    }
    this.#socket = socket;
    socket.binaryType = "arraybuffer";
    const carrier = new Carrier(socket);
    this.#carrier = carrier;
    let over = false;
    const end = () => {
      if (over) return;
      over = true;
      clearTimeout(this.#timer);
      carrier.inbox.closed();
      socket.close();
      if (this.#socket === socket) this.#lost();
    };
    this.#timer = setTimeout(end, openTime);
    socket.onopen = () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(end, answerTime);
      socket.send(JSON.stringify(this.#options.join()));
      this.#options.onOpen(carrier);
    };
    socket.onmessage = ({ data }: { data: unknown }) => {
      if (over) return;
      const message = typeof data === "string" ? readFromRoom(data) : undefined;
      if (message !== undefined) {
        // Only now there is a server: anything can take a socket, and drop it.
        clearTimeout(this.#timer);
        this.#failures = 0;
        this.#options.onMessage(message);
      }
      // A server that says what no server says is none.
      else if (!(data instanceof ArrayBuffer) || !carrier.inbox.message(new Uint8Array(data))) end();
    };
    socket.onclose = end;
    socket.onerror = end;
  }

  #lost(): void {
    this.#socket = undefined;
    if (this.#ended) return;
    const pause = pauses[Math.min(this.#failures++, pauses.length - 1)];
    this.#options.onLost(this.#failures);
    // Whoever was told may have ended it.
    if (!this.#ended) this.#timer = setTimeout(() => this.#dial(), pause);
  }
}

/** The binary half of the socket, for the relay's links. */
class Carrier implements Link {
  readonly kind = "relay";
  readonly inbox = new Inbox();
  readonly #socket: SignalSocket;
  #looking = false;

  constructor(socket: SignalSocket) {
    this.#socket = socket;
  }

  get backlog(): number {
    return this.#socket.bufferedAmount;
  }

  send(piece: Uint8Array<ArrayBuffer>): void {
    if (this.inbox.ended || this.#socket.readyState !== opened) return;
    this.#socket.send(piece);
    if (this.backlog >= backlogBytes) this.#watch();
  }

  #watch(): void {
    if (this.#looking) return;
    this.#looking = true;
    setTimeout(() => {
      this.#looking = false;
      if (this.inbox.ended) return;
      if (this.backlog > backlogBytes / 2) this.#watch();
      else this.inbox.drained();
    }, look);
  }

  listen(listener: LinkListener | undefined): void {
    this.inbox.listen(listener);
  }

  /** The line is the member's: a relay does not end it. */
  close(): void {
    this.inbox.closed();
  }
}
