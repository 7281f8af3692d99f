/** Letters of rounds that this peer has not reached yet, in bounded memory: so many bytes and so many letters per peer. */

import type { Letter } from "./lane.ts";

/** Early letters of one peer, however small. */
const limit = 4096;

export class Early {
  readonly #bytes: number;
  readonly #letters: Letter[][];
  readonly #held: Float64Array;

  /** `bytes` is the most that is held of one peer, and there is always room for one letter. */
  constructor(size: number, bytes: number) {
    this.#bytes = bytes;
    this.#letters = Array.from({ length: size }, () => []);
    this.#held = new Float64Array(size);
  }

  /** False where there is no room. */
  hold(peer: number, letter: Letter): boolean {
    if (this.#held[peer] > this.#bytes || this.#letters[peer].length >= limit) return false;
    this.#letters[peer].push(letter);
    this.#held[peer] += letter.data?.byteLength ?? 0;
    return true;
  }

  /** Takes out what a peer has sent for rounds up to this one. */
  take(peer: number, round: number): readonly Letter[] {
    const waiting = this.#letters[peer];
    if (waiting.length === 0) return waiting;
    const ready = waiting.filter((letter) => letter.round <= round);
    this.#letters[peer] = waiting.filter((letter) => letter.round > round);
    for (const { data } of ready) this.#held[peer] -= data?.byteLength ?? 0;
    return ready;
  }

  /** Whether a peer has sent something for later rounds. */
  has(peer: number): boolean {
    return this.#letters[peer].length > 0;
  }
}
