/**
 * The ballots of one epoch at one member, as voter (acceptor.ts) and, where it comes to that, as proposer (proposal.ts): which
 * epoch follows? A change takes m prepares, promises, values and votes, and then a decision to everybody: about 5 messages a
 * member. Who has promised stops a few iterations ahead until a value comes, and who has voted stops where the value says
 * until the decision, so that all change in the same iteration; these stops are short, and only for that.
 */

import { block } from "../../random/philox.ts";
import { streams } from "../../random/stream.ts";
import { Acceptor, type Votes } from "./acceptor.ts";
import type { Epoch, Member } from "./epoch.ts";
import type { BallotMessage, Message } from "./message.ts";
import { Proposal } from "./proposal.ts";

/** Iterations between where the furthest member stands and the beginning of an epoch. */
const ahead = 2;
/** A ballot is given up, and a stop is over, after so many beats. */
const haltBeats = 4;

export interface BallotsOptions {
  readonly epoch: Epoch;
  readonly votes: Votes;
  readonly seat: number;
  readonly seats: number;
  readonly incarnation: number;
  readonly seed: number;
  /** Milliseconds between beats. */
  readonly beat: number;
  readonly send: (to: number, message: Message) => void;
  /** The votes have changed, and must be kept before what is sent from now on. */
  readonly save: () => void;
  /** Where this member stands. */
  readonly updates: () => number;
  /** Other members that are there, those of them that have begun with where they stand, and who should be in next. */
  readonly present: (now: number) => readonly number[];
  readonly standing: (now: number) => readonly { readonly updates: number }[];
  readonly wanted: (now: number) => readonly Member[] | undefined;
  /** A majority has accepted that value. */
  readonly decided: (value: Epoch, now: number) => void;
}

export class Ballots {
  readonly #options: BallotsOptions;
  readonly #others: readonly number[];
  readonly #acceptor: Acceptor;
  #proposal: Proposal | undefined;
  /** The highest ballot heard of. */
  #highest: number;
  #attempts = 0;
  /** Since when there is something to change, and before when nothing is proposed. */
  #reason: number | undefined;
  #rest = 0;
  #halt: { readonly at: number; readonly until: number } | undefined;

  constructor(options: BallotsOptions) {
    this.#options = options;
    this.#others = options.epoch.members.map(({ seat }) => seat).filter((seat) => seat !== options.seat);
    this.#acceptor = new Acceptor(options.votes);
    this.#highest = options.votes.promised;
  }

  get votes(): Votes {
    return this.#acceptor.votes;
  }

  /** The iteration that this member should not begin just now; infinity where there is none. */
  haltAt(now: number): number {
    return this.#halt === undefined || now >= this.#halt.until ? Number.POSITIVE_INFINITY : this.#halt.at;
  }

  /** A message of this epoch's ballots from a member that has a vote. */
  hear(from: number, message: BallotMessage, now: number): void {
    this.#highest = Math.max(this.#highest, message.ballot);
    if (message.say === "prepare" || message.say === "accept") this.#vote(from, message, now);
    else if (this.#proposal?.ballot === message.ballot) this.#count(this.#proposal, from, message, now);
  }

  #vote(from: number, message: Extract<BallotMessage, { say: "prepare" | "accept" }>, now: number): void {
    const { incarnation, epoch, save, send, beat, updates } = this.#options;
    const { ballot } = message;
    const value = message.say === "accept" ? message.value : undefined;
    const taken = value === undefined ? this.#acceptor.prepare(ballot) : this.#acceptor.accept(ballot, value);
    const common = { incarnation, epoch: epoch.number, ballot };
    const { promised, accepted } = this.votes;
    if (!taken) {
      send(from, { say: "refused", ...common, promised });
      return;
    }
    save();
    // Who takes part in a later ballot has no say in its own any more.
    this.#proposal = undefined;
    this.#rest = Math.max(this.#rest, now + haltBeats * beat);
    this.#stop(value?.first ?? updates() + ahead, now);
    if (value === undefined) send(from, { say: "promise", ...common, updates: updates(), accepted });
    else send(from, { say: "accepted", ...common });
  }

  #count(
    proposal: Proposal,
    from: number,
    message: Extract<BallotMessage, { say: "promise" | "accepted" | "refused" }>,
    now: number,
  ): void {
    if (message.say === "promise") {
      proposal.promise(from, message.updates, message.accepted);
      this.#goOn(now);
    } else if (message.say === "accepted") {
      const { value } = proposal;
      if (value !== undefined && proposal.accept(from)) this.#options.decided(value, now);
    } else {
      this.#highest = Math.max(this.#highest, message.promised);
      this.#giveUp(now);
    }
  }

  /**
   * The first of those that are there proposes a beat after a reason has come up, since more may come up; each further one
   * a beat later.
   */
  tick(now: number): void {
    const { seat, beat, wanted, present } = this.#options;
    this.#goOn(now);
    if (wanted(now) === undefined) {
      this.#reason = undefined;
      return;
    }
    this.#reason ??= now;
    const place = present(now).filter((other) => other < seat).length;
    if (this.#proposal !== undefined || now < this.#rest || now < this.#reason + beat * (1 + place)) return;
    this.#propose(now);
  }

  #propose(now: number): void {
    const { seat, seats, incarnation, epoch, save, send, updates } = this.#options;
    // A ballot is counter * seats + seat: no two members ever use the same one.
    const ballot = (Math.floor(Math.max(this.#highest, this.votes.promised) / seats) + 1) * seats + seat;
    this.#acceptor.prepare(ballot);
    this.#highest = ballot;
    save();
    this.#stop(updates() + ahead, now);
    this.#proposal = new Proposal(ballot, epoch.members.length, now);
    this.#proposal.promise(seat, updates(), this.votes.accepted);
    for (const to of this.#others) send(to, { say: "prepare", incarnation, epoch: epoch.number, ballot });
    this.#goOn(now);
  }

  /** To the vote once all that are there have promised, or a beat after the beginning where a majority has. */
  #goOn(now: number): void {
    const proposal = this.#proposal;
    const { beat, present, epoch, incarnation, seat, save, send, decided } = this.#options;
    if (proposal === undefined) return;
    if (now - proposal.since > haltBeats * beat) {
      this.#giveUp(now);
      return;
    }
    if (!proposal.mayChoose) return;
    if (now - proposal.begun < beat && !present(now).every((other) => proposal.promised.has(other))) return;
    const value = proposal.before ?? this.#choice(proposal, now);
    if (value === undefined) {
      this.#giveUp(now);
      return;
    }
    const { ballot } = proposal;
    this.#acceptor.accept(ballot, value);
    proposal.choose(value, now);
    save();
    this.#stop(value.first, now);
    for (const to of this.#others) send(to, { say: "accept", incarnation, epoch: epoch.number, ballot, value });
    if (proposal.accept(seat)) decided(value, now);
  }

  #choice(proposal: Proposal, now: number): Epoch | undefined {
    const { epoch, wanted, standing } = this.#options;
    const members = wanted(now);
    if (members === undefined) return undefined;
    const places = [...proposal.promised.values(), ...standing(now).map(({ updates }) => updates)];
    return { number: epoch.number + 1, members, first: Math.max(epoch.first, ...places) + ahead };
  }

  /** Tries again after a random pause, longer each time: two that got in each other's way will not for long. */
  #giveUp(now: number): void {
    const { seat, seed, epoch, beat } = this.#options;
    this.#proposal = undefined;
    this.#attempts++;
    const words = new Uint32Array(4);
    block(seed, streams.membership, epoch.number, 1 + seat + 65536 * Math.min(this.#attempts, 65535), words);
    this.#rest = now + beat * (1 + (2 ** Math.min(4, this.#attempts) * words[0]) / 4294967296);
  }

  #stop(at: number, now: number): void {
    this.#halt = { at, until: now + haltBeats * this.#options.beat };
  }
}
