/**
 * A link over a WebSocket: a browser's, or one of the package `ws`, which has the same face. A socket does not say when
 * its buffer has room again, so a full one is looked at every few milliseconds.
 */

import { InputError } from "equitopo/input";
import { Inbox } from "./inbox.ts";
import { backlogBytes, type Link, type LinkListener, pieceBytes } from "./link.ts";
import { isSafeAddress } from "./loopback.ts";
import { openTimeout, whenOpen } from "./opening.ts";
import { LinkRefused } from "./refused.ts";

/** What is used of a WebSocket. */
export interface Socket {
  binaryType: string;
  readonly readyState: number;
  readonly bufferedAmount: number;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  /** `sent` is called by `ws` alone, which reads the bytes until then. */
  send(bytes: Uint8Array<ArrayBuffer>, sent?: () => void): void;
  close(): void;
}

/** Milliseconds between two looks at a full socket. */
const look = 2;
const [opening, opened] = [0, 1];
/** Messages up to this length are not worth memory that is kept. */
const smallBytes = 4096;

class SocketLink implements Link {
  readonly kind = "websocket";
  readonly copies = true;
  readonly #socket: Socket;
  /** Memory of messages that `ws` has sent: fresh memory for each would be most of the cost of sending. */
  readonly #spare: Uint8Array<ArrayBuffer>[] | undefined;
  readonly #inbox = new Inbox();
  #looking = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    // One of `ws` hands bytes over, and takes them, without copying. No other has this call.
    const ofWs = "terminate" in socket;
    this.#spare = ofWs ? [] : undefined;
    socket.binaryType = ofWs ? "nodebuffer" : "arraybuffer";
    socket.onmessage = ({ data }: { data: unknown }) => {
      const bytes = bytesIn(data);
      if (bytes === undefined || !this.#inbox.message(bytes)) this.close();
    };
    socket.onclose = () => this.#inbox.closed();
    socket.onerror = () => this.close();
  }

  get backlog(): number {
    return this.#socket.bufferedAmount;
  }

  send(piece: Uint8Array<ArrayBuffer>): void {
    if (this.#inbox.ended || this.#socket.readyState !== opened) return;
    if (this.#spare === undefined) this.#socket.send(piece);
    else this.#lend(piece, this.#spare);
    if (this.backlog >= backlogBytes) this.#watch();
  }

  #lend(piece: Uint8Array<ArrayBuffer>, spare: Uint8Array<ArrayBuffer>[]): void {
    if (piece.length <= smallBytes || piece.length > pieceBytes) {
      this.#socket.send(piece.slice());
      return;
    }
    const memory = spare.pop() ?? new Uint8Array(pieceBytes);
    memory.set(piece);
    this.#socket.send(memory.subarray(0, piece.length), () => {
      if (spare.length < 4) spare.push(memory);
    });
  }

  #watch(): void {
    if (this.#looking) return;
    this.#looking = true;
    setTimeout(() => {
      this.#looking = false;
      if (this.#inbox.ended) return;
      if (this.backlog > backlogBytes / 2) this.#watch();
      else this.#inbox.drained();
    }, look);
  }

  listen(listener: LinkListener | undefined): void {
    this.#inbox.listen(listener);
  }

  close(): void {
    this.#socket.close();
    this.#inbox.closed();
  }
}

/** The bytes of a message, without a copy; undefined where it is a text. */
function bytesIn(data: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (!(data instanceof Uint8Array) || !(data.buffer instanceof ArrayBuffer)) return undefined;
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/** The link over a socket, once it is open; a `LinkRefused` where it does not open in time. */
export function openSocket(socket: Socket, timeout: number = openTimeout): Promise<Link> {
  const link = new SocketLink(socket);
  if (socket.readyState === opened) return Promise.resolve(link);
  if (socket.readyState !== opening) return Promise.reject(new LinkRefused("unconnected"));
  return whenOpen(link, socket, timeout);
}

/**
 * Checks that a WebSocket may be opened to that address: through TLS, or on this very machine. Else an InputError.
 *
 * @example
 * ```ts
 * import { checkAddress } from "@equitopo/web";
 * checkAddress("wss://example.org:8443/");
 * checkAddress("ws://127.0.0.1:8000/");
 * ```
 */
export function checkAddress(address: string): void {
  if (isSafeAddress(address)) return;
  throw new InputError(
    "a WebSocket goes through TLS, or stays on this machine",
    address,
    "serve with a certificate (wss://), or use 127.0.0.1",
  );
}
