/**
 * Yes votes that have missed their deadline and may still come. Such an exchange is void here, and may have been applied by the
 * partner. When the vote comes after all, the exchange can be completed (corrections.ts).
 *
 * A vote is no longer awaited once it has come, once a no has come, once its sender is heard in a later exchange over a lane
 * that keeps the order (the vote would have come before), and when too many others are awaited.
 */

import type { Letter } from "./lane.ts";

interface Awaited {
  readonly peer: number;
  readonly round: number;
  readonly tell: (peer: number) => void;
}

/** The most that are awaited at a time. */
const limit = 256;

export class LateVotes {
  #awaited: Awaited[] = [];

  await(peer: number, round: number, tell: (peer: number) => void): void {
    this.#awaited.push({ peer, round, tell });
    if (this.#awaited.length > limit) this.#awaited.shift();
  }

  /** A letter from a peer, of whatever round. */
  hear(peer: number, { kind, round }: Letter, ordered: boolean): void {
    if (this.#awaited.length === 0) return;
    const due = this.#awaited.filter((one) => one.peer === peer && one.round === round);
    const over = (one: Awaited) =>
      one.peer === peer && (one.round === round ? kind !== "vector" : ordered && one.round < round);
    this.#awaited = this.#awaited.filter((one) => !over(one));
    if (kind === "yes") for (const { tell } of due) tell(peer);
  }
}
