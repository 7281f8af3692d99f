/**
 * A member's vote on the epoch that follows (Paxos, single decree): it takes part in no ballot below one that it has promised
 * itself to, and tells every later proposer what it has accepted. Two majorities share a member, so whatever one ballot may
 * have decided, every later ballot proposes again: at most one decision, whatever is lost, delayed, doubled or crashed.
 *
 * It holds as long as a member that was started again still knows its votes. So they are kept before they are told
 * (Memory), or, where there is no such place, a peer that is started again is another incarnation and has no vote.
 */

import type { Epoch } from "./epoch.ts";
import type { Accepted } from "./message.ts";

export interface Votes {
  /** The highest ballot that was promised; -1 before any. */
  readonly promised: number;
  readonly accepted: Accepted | null;
}

export const noVotes: Votes = { promised: -1, accepted: null };

export class Acceptor {
  #votes: Votes;

  constructor(votes: Votes = noVotes) {
    this.#votes = votes;
  }

  get votes(): Votes {
    return this.#votes;
  }

  /** Whether the ballot has the promise now. */
  prepare(ballot: number): boolean {
    if (ballot < this.#votes.promised) return false;
    this.#votes = { ...this.#votes, promised: ballot };
    return true;
  }

  /** Whether the value is accepted. */
  accept(ballot: number, value: Epoch): boolean {
    if (ballot < this.#votes.promised) return false;
    this.#votes = { promised: ballot, accepted: { ballot, value } };
    return true;
  }
}
