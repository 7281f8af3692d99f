/**
 * Yes votes that have missed their deadline and may still come. Such an exchange is void here, and may have been applied by the
 * partner. When the vote comes after all, the exchange can be completed (corrections.ts).
 *
 * A vote is no longer awaited once it has come, once a no has come, once its sender is heard in a later exchange over a lane
 * that keeps the order (the vote would have come before), and when too many others are awaited.
 */

import type { Letter } from "./lane.ts";

/** The most that are awaited at a time. */
const limit = 256;

export function lateVotes() {
  let awaited: { readonly peer: number; readonly round: number; readonly tell: (peer: number) => void }[] = [];
  return {
    await(peer: number, round: number, tell: (peer: number) => void): void {
      awaited = [...awaited, { peer, round, tell }].slice(-limit);
    },

    /** A letter from a peer, of whatever round. */
    hear(from: number, { kind, round }: Letter, ordered: boolean): void {
      const theirs = awaited.filter(({ peer }) => peer === from);
      if (theirs.length === 0) return;
      const over = theirs.filter((one) => (one.round === round ? kind !== "vector" : ordered && one.round < round));
      awaited = awaited.filter((one) => !over.includes(one));
      for (const one of over) if (kind === "yes" && one.round === round) one.tell(from);
    },
  };
}
