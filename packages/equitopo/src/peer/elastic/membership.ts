/**
 * Who is in: one peer's part in agreeing on the membership epochs (epoch.ts). Pure: events and the time go in, effects come
 * out, in order; no clocks, no sockets, and its random pauses are drawn from (seed, epoch, seat).
 *
 * What holds whatever messages are lost, delayed, doubled or overtaken and whoever crashes: no two peers ever hold different
 * epochs of one number (acceptor.ts and opening.ts say what a peer must remember for that), and without a majority of the
 * last epoch's members nothing changes. What makes it go on:
 * - every peer beats to the others, and says whom it misses (watch.ts); a member that a majority misses is to go (roll.ts);
 * - one that asks to be let in, or wants to leave, says so in its beats;
 * - the members vote (ballots.ts), and the proposer tells everybody of both epochs what was decided;
 * - whoever hears a beat or a ballot of an older epoch tells its sender the newest.
 */

import { noVotes, type Votes } from "./acceptor.ts";
import { Ballots } from "./ballots.ts";
import { type Epoch, firstEpoch, isIn, majorityOf } from "./epoch.ts";
import type { BallotMessage, Beat, Message, Stage } from "./message.ts";
import { Opening } from "./opening.ts";
import { Roll } from "./roll.ts";
import type { Patience } from "./watch.ts";

/** What a peer must still know when it is started again: kept before any message that follows from it is sent. */
export interface Memory {
  readonly incarnation: number;
  readonly epoch: Epoch;
  /** Whether it is in and has begun: only then has it a vote. */
  readonly opened: boolean;
  readonly votes: Votes;
  /** Epoch 0: who was first heard of in each seat (opening.ts). */
  readonly known: readonly number[];
}

export interface MembershipOptions {
  readonly seat: number;
  /** Members at the beginning: seats 0 .. n - 1. */
  readonly n: number;
  readonly seats: number;
  /** A positive number that no other start of a program in this seat has. */
  readonly incarnation: number;
  readonly seed: number;
  readonly patience: Patience & {
    /** Milliseconds to wait for all n at the beginning. */
    readonly start: number;
  };
  /** Whether there is a topology for so many; where there is none, nothing is proposed. */
  readonly fits?: (members: number) => boolean;
  readonly memory?: Memory | undefined;
}

export type Effect =
  | { readonly kind: "send"; readonly to: number; readonly message: Message }
  | { readonly kind: "save"; readonly memory: Memory };

export class Membership {
  readonly incarnation: number;
  readonly #options: MembershipOptions;
  readonly #roll: Roll;
  readonly #opening: Opening;
  readonly #begun: number;
  #effects: Effect[] = [];
  #epoch: Epoch;
  /** The last few that were decided, in order: a peer may still be on its way to the first of them. */
  #decided: Epoch[] = [];
  #stage: Stage;
  #ballots: Ballots;
  #updates = 0;
  #nextBeat: number;

  constructor(options: MembershipOptions, now: number) {
    const { memory, seat, seats, n, patience, fits } = options;
    this.#options = options;
    this.incarnation = memory?.incarnation ?? options.incarnation;
    this.#opening = new Opening(n, memory?.known);
    this.#roll = new Roll({ seat, seats, patience, fits, first: (other) => this.#opening.of(other) }, now);
    this.#begun = now;
    this.#nextBeat = now;
    this.#epoch = memory?.epoch ?? firstEpoch(n);
    this.#ballots = this.#ballotsOf(this.#epoch, memory?.votes ?? noVotes);
    this.#stage = memory?.opened ? "member" : this.#epoch.number === 0 && seat < n ? "opening" : "joining";
    this.#opening.note(seat, this.incarnation);
    if (this.#opening.of(seat) === this.incarnation) this.#opening.back(seat);
    this.#roll.watch.begin(this.#others(), now);
    this.#save();
  }

  /** The last epoch that is known of. */
  get epoch(): Epoch {
    return this.#epoch;
  }

  /** The first epoch after that number that this peer has heard of: it goes through all of them, one after the other. */
  after(number: number): Epoch | undefined {
    return this.#decided.find((epoch) => epoch.number > number);
  }

  get stage(): Stage {
    return this.#stage;
  }

  /** Whether this peer is in, and has begun. */
  get isMember(): boolean {
    return this.#stage === "member" || this.#stage === "leaving" || this.#stage === "done";
  }

  /** What is to be done since the last call, in this order. */
  drain(): Effect[] {
    const effects = this.#effects;
    this.#effects = [];
    return effects;
  }

  /** So many iterations are done. */
  progress(updates: number): void {
    this.#updates = updates;
  }

  /** The iteration that this peer should not begin just now; infinity where there is none. */
  haltAt(now: number): number {
    return this.#ballots.haltAt(now);
  }

  /** Wants to be out of the next epoch. */
  leave(now: number): void {
    if (this.#stage === "member") this.#stage = "leaving";
    else if (!this.isMember) this.#stage = "left";
    this.#nextBeat = now;
  }

  /** The run is over for this peer; it still votes as long as it is there. */
  finish(now: number): void {
    if (this.#stage === "member") this.#stage = "done";
    this.#nextBeat = now;
  }

  /** Whether everybody else that is in is at the end too, or missed. */
  allDone(now: number): boolean {
    return this.#others().every((seat) => this.#roll.stageOf(seat) === "done" || this.#roll.watch.misses(seat, now));
  }

  /** The other members that have begun, with where they were last heard to stand. */
  standing(now: number): readonly { readonly seat: number; readonly updates: number }[] {
    return this.#roll.standing(this.#epoch, now);
  }

  /** Whether a majority of the members is there: without one nothing that this peer computes may last. */
  hasMajority(now: number): boolean {
    const there = this.#others().filter((seat) => !this.#roll.misses(seat, now)).length;
    return there + 1 >= majorityOf(this.#epoch.members.length);
  }

  /** The other members that this peer misses. */
  missed(now: number): number[] {
    return this.#others().filter((seat) => this.#roll.watch.misses(seat, now));
  }

  /** Something came from that seat, whatever it was. */
  heard(seat: number, now: number): void {
    this.#roll.watch.heard(seat, now);
  }

  /** The lane says that the way to that seat is closed. */
  gone(seat: number, now: number): void {
    this.#roll.watch.gone(seat, now);
  }

  receive(from: number, message: Message, now: number): void {
    if (this.#stage === "left") return;
    this.#roll.watch.heard(from, now);
    if (message.say === "beat") this.#hearBeat(from, message, now);
    else if (message.say === "decided") this.#decide(message.value, now);
    else if (message.say !== "want") this.#hearBallot(from, message, now);
  }

  tick(now: number): void {
    this.#roll.watch.tick(now);
    if (this.#stage === "left") return;
    this.#tryOpen(now);
    if (now >= this.#nextBeat) this.#beat(now);
    if (this.#stage === "leaving" && this.#nobodyStays(now)) this.#stage = "left";
    if (this.isMember) this.#ballots.tick(now);
  }

  /** Whether all others go, too, or are not there: then there is nobody to agree with on an epoch without this one. */
  #nobodyStays(now: number): boolean {
    const goes = (seat: number) => ["leaving", "done", "left"].includes(this.#roll.stageOf(seat) ?? "");
    return this.#others().every((seat) => goes(seat) || this.#roll.watch.misses(seat, now));
  }

  #others(): number[] {
    return this.#roll.others(this.#epoch);
  }

  #send(to: number, message: Message): void {
    this.#effects.push({ kind: "send", to, message });
  }

  #save(): void {
    const { incarnation } = this;
    const known = this.#epoch.number === 0 ? this.#opening.list : [];
    const memory = { incarnation, epoch: this.#epoch, opened: this.isMember, votes: this.#ballots.votes, known };
    this.#effects.push({ kind: "save", memory });
  }

  #ballotsOf(epoch: Epoch, votes: Votes): Ballots {
    const { seat, seats, seed, patience } = this.#options;
    return new Ballots({
      ...{ epoch, votes, seat, seats, seed, incarnation: this.incarnation, beat: patience.beat },
      send: (to, message) => this.#send(to, message),
      save: () => this.#save(),
      updates: () => this.#updates,
      present: (now) => this.#others().filter((other) => !this.#roll.misses(other, now)),
      standing: (now) => this.standing(now),
      wanted: (now) => this.#roll.wanted(this.#epoch, now),
      decided: (value, now) => {
        const told = new Set([...epoch.members, ...value.members].map((member) => member.seat));
        told.delete(seat);
        for (const to of told) this.#send(to, { say: "decided", incarnation: this.incarnation, value });
        this.#decide(value, now);
      },
    });
  }

  #beat(now: number): void {
    const { seat, seats, patience } = this.#options;
    this.#nextBeat = now + patience.beat;
    const beat: Beat = {
      ...{ say: "beat", incarnation: this.incarnation, stage: this.#stage, epoch: this.#epoch.number },
      updates: this.#updates,
      missed: this.missed(now).filter((other) => this.#roll.misses(other, now)),
      known: this.#epoch.number === 0 ? this.#opening.list : [],
    };
    this.#roll.hear(seat, beat);
    // A newcomer does not know who is there; members beat to each other, and to others that they hear.
    const members = new Set(this.#others());
    const hears = (other: number) => members.has(other) || this.#roll.watch.hears(other, patience.silence, now);
    for (let other = 0; other < seats; other++) {
      if (other !== seat && (!this.isMember || hears(other))) this.#send(other, beat);
    }
  }

  #hearBeat(from: number, beat: Beat, now: number): void {
    this.#roll.hear(from, beat);
    if (beat.epoch < this.#epoch.number) {
      this.#send(from, { say: "decided", incarnation: this.incarnation, value: this.#epoch });
    }
    if (this.#epoch.number > 0 || beat.epoch > 0) return;
    if (beat.stage !== "joining" && this.#opening.note(from, beat.incarnation)) {
      this.#save();
      if (this.#stage === "opening") this.#beat(now);
    }
    if (this.#stage !== "opening") return;
    const first = beat.known[this.#options.seat] ?? 0;
    if (first === this.incarnation) this.#opening.back(from, beat.stage !== "opening" && beat.stage !== "joining");
    else if (first !== 0) this.#stage = "joining";
    this.#tryOpen(now);
  }

  #tryOpen(now: number): void {
    const late = now - this.#begun >= this.#options.patience.start;
    if (this.#stage !== "opening" || !this.#opening.isOpen(late)) return;
    this.#stage = "member";
    this.#save();
    for (const seat of this.#others()) this.#roll.watch.heard(seat, now);
    this.#beat(now);
  }

  #hearBallot(from: number, message: BallotMessage, now: number): void {
    if (message.epoch < this.#epoch.number) {
      const behind = message.say === "prepare" || message.say === "accept";
      if (behind) this.#send(from, { say: "decided", incarnation: this.incarnation, value: this.#epoch });
    } else if (message.epoch === this.#epoch.number && this.isMember && this.#hasVote(from, message.incarnation)) {
      this.#ballots.hear(from, message, now);
    }
  }

  #hasVote(seat: number, incarnation: number): boolean {
    if (!isIn(this.#epoch, seat, incarnation)) return false;
    if (this.#epoch.number > 0) return true;
    if (this.#opening.note(seat, incarnation)) this.#save();
    return this.#opening.of(seat) === incarnation;
  }

  #decide(value: Epoch, now: number): void {
    if (value.number <= this.#epoch.number) return;
    const inside = isIn(value, this.#options.seat, this.incarnation);
    this.#epoch = value;
    this.#decided = [...this.#decided, value].slice(-8);
    this.#ballots = this.#ballotsOf(value, noVotes);
    if (!inside) this.#stage = this.#stage === "leaving" ? "left" : "joining";
    else if (!this.isMember) this.#stage = "member";
    this.#save();
    this.#roll.watch.begin(this.#others(), now);
    this.#nextBeat = now;
  }
}
