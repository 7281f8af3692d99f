/**
 * What a link has received while no one listens to it yet. A link is handed from its maker to the introduction and on to the
 * lane, and messages that come in between must be kept for the next listener, in order; the end of the link comes last.
 */

import { backlogBytes, type Link, type LinkListener, LinkRefused } from "./link.ts";

/** The most bytes that wait for a listener: a peer that sends more before it is introduced is refused. */
const limit = 2 ** 21;
/** Milliseconds between two looks at a full socket. */
const look = 2;

/** Listens to nothing: messages are dropped. */
export const deaf: LinkListener = { message: () => {}, drained: () => {}, closed: () => {} };

/** What carries a link: how messages are sent on it, how many bytes are still to be sent, and how it is ended. */
interface Carrier extends Pick<Link, "kind" | "copies" | "send" | "close"> {
  backlog(): number;
}

/** The link over a carrier: what it receives waits in the inbox, and nothing is sent after its end. */
export function linkOver(inbox: Inbox, { kind, copies = false, backlog, send, close }: Carrier): Link {
  return {
    ...{ kind, copies },
    get backlog() {
      return backlog();
    },
    send(piece) {
      if (!inbox.ended) send(piece);
    },
    listen: (listener) => inbox.listen(listener),
    close() {
      close();
      inbox.closed();
    },
  };
}

/** A promise of a link that is not open yet: settled when the link opens or ends, or when the time is over. */
export function whenOpen(
  link: Link,
  source: { onopen: ((event: never) => void) | null },
  timeout: number,
): Promise<Link> {
  return new Promise((resolve, reject) => {
    const fail = (): void => {
      clearTimeout(timer);
      link.listen(undefined);
      link.close();
      reject(new LinkRefused("unconnected"));
    };
    const timer = setTimeout(fail, timeout);
    link.listen({ ...deaf, closed: fail });
    source.onopen = () => {
      clearTimeout(timer);
      link.listen(undefined);
      resolve(link);
    };
  });
}

export class Inbox {
  #listener: LinkListener | undefined;
  readonly #waiting: Uint8Array<ArrayBuffer>[] = [];
  #bytes = 0;
  #ended = false;
  #reportedEnd = false;
  #looking = false;

  get ended(): boolean {
    return this.#ended;
  }

  listen(listener: LinkListener | undefined): void {
    this.#listener = listener;
    // A listener may stop listening at any message.
    while (this.#listener !== undefined && this.#waiting.length > 0) {
      const [bytes] = this.#waiting.splice(0, 1);
      this.#bytes -= bytes.length;
      this.#listener.message(bytes);
    }
    this.#reportEnd();
  }

  /** False if too much waits: the link must be closed. */
  message(bytes: Uint8Array<ArrayBuffer>): boolean {
    if (this.#ended) return true;
    if (this.#listener !== undefined && this.#waiting.length === 0) {
      this.#listener.message(bytes);
      return true;
    }
    this.#bytes += bytes.length;
    if (this.#bytes > limit) return false;
    this.#waiting.push(bytes);
    return true;
  }

  drained(): void {
    if (!this.#ended) this.#listener?.drained();
  }

  /** For a socket, which does not say when its buffer has room again: looks at a full one every few milliseconds. */
  pollBacklog(backlog: () => number): void {
    if (this.#looking || backlog() < backlogBytes) return;
    this.#looking = true;
    const again = () => {
      if (!this.#ended && backlog() > backlogBytes / 2) {
        setTimeout(again, look);
        return;
      }
      this.#looking = false;
      this.drained();
    };
    setTimeout(again, look);
  }

  closed(): void {
    this.#ended = true;
    this.#reportEnd();
  }

  #reportEnd(): void {
    if (!this.#ended || this.#reportedEnd || this.#listener === undefined || this.#waiting.length > 0) return;
    this.#reportedEnd = true;
    this.#listener.closed();
  }
}
