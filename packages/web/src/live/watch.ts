/**
 * Watching a studio's live stream: server-sent events, read with fetch and not with EventSource, because the token goes
 * into a header. A page of another origin cannot send that header unless the server allows it, and it never does; and no
 * address with a token in it is logged anywhere.
 *
 *     event: board   data: all sources with their states, once at the beginning and after a pause in which lines were left out
 *     event: lines   data: a line of live/event.ts each
 */

import { fromExactJson } from "equitopo/run";
import type { LiveSource } from "./board.ts";
import { decodeLive, type LiveLine } from "./event.ts";

export interface WatchOptions {
  readonly origin: string;
  readonly token: string;
  readonly signal: AbortSignal;
  /** All that the studio knows, in place of all that it said before. */
  readonly onBoard: (sources: readonly LiveSource[]) => void;
  readonly onLines: (lines: readonly LiveLine[]) => void;
}

/** Reads until the stream ends; rejects where there is none, or the token is wrong. */
export async function watchLive({ origin, token, signal, onBoard, onLines }: WatchOptions): Promise<void> {
  const answer = await fetch(new URL("/api/live", origin), { headers: { authorization: `Bearer ${token}` }, signal });
  if (!answer.ok || answer.body === null) throw new Error(`the studio answered ${answer.status}`);
  for await (const { name, data } of messages(answer.body)) {
    if (name === "board") onBoard(fromExactJson(JSON.parse(data)) as LiveSource[]);
    else if (name === "lines") onLines(data.split("\n").map(decodeLive));
  }
}

/** The messages of an event stream; comments, which only keep the connection open, are none. */
async function* messages(body: ReadableStream<Uint8Array>): AsyncGenerator<{ name: string; data: string }> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const parts = text.split("\n\n");
      text = parts.pop() as string;
      for (const part of parts) {
        const lines = part.split("\n");
        const name = lines.find((line) => line.startsWith("event: "))?.slice(7);
        const data = lines.flatMap((line) => (line.startsWith("data: ") ? [line.slice(6)] : [])).join("\n");
        if (name !== undefined) yield { name, data };
      }
    }
  } finally {
    reader.releaseLock();
  }
}
