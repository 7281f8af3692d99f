/**
 * From those who tell to those who watch: keeps the board, and passes on what comes in, many lines a message. A watcher
 * that is slow is left out until it has caught up, and then gets the whole board anew: nobody waits for it.
 */

import type { ServerResponse } from "node:http";
import { encodeLive, LiveBoard, type LiveLine, type LiveSource } from "@equitopo/web";
import { toExactJson } from "equitopo/run";

/** Milliseconds between two messages to a page. */
const pause = 50;
/** Milliseconds after which a silent connection gets a comment, so that nothing in between closes it. */
const breath = 15_000;
/** Bytes that may wait for a watcher. */
const backlog = 1 << 20;

export class Hub {
  readonly #board = new LiveBoard();
  readonly #watchers = new Map<ServerResponse, { behind: boolean }>();
  #lines: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  readonly #breathing = setInterval(() => this.#sendAll(":\n\n"), breath).unref();

  get board(): LiveBoard {
    return this.#board;
  }

  take(line: LiveLine): void {
    this.#board.take(line);
    if (this.#watchers.size === 0) return;
    this.#lines.push(`data: ${encodeLive(line)}`);
    this.#timer ??= setTimeout(() => this.#flush(), pause);
  }

  /** What another studio has. */
  adopt(sources: readonly LiveSource[]): void {
    this.#board.adopt(sources);
    this.#sendAll(this.#whole());
  }

  /** `response` has its head sent. */
  add(response: ServerResponse): void {
    this.#watchers.set(response, { behind: false });
    response.once("close", () => this.#watchers.delete(response));
    response.write(this.#whole());
  }

  close(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#breathing);
    for (const response of this.#watchers.keys()) response.end();
  }

  #whole(): string {
    return `event: board\ndata: ${JSON.stringify(toExactJson(this.#board.sources, "board"))}\n\n`;
  }

  #flush(): void {
    this.#timer = undefined;
    const message = `event: lines\n${this.#lines.join("")}\n`;
    this.#lines = [];
    this.#sendAll(message);
  }

  #sendAll(message: string): void {
    for (const [response, state] of this.#watchers) {
      if (response.writableLength > backlog) state.behind = true;
      else if (state.behind && response.writableLength === 0) {
        state.behind = false;
        response.write(this.#whole());
      } else if (!state.behind) response.write(message);
    }
  }
}
