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
/** Bytes that may wait for a watcher, and how many may watch. */
const [backlog, mostWatchers] = [1 << 20, 64];

export type Hub = ReturnType<typeof openHub>;

export function openHub() {
  const board = new LiveBoard();
  const watchers = new Map<ServerResponse, { behind: boolean }>();
  let lines: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const whole = () => `event: board\ndata: ${JSON.stringify(toExactJson(board.sources, "board"))}\n\n`;
  const sendAll = (message: string) => {
    for (const [response, state] of watchers) {
      if (response.writableLength > backlog) state.behind = true;
      else if (state.behind && response.writableLength === 0) {
        state.behind = false;
        response.write(whole());
      } else if (!state.behind) response.write(message);
    }
  };
  const breathing = setInterval(() => sendAll(":\n\n"), breath).unref();
  const flush = () => {
    timer = undefined;
    const message = `event: lines\n${lines.join("")}\n`;
    lines = [];
    sendAll(message);
  };
  return {
    board,
    get full() {
      return watchers.size >= mostWatchers;
    },
    take(line: LiveLine): void {
      board.take(line);
      if (watchers.size === 0) return;
      lines.push(`data: ${encodeLive(line)}`);
      timer ??= setTimeout(flush, pause);
    },
    /** What another studio has. */
    adopt(sources: readonly LiveSource[]): void {
      board.adopt(sources);
      sendAll(whole());
    },
    /** `response` has its head sent. */
    add(response: ServerResponse): void {
      watchers.set(response, { behind: false });
      response.once("close", () => watchers.delete(response));
      response.write(whole());
    },
    close(): void {
      clearTimeout(timer);
      clearInterval(breathing);
      for (const response of watchers.keys()) response.end();
    },
  };
}
