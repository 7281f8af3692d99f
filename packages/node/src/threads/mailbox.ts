/**
 * The mailboxes of one peer on a board: letters in, letters out, one writer and one reader each. A letter names the slot
 * that its vector lies in; nothing is copied here.
 */

import type { ElementType, Kind, Letter } from "equitopo/peer";
import { boxLetters, type Control, letterWords } from "./board.ts";

export interface Note extends Pick<Letter, "round" | "kind" | "sequence"> {
  /** The slot of the sender, and what was its generation; -1 where there is no vector. */
  readonly slot: number;
  readonly generation: number;
  readonly length: number;
  readonly type: ElementType;
}

const kinds: readonly Kind[] = ["vector", "yes", "no", "repair"];
const types: readonly ElementType[] = ["float32", "float64", "uint8"];

/** Of a letter in the ring, one word each, in this order. */
function encoded({ round, kind, sequence, slot, generation, length, type }: Note): number[] {
  return [round, kinds.indexOf(kind), sequence, slot, generation, length, types.indexOf(type)];
}

export function mailboxesOf(control: Control, rank: number) {
  const words = control.all;
  const inbox = (peer: number) => control.box(peer, rank);
  const outbox = (peer: number) => control.box(rank, peer);
  /** Where letter number `count` of a box lies. */
  const place = (box: number, count: number) => box + 2 + ((count >>> 0) % boxLetters) * letterWords;
  return {
    /** False where the peer's box is full. */
    put(peer: number, note: Note): boolean {
      const box = outbox(peer);
      const written = words[box];
      if (((written - Atomics.load(words, box + 1)) | 0) >= boxLetters) return false;
      words.set(encoded(note), place(box, written));
      Atomics.store(words, box, written + 1);
      control.ring(peer, rank);
      return true;
    },

    /** Letters to a peer that were ever written, and those of them that it has taken; both wrap around. */
    written: (peer: number) => words[outbox(peer)],
    taken: (peer: number) => Atomics.load(words, outbox(peer) + 1),

    /** The oldest letter from a peer, which stays where it is until it is dropped. */
    peek(peer: number): Note | undefined {
      const box = inbox(peer);
      const taken = words[box + 1];
      if (Atomics.load(words, box) === taken) return undefined;
      const at = place(box, taken);
      const [round, kind, sequence, slot, generation, length, type] = words.subarray(at, at + letterWords);
      return { round, kind: kinds[kind], sequence, slot, generation, length, type: types[type] };
    },

    drop(peer: number): void {
      const box = inbox(peer);
      const taken = words[box + 1];
      Atomics.store(words, box + 1, taken + 1);
      // Only a box that was full can have its writer waiting. Looked at last: it may have become so in the meantime.
      if (((Atomics.load(words, box) - taken) | 0) >= boxLetters) control.ring(peer, rank);
    },
  };
}
