/** The slots of one peer on a board: which may be written, who was sent which, and whether what is read has changed. */

import { InputError } from "equitopo";
import { type ElementType, elementBytes, typeOf, type Vector } from "equitopo/peer";
import { type Board, Places } from "./board.ts";
import type { Note } from "./mailbox.ts";

/** Where a vector lies; those who had not read what lay there before. */
interface Placed {
  readonly slot: number;
  readonly generation: number;
  readonly overtaken: readonly number[];
}

/** Who was sent a slot. Letters that nobody waits for are copied when they are taken: their number says whether they were. */
interface Reader {
  readonly peer: number;
  readonly letter?: number;
}

/** Whether nobody need wait for a reader of what was sent in that round. */
type Left = (reader: Reader, round: number) => boolean;

export class Slots {
  readonly #board: Board;
  readonly #rank: number;
  readonly #at: Places;
  readonly #words: Int32Array;
  readonly #left: Left;
  /** Who was sent each of our slots, and in which round. */
  readonly #readers: { peers: Reader[]; round: number }[];
  /** Where the vectors of the round under way lie. */
  #placed = new Map<Vector, number>();
  #round = -1;
  /** One view for each piece of own memory ever lent: it is known again by being the same. */
  readonly #views = new Map<string, Vector>();
  /** What is being read of others. */
  readonly #reading = new Map<Vector, { readonly place: number; readonly generation: number }>();
  /** Whether a borrower still uses that memory: it must not be copied into either. */
  #taken: (memory: Vector) => boolean = () => false;

  constructor(board: Board, rank: number, left: Left) {
    this.#board = board;
    this.#rank = rank;
    this.#at = new Places(board);
    this.#words = new Int32Array(board.control);
    this.#left = left;
    this.#readers = Array.from({ length: board.slots }, () => ({ peers: [], round: -1 }));
  }

  /** Own memory to write into that nobody reads. */
  lend(type: ElementType, length: number, taken: (memory: Vector) => boolean): Vector | undefined {
    const bytes = length * elementBytes[type];
    if (bytes > this.#board.slotBytes || bytes === 0) return undefined;
    this.#taken = taken;
    for (let slot = 0; slot < this.#board.slots; slot++) {
      const view = this.#ownView(slot, type, length);
      if (taken(view) || !this.#free(slot)) continue;
      Atomics.add(this.#words, this.#at.generation(this.#rank, slot), 1);
      return view;
    }
    return undefined;
  }

  /** The slot that this very memory is, if it is one of ours. */
  own({ buffer, byteOffset }: Vector): number | undefined {
    const { slotBytes, memory } = this.#board;
    if (buffer !== memory[this.#rank] || byteOffset % slotBytes !== 0) return undefined;
    return byteOffset / slotBytes;
  }

  /** The vector in a slot: where it is, or copied into a free one; by force into one that is still read. */
  place(data: Vector, round: number, force: boolean): Placed | undefined {
    if (round !== this.#round) {
      this.#round = round;
      this.#placed = new Map();
    }
    let slot = this.#placed.get(data) ?? this.own(data);
    let overtaken: number[] = [];
    if (slot === undefined) {
      slot = this.#choose(data, force);
      if (slot === undefined) return undefined;
      const { peers, round: before } = this.#readers[slot];
      overtaken = peers.filter((reader) => !this.#left(reader, before)).map(({ peer }) => peer);
      Atomics.add(this.#words, this.#at.generation(this.#rank, slot), 1);
      (this.#ownView(slot, typeOf(data), data.length) as Float64Array).set(data as Float64Array);
    }
    this.#placed.set(data, slot);
    if (this.#readers[slot].round !== round) this.#readers[slot] = { peers: [], round };
    return { slot, generation: Atomics.load(this.#words, this.#at.generation(this.#rank, slot)), overtaken };
  }

  sent(slot: number, reader: Reader): void {
    this.#readers[slot].peers.push(reader);
  }

  /** A vector of another peer, read in place; undefined where it has been overwritten. */
  view(peer: number, { slot, generation, type, length }: Note): Vector | undefined {
    const place = this.#at.generation(peer, slot);
    if (Atomics.load(this.#words, place) !== generation) return undefined;
    const view = makeView(this.#board, peer, slot, type, length);
    this.#reading.set(view, { place, generation });
    return view;
  }

  /** Those of the vectors that were overwritten while they were read. */
  torn(read: readonly Vector[]): Vector[] {
    return read.filter((data) => {
      const reading = this.#reading.get(data);
      return reading !== undefined && Atomics.load(this.#words, reading.place) !== reading.generation;
    });
  }

  forget(data: Vector): void {
    this.#reading.delete(data);
  }

  #choose(data: Vector, force: boolean): number | undefined {
    const { slotBytes, slots } = this.#board;
    if (data.byteLength > slotBytes) {
      throw new InputError(
        `a vector must fit into a slot of ${slotBytes} bytes`,
        data.byteLength,
        "make a larger board",
      );
    }
    const used = [...this.#placed.values()];
    const candidates = Array.from({ length: slots }, (_, slot) => slot).filter(
      (slot) => !used.includes(slot) && !this.#taken(this.#ownView(slot, typeOf(data), data.length)),
    );
    if (candidates.length === 0) {
      throw new InputError(
        `a peer sends at most ${slots} different vectors in a round`,
        used.length + 1,
        "raise `vectors`",
      );
    }
    const free = candidates.find((slot) => this.#free(slot));
    if (free !== undefined || !force) return free;
    return candidates.reduce((a, b) => (this.#readers[b].round < this.#readers[a].round ? b : a));
  }

  #free(slot: number): boolean {
    const { peers, round } = this.#readers[slot];
    // Written in this round and not posted yet: its mailbox was full.
    if (peers.length === 0 && round >= 0 && round === this.#round) return false;
    return peers.every((reader) => this.#left(reader, round));
  }

  #ownView(slot: number, type: ElementType, length: number): Vector {
    const name = `${slot} ${type} ${length}`;
    let view = this.#views.get(name);
    if (view === undefined) {
      view = makeView(this.#board, this.#rank, slot, type, length);
      if (this.#views.size > 10_000) this.#views.clear();
      this.#views.set(name, view);
    }
    return view;
  }
}

function makeView({ slotBytes, memory }: Board, peer: number, slot: number, type: ElementType, length: number): Vector {
  const offset = slot * slotBytes;
  if (type === "uint8") return new Uint8Array(memory[peer], offset, length);
  return type === "float32"
    ? new Float32Array(memory[peer], offset, length)
    : new Float64Array(memory[peer], offset, length);
}
