/**
 * The mailboxes of one peer on a board: letters in, letters out, one writer and one reader each. A letter names the slot
 * that its vector lies in; nothing is copied here.
 */

import type { ElementType, Kind } from "equitopo/peer";
import { type Board, boxLetters, letterWords, Places, ring } from "./board.ts";

export interface Note {
  readonly round: number;
  readonly kind: Kind;
  readonly sequence: number;
  /** The slot of the sender, and what was its generation; -1 where there is no vector. */
  readonly slot: number;
  readonly generation: number;
  readonly length: number;
  readonly type: ElementType;
}

const kinds: readonly Kind[] = ["vector", "yes", "no"];
const types: readonly ElementType[] = ["float32", "float64", "uint8"];

export class Mailboxes {
  readonly #words: Int32Array;
  readonly #at: Places;
  readonly #rank: number;

  constructor(board: Board, rank: number) {
    this.#words = new Int32Array(board.control);
    this.#at = new Places(board);
    this.#rank = rank;
  }

  /** False where the peer's box is full. */
  put(peer: number, { round, kind, sequence, slot, generation, length, type }: Note): boolean {
    const words = this.#words;
    const box = this.#at.box(this.#rank, peer);
    const written = words[box];
    if (((written - Atomics.load(words, box + 1)) | 0) >= boxLetters) return false;
    const at = box + 2 + ((written >>> 0) % boxLetters) * letterWords;
    words[at] = round;
    words[at + 1] = kinds.indexOf(kind);
    words[at + 2] = sequence;
    words[at + 3] = slot;
    words[at + 4] = generation;
    words[at + 5] = length;
    words[at + 6] = types.indexOf(type);
    Atomics.store(words, box, written + 1);
    ring(words, this.#at, peer, this.#rank);
    return true;
  }

  /** Letters to a peer that were ever written, and those of them that it has taken; both wrap around. */
  written(peer: number): number {
    return this.#words[this.#at.box(this.#rank, peer)];
  }

  taken(peer: number): number {
    return Atomics.load(this.#words, this.#at.box(this.#rank, peer) + 1);
  }

  /** The oldest letter from a peer, which stays where it is until it is dropped. */
  peek(peer: number): Note | undefined {
    const words = this.#words;
    const box = this.#at.box(peer, this.#rank);
    const taken = words[box + 1];
    if (Atomics.load(words, box) === taken) return undefined;
    const at = box + 2 + ((taken >>> 0) % boxLetters) * letterWords;
    return {
      round: words[at],
      kind: kinds[words[at + 1]],
      sequence: words[at + 2],
      slot: words[at + 3],
      generation: words[at + 4],
      length: words[at + 5],
      type: types[words[at + 6]],
    };
  }

  /** The oldest letter from a peer has been read. */
  drop(peer: number): void {
    const words = this.#words;
    const box = this.#at.box(peer, this.#rank);
    const taken = words[box + 1];
    Atomics.store(words, box + 1, taken + 1);
    // Only a box that was full can have its writer waiting. Looked at last: it may have become so in the meantime.
    if (((Atomics.load(words, box) - taken) | 0) >= boxLetters) ring(words, this.#at, peer, this.#rank);
  }
}
