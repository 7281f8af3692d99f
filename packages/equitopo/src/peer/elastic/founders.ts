/**
 * Which programs have a vote in epoch 0. Its seats are the spec's, but it is not yet agreed which program is in which seat, and
 * a program that is started twice without a memory must not vote twice. So every peer writes down, for good, the first
 * incarnation that it hears in each seat, and a peer begins once its own incarnation has been written down by
 *
 *   all n;  or a majority of n, once `start` milliseconds have passed or one of them has begun.
 *
 * Two majorities share a peer, and that peer has written down only one of two incarnations: so no second one begins. A peer
 * that finds another incarnation written down for its seat joins as a newcomer.
 */

import { majority } from "../exchange/claims.ts";

/** `written` is what was written down before, if this peer was started again with its memory. */
export function founders(n: number, written: readonly number[] = []) {
  const known = Array.from({ length: n }, (_, seat) => written[seat] ?? 0);
  const backers = new Set<number>();
  let someBegun = false;
  return {
    /** Whether it is news. */
    note(seat: number, incarnation: number): boolean {
      if (seat >= n || known[seat] !== 0) return false;
      known[seat] = incarnation;
      return true;
    },
    /** The incarnation that was first heard in that seat; 0 before any. */
    of: (seat: number) => known[seat] ?? 0,
    list: () => known.slice(),
    /** The peer in that seat has written this incarnation down, and may have begun. */
    back(seat: number, begun = false): void {
      if (seat < n) backers.add(seat);
      someBegun ||= begun;
    },
    isOpen: (late: boolean) => backers.size >= (late || someBegun ? majority(n) : n),
  };
}
