/**
 * The memory that peers in worker threads share: for each peer a few slots for the vectors it sends, and one array of
 * 32-bit words for letters and for who has finished with what. Plain data: it goes to a worker through workerData. It grows with
 * n alone: a peer's letters lie in cells of its own, wherever they go.
 *
 * All slots lie in one space (kernel/space.ts), so that rows in them are combined where they are; where that would be larger than
 * wasm allows (4 GiB), each peer has memory of its own.
 *
 *   peer j:      bell (rung when something it waits for may have changed), awaited (the peer it waits for, + 1; -1: anybody),
 *                floor (its first round that is not over: all it was sent before is read or given up), gone,
 *                beat (goes up while it waits: one that does not, and whose floor stays, computes, or is dead),
 *                top (the newest letter to it, as the number of its cell, from 1; 0: none), batch (the same of those that it
 *                is reading)
 *   slot of j:   generation, raised before the slot is written anew: a reader that sees it changed has read nonsense
 *   cell of j:   a letter that j has written: its use (0: the cell is free), the cell below it in its reader's pile, then round,
 *                kind, sequence, slot, generation, elements, element type
 */

import { InputError, integer } from "equitopo/internal/input";
import { deskBytes, joinSharedSpace, type Memory, newSharedSpace } from "equitopo/internal/kernels";

export interface Board {
  readonly size: number;
  /** Bytes of one slot, and slots of one peer. */
  readonly slotBytes: number;
  readonly slots: number;
  readonly control: SharedArrayBuffer;
  /** First a desk for each peer, then the slots of all; or an array for each peer, with its slots one after the other. */
  readonly memory: Memory<SharedArrayBuffer> | readonly SharedArrayBuffer[];
}

export interface BoardOptions {
  readonly size: number;
  readonly bytes: number;
  /** Different vectors that a peer sends in one round. Default 2. */
  readonly vectors?: number;
}

const peerWords = 16;
/** Cells of one peer: letters that others have yet to read. */
export const cells = 256;
const cellWords = 9;
const vectorLimit = 8;

export function createBoard(options: BoardOptions): Board {
  const size = integer("size", options.size, 1, 4096);
  const bytes = integer("bytes", options.bytes, 1);
  // Three for each vector: one being read in this round, one still read from the round before, one to write into.
  const slots = 3 * integer("vectors", options.vectors ?? 2, 1, vectorLimit);
  const slotBytes = Math.ceil(bytes / 64) * 64;
  const words = size * (peerWords + slots + cells * cellWords);
  try {
    return {
      size,
      slotBytes,
      slots,
      control: new SharedArrayBuffer(4 * words),
      memory:
        newSharedSpace(size * (deskBytes + slots * slotBytes)) ??
        Array.from({ length: size }, () => new SharedArrayBuffer(slots * slotBytes)),
    };
  } catch {
    const asked = `${size} x ${slots} x ${slotBytes} bytes`;
    throw new InputError("the peers' vectors must fit into memory", asked, "use fewer");
  }
}

/** Where the slots of a peer begin. */
export function slotsAt({ size, slots, slotBytes, memory }: Board, peer: number) {
  if (!("buffer" in memory)) return { buffer: memory[peer], at: 0 };
  return { buffer: memory.buffer, at: size * deskBytes + peer * slots * slotBytes };
}

/** A peer comes to the board: what lies on it can be combined in this thread from now on. */
export function joinBoard({ memory }: Board, rank: number): void {
  if ("buffer" in memory) joinSharedSpace(memory, rank * deskBytes);
}

/** Says for a peer whose thread has ended that it is gone: what it was sent is free, and nobody waits for it. */
export function announceGone(board: Board, rank: number): void {
  const { all, gone, ring } = controlOf(board);
  Atomics.store(all, gone(rank), 1);
  for (let peer = 0; peer < board.size; peer++) ring(peer, rank);
}

/** A peer that waits for a slot or a cell waits for those that still read it: any of those it was sent to before. */
export const anybody = -1;

export type Control = ReturnType<typeof controlOf>;

/** The control words, and where everything is in them. */
export function controlOf({ size, slots, control }: Board) {
  const all = new Int32Array(control);
  const bell = (peer: number) => peer * peerWords;
  const awaited = (peer: number) => peer * peerWords + 1;

  function wake(peer: number): void {
    Atomics.add(all, bell(peer), 1);
    Atomics.notify(all, bell(peer));
  }

  return {
    ...{ all, bell, awaited },
    floor: (peer: number) => peer * peerWords + 2,
    gone: (peer: number) => peer * peerWords + 3,
    beat: (peer: number) => peer * peerWords + 4,
    top: (peer: number) => peer * peerWords + 5,
    batch: (peer: number) => peer * peerWords + 6,
    generation: (peer: number, slot: number) => size * peerWords + peer * slots + slot,
    /** Cells go by their numbers, from 1: those of peer 0, then those of peer 1, ... */
    cell: (number: number) => size * (peerWords + slots) + (number - 1) * cellWords,

    /** Wakes a peer that waits for `by`. One that begins to wait says so first and then looks again, so none is missed. */
    ring(peer: number, by: number): void {
      const waits = Atomics.load(all, awaited(peer));
      if (waits === by + 1 || waits === anybody) wake(peer);
    },

    /** Wakes a peer that waits for a slot or a cell: some of its may be free. */
    ringFreed(peer: number): void {
      if (Atomics.load(all, awaited(peer)) === anybody) wake(peer);
    },
  };
}
