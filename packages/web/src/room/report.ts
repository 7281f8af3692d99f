/**
 * What a member reports to the server: the peer events of equitopo/peer as text, cut into pieces that fit into messages,
 * and put together again within bounds. Nobody waits for a report, and a server that is gone receives none.
 */

import { encodeEvent, type PeerEvent, readEvent } from "equitopo/internal/peer";
import type { Line } from "./line.ts";
import { pieceLength } from "./protocol.ts";

export interface Piece {
  readonly text: string;
  readonly more: boolean;
}

/** A text in pieces, in order. */
export function* piecesOf(text: string): Generator<Piece> {
  for (let at = 0; at < text.length; at += pieceLength) {
    yield { text: text.slice(at, at + pieceLength), more: at + pieceLength < text.length };
  }
}

/** Characters that a report of a row of d numbers takes, with a multiple of d of what a problem keeps beside it. */
export function reportLengthFor(d: number): number {
  return 64 * 1024 + 64 * d;
}

/**
 * The server's side: joins the pieces of each socket. `add` answers the whole text with its last piece, and undefined
 * before.
 */
export function reportJoiner(longest: number) {
  const held = new Map<number, string>();
  return {
    add(socket: number, { text, more }: Piece): string | "oversize" | undefined {
      const whole = (held.get(socket) ?? "") + text;
      held.delete(socket);
      if (whole.length > longest) return "oversize";
      if (!more) return whole;
      held.set(socket, whole);
      return undefined;
    },
    forget: (socket: number) => void held.delete(socket),
  };
}

/** An event that the member in seat `rank` may tell of `runs` runs; undefined for anything else: it comes from anybody. */
export function readReport(text: string, rank: number, runs: number): PeerEvent | undefined {
  const event = readEvent(text, runs);
  return event?.rank === rank ? event : undefined;
}

/** Bytes on the line from which reports wait, and how many of them wait at most, with how many characters together. */
const [busy, most, mostLength] = [256 * 1024, 64, 4 * 1024 * 1024];

/**
 * The member's side. While the line is dialled again, or its server stands still, the newest reports are kept, and always the
 * last two: a final row, and the word that it was that. Signs of life and of faults would only come late, and are left out.
 */
export function reportSender(line: Line) {
  const waiting: string[] = [];
  const flush = (): void => {
    while (line.open && line.backlog <= busy && waiting.length > 0) {
      for (const piece of piecesOf(waiting.shift() as string)) line.send({ kind: "report", ...piece });
    }
  };
  return {
    flush,
    send(event: PeerEvent): void {
      const sign = event.kind === "round" || event.kind === "fault";
      if (!sign || (line.backlog <= busy && line.open)) waiting.push(encodeEvent(event));
      let length = waiting.reduce((sum, text) => sum + text.length, 0);
      while (waiting.length > 2 && (waiting.length > most || length > mostLength)) {
        length -= (waiting.shift() as string).length;
      }
      flush();
    },
    /** Until all has left, five seconds at most; not at all where the server is gone. */
    async left(hopeless: () => boolean): Promise<void> {
      const unsent = () => waiting.length > 0 || line.backlog > 0;
      for (let looks = 0; looks < 250 && unsent() && !hopeless(); looks++) {
        flush();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  };
}
