/**
 * Who votes in epoch 0. Its seats are the spec's, but nobody has said yet which programs sit there, and one that is started
 * twice without a memory must not vote twice. So every peer writes down, for ever, the first incarnation it hears of in
 * each seat, and a peer opens once those that have written down this very incarnation are
 *
 *   all n;  or a majority of n, once `start` milliseconds have passed or one of them has begun.
 *
 * Two majorities share a peer, and that one has written down only one of two incarnations: no second one opens. A peer that
 * finds another incarnation of its seat written down is a newcomer, and joins as such.
 */

import { majorityOf } from "./epoch.ts";

export class Opening {
  readonly #n: number;
  readonly #known: number[];
  readonly #backers = new Set<number>();
  #begun = false;

  /** `known` is what was written down before, where this peer was started again with its memory. */
  constructor(n: number, known: readonly number[] = []) {
    this.#n = n;
    this.#known = Array.from({ length: n }, (_, seat) => known[seat] ?? 0);
  }

  /** Whether it is news. */
  note(seat: number, incarnation: number): boolean {
    if (seat >= this.#n || this.#known[seat] !== 0) return false;
    this.#known[seat] = incarnation;
    return true;
  }

  /** Who was first heard of in that seat; 0 before any. */
  of(seat: number): number {
    return this.#known[seat] ?? 0;
  }

  get list(): readonly number[] {
    return this.#known.slice();
  }

  /** That seat has written us down, and may have begun. */
  back(seat: number, begun = false): void {
    if (seat < this.#n) this.#backers.add(seat);
    if (begun) this.#begun = true;
  }

  isOpen(late: boolean): boolean {
    return this.#backers.size >= (late || this.#begun ? majorityOf(this.#n) : this.#n);
  }
}
