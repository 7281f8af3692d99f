/**
 * What a member tells the server that it ended up with: the peer events of equitopo/peer as text, cut into pieces that fit
 * into messages, and put together again within bounds. Nothing waits for them; a server that is gone hears nothing.
 */

import { type PeerEvent, readEvent } from "equitopo/peer";
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

/** Pieces that have come, by socket. */
export class Reports {
  readonly #longest: number;
  readonly #held = new Map<number, string>();

  constructor(longest: number) {
    this.#longest = longest;
  }

  /** The whole text with its last piece; undefined before. */
  add(socket: number, { text, more }: Piece): string | "oversize" | undefined {
    const whole = (this.#held.get(socket) ?? "") + text;
    this.#held.delete(socket);
    if (whole.length > this.#longest) return "oversize";
    if (!more) return whole;
    this.#held.set(socket, whole);
    return undefined;
  }

  forget(socket: number): void {
    this.#held.delete(socket);
  }
}

/** An event that the member in seat `rank` may tell of `runs` runs; undefined for anything else: it comes from anybody. */
export function readReport(text: string, rank: number, runs: number): PeerEvent | undefined {
  const event = readEvent(text, runs);
  return event?.rank === rank ? event : undefined;
}
