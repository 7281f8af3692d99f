/** Both ends of a link in memory, for tests: a way whose messages can be looked at, changed and left out. */

import { Inbox } from "../../src/link/inbox.ts";
import type { Link, LinkKind } from "../../src/link/link.ts";

/** What becomes of a message on the way from one end to the other: itself, others, or nothing. */
export type Tamper = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>[];

export function wire(tamper: Tamper = (bytes) => [bytes], kind: LinkKind = "port"): readonly [Link, Link] {
  const inboxes = [new Inbox(), new Inbox()];
  const end = (own: number): Link => ({
    kind,
    backlog: 0,
    send: (piece) => {
      for (const bytes of tamper(piece)) queueMicrotask(() => inboxes[1 - own].message(bytes));
    },
    listen: (listener) => inboxes[own].listen(listener),
    close: () => {
      inboxes[own].closed();
      queueMicrotask(() => inboxes[1 - own].closed());
    },
  });
  return [end(0), end(1)];
}

/** All that a link brings, as it comes. */
export function collect(link: Link): { readonly messages: number[][]; closed: boolean } {
  const got = { messages: [] as number[][], closed: false };
  link.listen({
    message: (bytes) => got.messages.push([...bytes]),
    drained: () => {},
    closed: () => {
      got.closed = true;
    },
  });
  return got;
}

export const settled = (milliseconds = 5) => new Promise((resolve) => setTimeout(resolve, milliseconds));
