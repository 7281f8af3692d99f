/** The slots of one peer on a board: which may be written, who was sent which, and whether what is read has changed. */

import { InputError } from "equitopo";
import { type ElementType, elementBytes, typeOf, type Vector } from "equitopo/internal/peer";
import { type Board, type Control, slotsAt } from "./board.ts";
import type { Note } from "./mailbox.ts";

/** Who was sent a slot. Letters that nobody waits for are copied when they are read: their number says whether they were. */
interface Reader {
  readonly peer: number;
  readonly letter?: number;
}

/** Whether nobody need wait for a reader of what was sent in that round. */
type Left = (reader: Reader, round: number) => boolean;

export function slotsOf(board: Board, control: Control, rank: number, left: Left) {
  const { slots, slotBytes } = board;
  const words = control.all;
  const home = slotsAt(board, rank);
  const own = (slot: number) => control.generation(rank, slot);
  /** Who was sent each of our slots, and in which round. */
  const readers: { peers: Reader[]; round: number }[] = Array.from({ length: slots }, () => ({ peers: [], round: -1 }));
  /** Where the vectors of the round under way lie. */
  let placed = new Map<Vector, number>();
  let current = -1;
  /** One view for each piece of own memory ever lent: it is known again by being the same. */
  const ownViews = new Map<string, Vector>();
  const reading = new Map<Vector, { readonly place: number; readonly generation: number }>();
  /** Whether a borrower still uses that memory: it must not be copied into either. */
  let isTaken: (memory: Vector) => boolean = () => false;

  function isFree(slot: number): boolean {
    const { peers, round } = readers[slot];
    // Written in this round and not posted yet: too many letters were unread.
    if (peers.length === 0 && round >= 0 && round === current) return false;
    return peers.every((reader) => left(reader, round));
  }

  function ownView(slot: number, type: ElementType, length: number): Vector {
    const name = `${slot} ${type} ${length}`;
    let view = ownViews.get(name);
    if (view === undefined) {
      view = makeView(board, rank, slot, type, length);
      if (ownViews.size > 10_000) ownViews.clear();
      ownViews.set(name, view);
    }
    return view;
  }

  function choose(data: Vector, force: boolean): number | undefined {
    if (data.byteLength > slotBytes) {
      const rule = `a vector must fit into a slot of ${slotBytes} bytes`;
      throw new InputError(rule, data.byteLength, "make a larger board");
    }
    const used = [...placed.values()];
    const candidates = Array.from({ length: slots }, (_, slot) => slot).filter(
      (slot) => !used.includes(slot) && !isTaken(ownView(slot, typeOf(data), data.length)),
    );
    if (candidates.length === 0) {
      const rule = `a peer sends at most ${slots} different vectors in a round`;
      throw new InputError(rule, used.length + 1, "raise `vectors`");
    }
    const free = candidates.find(isFree);
    if (free !== undefined || !force) return free;
    return candidates.reduce((a, b) => (readers[b].round < readers[a].round ? b : a));
  }

  /** The slot that this very memory is, if it is one of ours. */
  function slotOf({ buffer, byteOffset }: Vector): number | undefined {
    const slot = (byteOffset - home.at) / slotBytes;
    return buffer === home.buffer && Number.isInteger(slot) && slot >= 0 && slot < slots ? slot : undefined;
  }

  return {
    slotOf,

    /** Own memory to write into that nobody reads. */
    lend(type: ElementType, length: number, taken: (memory: Vector) => boolean): Vector | undefined {
      const bytes = length * elementBytes[type];
      if (bytes > slotBytes || bytes === 0) return undefined;
      isTaken = taken;
      for (let slot = 0; slot < slots; slot++) {
        const view = ownView(slot, type, length);
        if (taken(view) || !isFree(slot)) continue;
        Atomics.add(words, own(slot), 1);
        return view;
      }
      return undefined;
    },

    /**
     * The vector in a slot: where it is, or copied into a free one; by force into one that is still read. `overtaken` are those
     * who had not read what lay there before.
     */
    place(data: Vector, round: number, force: boolean) {
      if (round !== current) {
        current = round;
        placed = new Map();
      }
      let slot = placed.get(data) ?? slotOf(data);
      let overtaken: number[] = [];
      if (slot === undefined) {
        slot = choose(data, force);
        if (slot === undefined) return undefined;
        const { peers, round: before } = readers[slot];
        overtaken = peers.filter((reader) => !left(reader, before)).map(({ peer }) => peer);
        Atomics.add(words, own(slot), 1);
        (ownView(slot, typeOf(data), data.length) as Float64Array).set(data as Float64Array);
      }
      placed.set(data, slot);
      if (readers[slot].round !== round) readers[slot] = { peers: [], round };
      return { slot, generation: Atomics.load(words, own(slot)), overtaken };
    },

    sent(slot: number, reader: Reader): void {
      readers[slot].peers.push(reader);
    },

    /** A vector of another peer, read in place; undefined where it has been overwritten. */
    view(peer: number, { slot, generation, type, length }: Note): Vector | undefined {
      const place = control.generation(peer, slot);
      if (Atomics.load(words, place) !== generation) return undefined;
      const view = makeView(board, peer, slot, type, length);
      reading.set(view, { place, generation });
      return view;
    },

    /** Those of the vectors that were overwritten while they were read. */
    torn: (read: readonly Vector[]) =>
      read.filter((data) => {
        const found = reading.get(data);
        return found !== undefined && Atomics.load(words, found.place) !== found.generation;
      }),

    forget(data: Vector): void {
      reading.delete(data);
    },
  };
}

const views = { uint8: Uint8Array, float32: Float32Array, float64: Float64Array };

function makeView(board: Board, peer: number, slot: number, type: ElementType, length: number): Vector {
  const { buffer, at } = slotsAt(board, peer);
  const View: new (buffer: ArrayBufferLike, offset: number, length: number) => Vector = views[type];
  return new View(buffer, at + slot * board.slotBytes, length);
}
