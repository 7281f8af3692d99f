/**
 * Yes votes that have not come by their deadline and may still come. Such an exchange is void here, and may have been
 * applied there; when the vote comes after all, whoever asked to be told can make it good (corrections.ts).
 *
 * A vote stops being awaited when it comes, when a no does, when its sender is heard in a later exchange over a lane that
 * keeps the order (what was sent before would have come), and when others crowd it out.
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
