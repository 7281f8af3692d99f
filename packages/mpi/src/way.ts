/**
 * What has come from one rank and has not been delivered: letters in the order in which they were sent. A letter of a round
 * that this rank has not reached waits here, its large vector at the sender; one of a round that is over is handed on all
 * the same, for the exchange to count and drop. What is already there is read before anything is delivered, ahead of the
 * rounds: a rank that stood still so hears first how far the others have come.
 *
 * Pure: MPI is the lane's business (lane.ts).
 */

import type { Header, Vector } from "equitopo/peer";

export interface Arrived {
  readonly header: Header;
  /** The vector, where it came with the header. */
  readonly data: Vector | undefined;
  /** Whether it is still at the sender. */
  readonly apart: boolean;
}

/** Letters, and bytes of vectors, that are read ahead; the rest waits in MPI's own queue. */
const [mostLetters, mostBytes] = [8192, 2 ** 24];

export class Way {
  /** The latest round that this rank has spoken of; -1 before any. */
  reached = -1;
  /** Whether a letter is being received, and whether the vector of the first one is. */
  reading = false;
  fetching = false;
  /** Whether more letters are there to be read. */
  more = false;
  readonly #letters: Arrived[] = [];
  #bytes = 0;

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

  /** The first letter has been delivered. */
  shift(): void {
    this.#bytes -= this.#letters.shift()?.data?.byteLength ?? 0;
  }
}
