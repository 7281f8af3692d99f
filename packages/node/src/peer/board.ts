/**
 * The memory that peers in worker threads share: for each peer a few slots for the vectors it sends, and one array of
 * 32-bit words for who has posted what, who has finished with what, and what pairs have decided. Plain data: it goes to a
 * worker through workerData.
 *
 *   peer j:     bell (rung when something it waits for may have changed), watch (whom it waits for, + 1),
 *               floor (its first round that is not over: all it was sent before is read or given up), late, closed
 *   slot of j:  generation, raised before the slot is written anew: a reader that sees it changed has read nonsense
 *   edge i -> j: two posts, each: round + 1, count, and per message slot, generation, length, element type
 *   pair i < j: 4 round + state of their mutual exchange: 1 one side said yes, 2 both did, 3 void
 */

import { InputError, integer } from "../input/input.ts";

export interface Board {
  readonly size: number;
  /** Bytes of one slot, and slots of one peer. */
  readonly slotBytes: number;
  readonly slots: number;
  readonly control: SharedArrayBuffer;
  /** One for each peer: its slots, one after the other. */
  readonly memory: readonly SharedArrayBuffer[];
}

export interface BoardOptions {
  readonly size: number;
  /** Bytes of the largest vector. */
  readonly bytes: number;
  /** Different vectors that a peer sends in one round. Default 2. */
  readonly vectors?: number;
}

export const messageLimit = 8;
const peerWords = 16;
const postWords = 2 + 4 * messageLimit;

export function createBoard(options: BoardOptions): Board {
  const size = integer("size", options.size, 1, 4096);
  const bytes = integer("bytes", options.bytes, 1);
  // Three for each vector: one being read in this round, one still read from the round before, one to write into.
  const slots = 3 * integer("vectors", options.vectors ?? 2, 1, messageLimit);
  const slotBytes = Math.ceil(bytes / 64) * 64;
  const words = size * peerWords + size * slots + 2 * size * size * postWords + size * size;
  try {
    return {
      size,
      slotBytes,
      slots,
      control: new SharedArrayBuffer(4 * words),
      memory: Array.from({ length: size }, () => new SharedArrayBuffer(slots * slotBytes)),
    };
  } catch {
    throw new InputError(
      "the peers' vectors must fit into memory",
      `${size} x ${slots} x ${slotBytes} bytes`,
      "use fewer",
    );
  }
}

/** Where everything is in the control words. */
export class Places {
  readonly #size: number;
  readonly #slots: number;

  constructor({ size, slots }: Board) {
    this.#size = size;
    this.#slots = slots;
  }

  bell = (peer: number) => peer * peerWords;
  watch = (peer: number) => peer * peerWords + 1;
  floor = (peer: number) => peer * peerWords + 2;
  late = (peer: number) => peer * peerWords + 3;
  generation = (peer: number, slot: number) => this.#size * peerWords + peer * this.#slots + slot;

  /** The k-th post (0 or 1) on the way from -> to. */
  post(from: number, to: number, k: number): number {
    const first = this.#size * (peerWords + this.#slots);
    return first + (2 * (from * this.#size + to) + k) * postWords;
  }

  pair(a: number, b: number): number {
    const first = this.#size * (peerWords + this.#slots) + 2 * this.#size * this.#size * postWords;
    return first + Math.min(a, b) * this.#size + Math.max(a, b);
  }
}
