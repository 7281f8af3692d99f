/**
 * What a link has received and nobody listens to yet. A link is handed from its maker to the introduction and on to the
 * lane, and messages that come in between must be there afterwards, in order; the end of the link comes after them.
 */

import type { LinkListener } from "./link.ts";

/** Bytes that wait for a listener: whoever sends more before being introduced means no good. */
const limit = 2 ** 21;

export class Inbox {
  #listener: LinkListener | undefined;
  readonly #waiting: Uint8Array<ArrayBuffer>[] = [];
  #bytes = 0;
  #ended = false;
  #told = false;

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
    this.#tell();
  }

  /** False where too much waits: the link is to be closed. */
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

  closed(): void {
    this.#ended = true;
    this.#tell();
  }

  #tell(): void {
    if (!this.#ended || this.#told || this.#listener === undefined || this.#waiting.length > 0) return;
    this.#told = true;
    this.#listener.closed();
  }
}
