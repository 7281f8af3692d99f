/**
 * A link over a WebSocket: a browser's, or one of the package `ws`, which has the same face; and dialling a peer that
 * listens for one.
 */

import { InputError } from "equitopo/internal/input";
import { isSafeAddress } from "./binding.ts";
import { Inbox, linkOver, whenOpen } from "./inbox.ts";
import { type Introduced, type IntroduceOptions, introduce } from "./introduce.ts";
import { type Link, LinkRefused, openTimeout, pieceBytes } from "./link.ts";

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

const [opening, opened] = [0, 1];
/** Messages up to this length are not worth memory that is kept. */
const smallBytes = 4096;

function socketLink(socket: Socket): Link {
  const inbox = new Inbox();
  // One of `ws` hands bytes over, and takes them, without copying. No other has this call.
  const ofWs = "terminate" in socket;
  /** Memory of messages that `ws` has sent: fresh memory for each would be most of the cost of sending. */
  const spare: Uint8Array<ArrayBuffer>[] = [];
  const lend = (piece: Uint8Array<ArrayBuffer>): void => {
    if (piece.length <= smallBytes || piece.length > pieceBytes) {
      socket.send(piece.slice());
      return;
    }
    const memory = spare.pop() ?? new Uint8Array(pieceBytes);
    memory.set(piece);
    socket.send(memory.subarray(0, piece.length), () => {
      if (spare.length < 4) spare.push(memory);
    });
  };
  const backlog = () => socket.bufferedAmount;
  const link = linkOver(inbox, {
    ...{ kind: "websocket", copies: true, backlog, close: () => socket.close() },
    send(piece) {
      if (socket.readyState !== opened) return;
      if (ofWs) lend(piece);
      else socket.send(piece);
      inbox.pollBacklog(backlog);
    },
  });
  socket.binaryType = ofWs ? "nodebuffer" : "arraybuffer";
  socket.onmessage = ({ data }: { data: unknown }) => {
    const bytes = bytesIn(data);
    if (bytes === undefined || !inbox.message(bytes)) link.close();
  };
  socket.onclose = () => inbox.closed();
  socket.onerror = () => link.close();
  return link;
}

/** The bytes of a message, without a copy; undefined where it is a text. */
function bytesIn(data: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (!(data instanceof Uint8Array) || !(data.buffer instanceof ArrayBuffer)) return undefined;
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/** The link over a socket, once it is open; a `LinkRefused` where it does not open in time. */
export function openSocket(socket: Socket, timeout: number = openTimeout): Promise<Link> {
  const link = socketLink(socket);
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

export interface DialOptions extends Omit<IntroduceOptions, "mode" | "role" | "fingerprints" | "address"> {
  readonly peer: number;
  /** How a socket is made. Default: the runtime's own WebSocket. */
  readonly socket?: (address: string) => Socket;
}

/**
 * Opens the socket, then the introduction, bound to the address. A `LinkRefused` where nobody answers, or not the right
 * one; an InputError where the address is neither wss nor local.
 */
export async function dialSocket(address: string, options: DialOptions): Promise<Introduced> {
  const { socket = (url) => new WebSocket(url) as Socket, ...rest } = options;
  checkAddress(address);
  const link = await openSocket(socket(address), options.timeout);
  return introduce(link, { ...rest, mode: "socket", role: "dialler", address });
}
