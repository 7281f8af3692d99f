/**
 * Two processes with one number: which of them is the peer? Every start of a peer's program has an incarnation, the
 * milliseconds of its clock times 1024 plus 10 random bits, and the larger one is the newer.
 *
 * A peer remembers of each other one the newest incarnation that has shown who it is, refuses older ones, and tells
 * whoever it greets which one it knows (hello.ts). Who so learns of a newer incarnation of its own number is fenced off:
 * it ends. A clock may have gone backwards between two starts, so a process that has only just begun takes the one it
 * hears of plus one instead, and stays: the others then end the older. It has just begun until `settling` after the first
 * peer took it in; of two that have, the one that began last can still raise its incarnation when the other no longer can.
 * Two that are equal (the same millisecond, and 1 in 1024) count as one process.
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

/** Why a process that has been fenced off ends. */
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

  /** The newest incarnation of a peer that has shown who it is; 0 before any. */
  known(peer: number): number {
    return this.#known[peer];
  }

  /** A peer that has shown who it is says which one it is. */
  meet(peer: number, incarnation: number): "first" | "same" | "newer" | "stale" {
    const before = this.#known[peer];
    if (incarnation < before) return "stale";
    this.#known[peer] = incarnation;
    return before === 0 ? "first" : incarnation === before ? "same" : "newer";
  }

  /** A peer has taken this process in, at that time on a clock that only goes forward. */
  settle(now: number): void {
    this.#settled = Math.min(this.#settled, now + settling);
  }

  /** A peer knows of that incarnation of this process's number. */
  heard(known: number, now: number): "ours" | "raised" | "fenced" {
    if (known <= this.#own) return "ours";
    if (now >= this.#settled) return "fenced";
    this.#own = known + 1;
    return "raised";
  }
}
