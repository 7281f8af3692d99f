/**
 * One ballot from its proposer's side: promises first, then votes for one value. Of the values that were accepted before, the
 * one of the highest ballot must be proposed again; only where there is none may the proposer choose.
 */

import { type Epoch, majorityOf } from "./epoch.ts";
import type { Accepted } from "./message.ts";

export class Proposal {
  readonly ballot: number;
  readonly #voters: number;
  readonly #promised = new Map<number, number>();
  readonly #accepted = new Set<number>();
  #before: Accepted | null = null;
  #value: Epoch | undefined;
  /** When it began, and when the last phase did. */
  readonly begun: number;
  since: number;

  constructor(ballot: number, voters: number, now: number) {
    this.ballot = ballot;
    this.#voters = majorityOf(voters);
    this.begun = now;
    this.since = now;
  }

  /** A member takes part; `updates` is where it stands. */
  promise(seat: number, updates: number, accepted: Accepted | null): void {
    this.#promised.set(seat, updates);
    if (accepted !== null && accepted.ballot > (this.#before?.ballot ?? -1)) this.#before = accepted;
  }

  get promised(): ReadonlyMap<number, number> {
    return this.#promised;
  }

  /** Whether a majority takes part and no value has been put to the vote yet. */
  get mayChoose(): boolean {
    return this.#value === undefined && this.#promised.size >= this.#voters;
  }

  /** The value that an earlier ballot may have decided. */
  get before(): Epoch | undefined {
    return this.#before?.value;
  }

  get value(): Epoch | undefined {
    return this.#value;
  }

  /** Puts a value to the vote. */
  choose(value: Epoch, now: number): void {
    this.#value = value;
    this.since = now;
  }

  /** Whether that vote decides it. */
  accept(seat: number): boolean {
    if (this.#value === undefined) return false;
    this.#accepted.add(seat);
    return this.#accepted.size >= this.#voters;
  }
}
