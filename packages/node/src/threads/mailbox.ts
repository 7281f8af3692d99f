/**
 * Letters from one peer and to it. A letter is written into a free cell of its sender and put on its reader's pile by one
 * exchange of the pile's top; the reader takes the pile as a whole and reads it from below, so letters of one sender keep
 * their order. No step leaves the pile unusable if a thread is ended in the middle of it. A letter names the slot that its
 * vector lies in; nothing is copied here.
 */

import type { ElementType, Kind, Letter } from "equitopo/peer";
import { type Control, cells } from "./board.ts";

export interface Note extends Pick<Letter, "round" | "kind" | "sequence"> {
  /** The slot of the sender, and what was its generation; -1 where there is no vector. */
  readonly slot: number;
  readonly generation: number;
  readonly length: number;
  readonly type: ElementType;
}

const kinds: readonly Kind[] = ["vector", "yes", "no", "repair"];
const types: readonly ElementType[] = ["float32", "float64", "uint8"];

/** Letters to one peer that it has not read: room for two rounds of as many vectors as a peer may send. */
const unreadLimit = 16;

/** Letters to those who are gone are taken back where cells are needed. */
export function mailboxesOf(control: Control, rank: number, isGone: (peer: number) => boolean) {
  const words = control.all;
  const [top, batch] = [control.top(rank), control.batch(rank)];
  const senderOf = (cell: number) => Math.floor((cell - 1) / cells);
  const below = (cell: number) => words[control.cell(cell) + 1];
  /** Own cells to write into, as far as they are known. */
  const free: number[] = [];
  let uses = 0;
  /** Letters that a peer had not read when it was last looked. A letter's number is its use and its cell. */
  const unread = new Map<number, number[]>();

  const noteAt = (at: number): Note => ({
    round: words[at + 2],
    kind: kinds[words[at + 3]],
    sequence: words[at + 4],
    slot: words[at + 5],
    generation: words[at + 6],
    length: words[at + 7],
    type: types[words[at + 8]],
  });

  const isRead = (letter: number) =>
    Atomics.load(words, control.cell(rank * cells + (letter % cells) + 1)) !== Math.floor(letter / cells);

  function unreadBy(peer: number): number[] {
    let letters = unread.get(peer);
    if (letters === undefined) {
      letters = [];
      unread.set(peer, letters);
    }
    while (letters.length > 0 && isRead(letters[0])) letters.shift();
    return letters;
  }

  function findFree(): void {
    for (let cell = rank * cells + cells; cell > rank * cells; cell--) {
      if (Atomics.load(words, control.cell(cell)) === 0) free.push(cell);
    }
  }

  function takeBack(): void {
    for (const [peer, letters] of unread) {
      if (letters.length === 0 || !isGone(peer)) continue;
      let cell = Atomics.exchange(words, control.top(peer), 0);
      while (cell !== 0) {
        const next = below(cell);
        Atomics.store(words, control.cell(cell), 0);
        cell = next;
      }
    }
  }

  function freeCell(): number | undefined {
    if (free.length === 0) findFree();
    if (free.length === 0) {
      takeBack();
      findFree();
    }
    return free.pop();
  }

  return {
    isRead,

    /** The number of letters that a peer has not read. */
    unread: (peer: number): number => unreadBy(peer).length,

    /** The letter's number, above 0; 0 if too many are unread. */
    put(peer: number, { round, kind, sequence, slot, generation, length, type }: Note): number {
      const letters = unreadBy(peer);
      const cell = letters.length < unreadLimit ? freeCell() : undefined;
      if (cell === undefined) return 0;
      uses = (uses % 0x7fffffff) + 1;
      const at = control.cell(cell);
      words[at] = uses;
      words[at + 2] = round;
      words[at + 3] = kinds.indexOf(kind);
      words[at + 4] = sequence;
      words[at + 5] = slot;
      words[at + 6] = generation;
      words[at + 7] = length;
      words[at + 8] = types.indexOf(type);
      const pile = control.top(peer);
      for (let last = Atomics.load(words, pile); ; ) {
        words[at + 1] = last;
        const found = Atomics.compareExchange(words, pile, last, cell);
        if (found === last) break;
        last = found;
      }
      control.ring(peer, rank);
      const letter = uses * cells + cell - 1 - rank * cells;
      letters.push(letter);
      return letter;
    },

    /** Hands over all letters that have come. False where there is none. */
    receive(deliver: (peer: number, note: Note) => void): boolean {
      // What a thread that was ended was reading, its successor reads again.
      if (words[batch] === 0) {
        if (Atomics.load(words, top) === 0) return false;
        words[batch] = Atomics.exchange(words, top, 0);
      }
      const pile: number[] = [];
      for (let cell = words[batch]; cell !== 0; cell = below(cell)) pile.push(cell);
      for (let k = pile.length - 1; k >= 0; k--) deliver(senderOf(pile[k]), noteAt(control.cell(pile[k])));
      words[batch] = 0;
      for (const cell of pile) {
        Atomics.store(words, control.cell(cell), 0);
        control.ringFreed(senderOf(cell));
      }
      return true;
    },

    /** Those whose letters have come and are not received. */
    *senders(): Generator<number> {
      for (let cell = Atomics.load(words, top); cell !== 0; cell = below(cell)) yield senderOf(cell);
    },
  };
}
