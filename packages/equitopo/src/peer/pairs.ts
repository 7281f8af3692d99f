/**
 * Both or none, between two threads: one shared word for each pair, changed only by compare-and-exchange, holds 4 round +
 * state of their mutual exchange: 1 one side said yes, 2 both did, 3 void. Whoever changes it decides for both, so there
 * is no moment in which one side has applied the exchange and the other may still void it.
 */

import type { Places } from "./board.ts";

/** What the votes need of their transport. */
export interface Waiting {
  /** Waits for a condition that `peer` will change; false after the deadline. */
  until(holds: () => boolean, peer: number, deadline: number, signal: AbortSignal | undefined): Promise<boolean>;
  /** Whether `peer` has left that round. */
  left(peer: number, round: number): boolean;
  /** Wakes `peer` if it waits for us. */
  ring(peer: number): void;
}

export class Pairs {
  readonly #words: Int32Array;
  readonly #at: Places;
  readonly #rank: number;
  readonly #waiting: Waiting;

  constructor(words: Int32Array, at: Places, rank: number, waiting: Waiting) {
    this.#words = words;
    this.#at = at;
    this.#rank = rank;
    this.#waiting = waiting;
  }

  /** Says yes or no to a round; what the pair has decided, or undefined where the partner has not voted yet. */
  async vote(
    peer: number,
    round: number,
    yes: boolean,
    deadline: number,
    signal: AbortSignal | undefined,
  ): Promise<boolean | undefined> {
    const words = this.#words;
    const place = this.#at.pair(this.#rank, peer);
    const [one, both, none] = [4 * round + 1, 4 * round + 2, 4 * round + 3];
    for (;;) {
      const now = Atomics.load(words, place);
      // A later round there means that the partner gave this one up.
      if (now >= none) return false;
      // A yes of both stays until both have left that round, so that the slower one can still read it.
      if (now % 4 === 2) {
        const left = () => this.#waiting.left(peer, now >> 2);
        if (!(await this.#waiting.until(left, peer, deadline, signal))) return false;
      }
      const next = now === one ? (yes ? both : none) : yes ? one : none;
      if (Atomics.compareExchange(words, place, now, next) !== now) continue;
      this.#waiting.ring(peer);
      return next === one ? undefined : next === both;
    }
  }

  /** Waits for the partner's vote after our yes; at the deadline the yes is taken back, unless the partner was quicker. */
  async settle(peer: number, round: number, deadline: number, signal: AbortSignal | undefined): Promise<boolean> {
    const place = this.#at.pair(this.#rank, peer);
    const one = 4 * round + 1;
    await this.#waiting.until(() => Atomics.load(this.#words, place) !== one, peer, deadline, signal);
    return Atomics.compareExchange(this.#words, place, one, one + 2) === one + 1;
  }
}
