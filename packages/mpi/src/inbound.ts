/**
 * Letters between MPI ranks. As bytes, a letter is a header, with the vector behind it where that is small (lane.ts).
 *
 * An Inbound holds what has come from one rank and has not been delivered: letters in the order in which they were sent. A
 * letter of a round that this rank has not reached waits here, its large vector at the sender; one of a round that is over
 * is handed on all the same, for the exchange to count and drop. What is already there is read before anything is
 * delivered, ahead of the rounds: so a rank that stood still hears first how far the others have come.
 *
 * Pure: MPI is the lane's business (lane.ts).
 */

import { decodeHeader, type Header, headerBytes, type Vector } from "equitopo/internal/peer";

/** Below the size up to which Open MPI sends at once within a machine (4096 bytes, its own header included). */
export const inlineBytes = 3968;
/** The longest vector that one message of MPI can have. */
const largest = 2 ** 31 - 1;

/** The header of a letter, or why it is refused. Whose it is MPI says. */
export function readHeader(letter: Uint8Array, spec: Uint8Array): Header | string {
  if (letter.length < headerBytes) return "garbage";
  const header = decodeHeader(letter, spec, largest);
  if (typeof header === "string") return header;
  const inline = header.bytes <= inlineBytes ? header.bytes : 0;
  return letter.length === headerBytes + inline ? header : "length";
}

export interface Arrived {
  readonly header: Header;
  /** The vector, where it came with the header. */
  readonly data: Vector | undefined;
  /** Whether it is still at the sender. */
  readonly apart: boolean;
}

/** Memory that a large vector is received into before its letter has come; `code` is MPI's, when it has. */
export interface Offer {
  readonly memory: Vector;
  code: number | undefined;
  ended: () => void;
}

/** Letters, and bytes of vectors, that are read ahead; the rest waits in MPI's own queue. */
const [mostLetters, mostBytes] = [8192, 2 ** 24];

export class Inbound {
  /** The latest round that this rank has spoken of; -1 before any. */
  reached = -1;
  /** Whether a letter is being received, and whether the vector of the first one is. */
  reading = false;
  fetching = false;
  more = false;
  /** For its next large vector, whichever that is: MPI keeps their order. */
  offer: Offer | undefined;
  readonly #letters: Arrived[] = [];
  #bytes = 0;

  /** Whether large vectors that have been announced are still at the sender. */
  get owes(): boolean {
    return this.#letters.some(({ apart }) => apart);
  }

  get full(): boolean {
    return this.#letters.length >= mostLetters || this.#bytes >= mostBytes;
  }

  add(letter: Arrived): void {
    this.#letters.push(letter);
    this.#bytes += letter.data?.byteLength ?? 0;
    this.reached = Math.max(this.reached, letter.header.round);
  }

  /** The first letter, where its round has come; "later" where it has not; undefined where there is none, or more to read. */
  first(round: number): Arrived | "later" | undefined {
    if (this.more && !this.full) return undefined;
    const [letter] = this.#letters;
    return letter !== undefined && letter.header.round > round ? "later" : letter;
  }

  shift(): void {
    this.#bytes -= this.#letters.shift()?.data?.byteLength ?? 0;
  }
}
