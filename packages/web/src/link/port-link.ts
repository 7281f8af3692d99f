/**
 * A link over a MessagePort: between two workers, and between a page that must keep its data channel (a browser that
 * cannot transfer one) and the worker that does the work (`bridge`). Every message is acknowledged with its length, so
 * that the backlog of a bridge is that of the link behind it.
 */

import { Inbox, linkOver } from "./inbox.ts";
import { backlogBytes, type Link, type LinkKind } from "./link.ts";

/** What is used of a MessagePort; written down here, since the types of a Node program need not know a browser's. */
export interface Port {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  onmessage?: ((event: MessageEvent) => void) | null;
  close(): void;
}

/** On the port: bytes; a number, so many of which have left; null, the end. */
type PortMessage = ArrayBuffer | number | null;

/** The link over one end of a channel of ports. `kind` is what lies behind, where the other end is a bridge. */
export function portLink(port: Port, kind: LinkKind = "port"): Link {
  const inbox = new Inbox();
  let backlog = 0;
  const link = linkOver(inbox, {
    ...{ kind, backlog: () => backlog },
    send(piece) {
      backlog += piece.byteLength;
      // Only a whole buffer can be given away.
      const { buffer } = piece.byteLength === piece.buffer.byteLength ? piece : piece.slice();
      port.postMessage(buffer, [buffer]);
    },
    close() {
      port.postMessage(null, []);
      port.close();
    },
  });
  port.onmessage = ({ data }: MessageEvent<PortMessage>) => {
    if (data === null) {
      port.close();
      inbox.closed();
    } else if (typeof data === "number") {
      const before = backlog;
      backlog -= data;
      if (before > backlogBytes / 2 && backlog <= backlogBytes / 2) inbox.drained();
    } else {
      port.postMessage(data.byteLength, []);
      if (!inbox.message(new Uint8Array(data))) link.close();
    }
  };
  return link;
}

/** Joins a link to a port, at whose other end portLink(port, link.kind) is then as good as the link itself. */
export function bridge(link: Link, port: Port): void {
  let unsaid = 0;
  const say = (): void => {
    if (unsaid === 0 || link.backlog >= backlogBytes) return;
    port.postMessage(unsaid, []);
    unsaid = 0;
  };
  port.onmessage = ({ data }: MessageEvent<PortMessage>) => {
    if (data === null) link.close();
    else if (typeof data !== "number") {
      unsaid += data.byteLength;
      link.send(new Uint8Array(data));
      say();
    }
  };
  link.listen({
    message: ({ buffer, byteOffset, byteLength }) => {
      const whole = byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength);
      port.postMessage(whole, [whole]);
    },
    drained: say,
    closed: () => {
      port.postMessage(null, []);
      port.close();
    },
  });
}
