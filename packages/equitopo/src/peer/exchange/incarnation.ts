/**
 * Which of two processes with one rank is the peer. Every start of a peer's program has an incarnation, the milliseconds of its
 * clock times 1024 plus 10 random bits, and the larger one is the newer.
 *
 * A peer remembers the newest proved incarnation of every other peer, refuses older ones, and states in its greeting which one
 * it knows (hello.ts). A process that so learns of a newer incarnation of its own rank is fenced off: it ends. A clock may have
 * gone backwards between two starts. So a process that has only just begun raises its own incarnation above the one that it
 * hears of, and stays: the others then end the older process. It has just begun until `settling` after the first peer has
 * accepted it; of two processes, the one that began last can still raise its incarnation when the other no longer can. Two
 * equal incarnations (the same millisecond, and 1 in 1024) count as one process.
 *
 * Pure: the time and the random bits are the caller's.
 */

/** Milliseconds after its first connection in which a process may still raise its incarnation. */
export const settling = 10_000;

/**
 * @example
 * ```ts
 * import { newIncarnation } from "equitopo/peer";
 * newIncarnation(1000, 5) < newIncarnation(1001, 0) // => true
 * ```
 */
export function newIncarnation(milliseconds: number, random: number): number {
  return Math.floor(milliseconds) * 1024 + (random & 1023);
}

/** The error with which a process ends that has been fenced off. */
export class ReplacedError extends Error {
  constructor(rank: number) {
    super(`peer ${rank} was started again elsewhere: this process, the older one, ends`);
    this.name = "ReplacedError";
  }
}

export class Incarnations {
  readonly #known: Float64Array;
  #own: number;
  #settled = Number.POSITIVE_INFINITY;

  /** `own` is this process's, in a network of `size`. */
  constructor(own: number, size: number) {
    this.#own = own;
    this.#known = new Float64Array(size);
  }

  get own(): number {
    return this.#own;
  }

  /** The newest proved incarnation of a peer; 0 before any. */
  known(peer: number): number {
    return this.#known[peer];
  }

  /** A peer has proved its rank, with this incarnation. */
  meet(peer: number, incarnation: number): "first" | "same" | "newer" | "stale" {
    const before = this.#known[peer];
    if (incarnation < before) return "stale";
    this.#known[peer] = incarnation;
    return before === 0 ? "first" : incarnation === before ? "same" : "newer";
  }

  /** A peer has accepted this process, at that time on a clock that only goes forward. */
  settle(now: number): void {
    this.#settled = Math.min(this.#settled, now + settling);
  }

  /** A peer knows that incarnation of this process's rank. */
  heard(known: number, now: number): "ours" | "raised" | "fenced" {
    if (known <= this.#own) return "ours";
    if (now >= this.#settled) return "fenced";
    this.#own = known + 1;
    return "raised";
  }
}
