/**
 * What a member reports to the server, on its way: nobody waits for it. While the line is dialled again the newest reports
 * are kept; signs of life and of faults that a busy line would only delay are not sent at all.
 */

import { encodeEvent, type PeerEvent } from "equitopo/peer";
import type { Line } from "./line.ts";
import { piecesOf } from "./report.ts";

/** Bytes on the line from which a sign of life is left out, and reports that are kept. */
const [busy, most] = [256 * 1024, 64];

export class Post {
  readonly #line: Line;
  #waiting: string[] = [];

  constructor(line: Line) {
    this.#line = line;
  }

  send(event: PeerEvent): void {
    const sign = event.kind === "round" || event.kind === "fault";
    if (sign && (this.#line.backlog > busy || !this.#line.open)) return;
    this.#waiting = [...this.#waiting.slice(1 - most), encodeEvent(event)];
    this.flush();
  }

  /** Sends what waits, where there is a line. */
  flush(): void {
    while (this.#line.open && this.#waiting.length > 0) {
      const [text] = this.#waiting.splice(0, 1);
      for (const piece of piecesOf(text)) this.#line.send({ kind: "report", ...piece });
    }
  }

  /** Until all has left, five seconds at most; not at all where there is nobody to hear it any more. */
  async left(hopeless: () => boolean): Promise<void> {
    const busy = () => this.#waiting.length > 0 || this.#line.backlog > 0;
    for (let looks = 0; looks < 250 && busy() && !hopeless(); looks++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
