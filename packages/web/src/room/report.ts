/**
 * What a member tells the server that it ended up with: the peer events of equitopo/peer as text, cut into pieces that fit
 * into messages, and put together again within bounds. Nothing waits for them; a server that is gone hears nothing.
 */

import { decodeEvent, type PeerEvent } from "equitopo/peer";
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

const wholeNumber = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isNumbers = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.values(value).every((one) => typeof one === "number");
const isRow = (value: unknown): boolean => value instanceof Float64Array || value instanceof Float32Array;

/** An event that the member in seat `rank` may tell of `runs` runs; undefined for anything else: it comes from anybody. */
export function readReport(text: string, rank: number, runs: number): PeerEvent | undefined {
  let event: PeerEvent | undefined;
  try {
    event = decodeEvent(text);
  } catch {
    return undefined;
  }
  if (typeof event !== "object" || event === null || event.rank !== rank) return undefined;
  switch (event.kind) {
    case "round": {
      const { run, round, partners, bytes, lag } = event;
      const fine = wholeNumber(run) && run < runs && wholeNumber(round) && wholeNumber(bytes) && Number.isFinite(lag);
      return fine && Array.isArray(partners) && partners.every(wholeNumber) ? event : undefined;
    }
    case "record": {
      const { run, updates, x, state, tally, bytes, messages, seconds, faults } = event;
      const fine = wholeNumber(run) && run < runs && wholeNumber(updates) && isRow(x) && isNumbers(faults);
      const spent = [bytes, messages, seconds].every((one) => Number.isFinite(one) && one >= 0);
      const kept = state === undefined || (Object(state) === state && Object.values(state).every(isRow));
      return fine && spent && kept && (tally === undefined || isNumbers(tally)) ? event : undefined;
    }
    case "end": {
      if (Object(event.summary) !== event.summary) return undefined;
      const { exchanges, neverHeard, start, ...counts } = event.summary;
      const peers = [neverHeard, start?.absent].every((list) => Array.isArray(list) && list.every(wholeNumber));
      const known = typeof start?.from === "string" && wholeNumber(start.run) && wholeNumber(start.round);
      return isNumbers(counts) && isNumbers(exchanges) && peers && known ? event : undefined;
    }
  }
  return undefined;
}
