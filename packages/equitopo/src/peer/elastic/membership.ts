/**
 * One peer's part in agreeing on the membership epochs (epoch.ts). Pure: events and the time go in, effects come out, in
 * order; no clocks, no sockets, and its random pauses are drawn from (seed, epoch, seat).
 *
 * Whatever messages are dropped, delayed, doubled or reordered and whichever peers crash: no two peers ever hold different
 * epochs of one number (ballots.ts and founders.ts say what a peer must remember for that), and without a majority of the
 * last epoch's members nothing changes. How it makes progress:
 * - every peer sends beats to the others, with a list of those that it misses; a member that a majority misses is removed
 *   (roll.ts);
 * - a peer that wants to join or to leave says so in its beats;
 * - the members vote (ballots.ts), and the proposer sends the decision to all members of both epochs;
 * - a peer that hears a beat or a ballot of an older epoch sends the newest epoch back.
 */

import { majority } from "../exchange/claims.ts";
import { type Ballots, ballotsOf, noVotes, type Votes } from "./ballots.ts";
import { type Epoch, firstEpoch, isIn } from "./epoch.ts";
import { founders } from "./founders.ts";
import type { BallotMessage, Beat, Message, Stage } from "./message.ts";
import type { ElasticPatience } from "./options.ts";
import { rollOf } from "./roll.ts";

/** What a peer must still know when it is started again: saved before any message that follows from it is sent. */
export interface Memory {
  readonly incarnation: number;
  readonly epoch: Epoch;
  /** Whether it is a member and has begun: only then does it have a vote. */
  readonly opened: boolean;
  readonly votes: Votes;
  /** Epoch 0: the incarnation that was first heard in each seat (founders.ts). */
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
  readonly patience: ElasticPatience;
  /** Whether there is a topology for so many members; if not, that change is not proposed. */
  readonly fits?: ((members: number) => boolean) | undefined;
  readonly memory?: Memory | undefined;
}

export type Effect =
  | { readonly kind: "send"; readonly to: number; readonly message: Message }
  | { readonly kind: "save"; readonly memory: Memory };

export type Membership = ReturnType<typeof createMembership>;

export function createMembership(options: MembershipOptions, begun: number) {
  const { memory, seat, seats, seed, n, patience, fits } = options;
  const incarnation = memory?.incarnation ?? options.incarnation;
  const first = founders(n, memory?.known);
  const roll = rollOf({ seat, seats, patience, fits, first: first.of }, begun);
  let effects: Effect[] = [];
  let epoch = memory?.epoch ?? firstEpoch(n);
  /** The last few decided epochs, in order: a peer may not have begun the first of them yet. */
  let known: Epoch[] = [];
  let stage: Stage = memory?.opened ? "member" : epoch.number === 0 && seat < n ? "opening" : "joining";
  let ballots = voting(epoch, memory?.votes ?? noVotes);
  let updates = 0;
  let nextBeat = begun;

  const isMember = () => stage === "member" || stage === "leaving" || stage === "done";
  const others = () => roll.others(epoch);
  const missed = (now: number) => others().filter((other) => roll.isSilent(other, now));
  const founding = () => (epoch.number === 0 ? first.list() : []);

  function send(to: number, message: Message): void {
    effects.push({ kind: "send", to, message });
  }

  function save(): void {
    const state = { incarnation, epoch, opened: isMember(), votes: ballots.votes(), known: founding() };
    effects.push({ kind: "save", memory: state });
  }

  function voting(current: Epoch, votes: Votes): Ballots {
    return ballotsOf({
      ...{ epoch: current, votes, seat, seats, seed, incarnation, beat: patience.beat, roll, send, save },
      updates: () => updates,
      decided(value, now) {
        const receivers = new Set([...current.members, ...value.members].map((member) => member.seat));
        receivers.delete(seat);
        for (const to of receivers) send(to, { say: "decided", incarnation, value });
        decide(value, now);
      },
    });
  }

  function beat(now: number): void {
    nextBeat = now + patience.beat;
    const message: Beat = {
      ...{ say: "beat", incarnation, stage, epoch: epoch.number, updates },
      missed: missed(now).filter((other) => roll.misses(other, now)),
      known: founding(),
    };
    roll.take(seat, message);
    // A newcomer does not know the members, so it beats to all seats; members beat to each other, and to others that they hear.
    const members = new Set(others());
    const hears = (other: number) => members.has(other) || roll.hears(other, patience.silence, now);
    for (let other = 0; other < seats; other++) {
      if (other !== seat && (!isMember() || hears(other))) send(other, message);
    }
  }

  function hearBeat(from: number, message: Beat, now: number): void {
    roll.take(from, message);
    if (message.epoch < epoch.number) send(from, { say: "decided", incarnation, value: epoch });
    if (epoch.number > 0 || message.epoch > 0) return;
    if (message.stage !== "joining" && first.note(from, message.incarnation)) {
      save();
      if (stage === "opening") beat(now);
    }
    if (stage !== "opening") return;
    const own = message.known[seat] ?? 0;
    if (own === incarnation) first.back(from, message.stage !== "opening" && message.stage !== "joining");
    else if (own !== 0) stage = "joining";
    tryOpen(now);
  }

  function tryOpen(now: number): void {
    if (stage !== "opening" || !first.isOpen(now - begun >= patience.start)) return;
    stage = "member";
    save();
    for (const other of others()) roll.heard(other, now);
    beat(now);
  }

  function hearBallot(from: number, message: BallotMessage, now: number): void {
    if (message.epoch < epoch.number) {
      const behind = message.say === "prepare" || message.say === "accept";
      if (behind) send(from, { say: "decided", incarnation, value: epoch });
    } else if (message.epoch === epoch.number && isMember() && hasVote(from, message.incarnation)) {
      ballots.hear(from, message, now);
    }
  }

  function hasVote(from: number, its: number): boolean {
    if (!isIn(epoch, from, its)) return false;
    if (epoch.number > 0) return true;
    if (first.note(from, its)) save();
    return first.of(from) === its;
  }

  function decide(value: Epoch, now: number): void {
    if (value.number <= epoch.number) return;
    epoch = value;
    known = [...known, value].slice(-8);
    ballots = voting(value, noVotes);
    if (!isIn(value, seat, incarnation)) stage = stage === "leaving" ? "left" : "joining";
    else if (!isMember()) stage = "member";
    save();
    roll.expect(others(), now, true);
    nextBeat = now;
  }

  first.note(seat, incarnation);
  if (first.of(seat) === incarnation) first.back(seat);
  if (stage !== "joining") roll.expect(others(), begun);
  save();

  return {
    incarnation,

    get epoch(): Epoch {
      return epoch;
    },

    /** The first known epoch after that number: a peer goes through all epochs, one after the other. */
    after: (number: number) => known.find((one) => one.number > number),

    get stage(): Stage {
      return stage;
    },

    get isMember(): boolean {
      return isMember();
    },

    /** What is to be done since the last call, in this order. */
    drain(): Effect[] {
      const all = effects;
      effects = [];
      return all;
    },

    progress(done: number): void {
      updates = done;
    },

    haltAt: (now: number) => ballots.haltAt(now),
    leave(now: number): void {
      if (stage === "member") stage = "leaving";
      else if (!isMember()) stage = "left";
      nextBeat = now;
    },

    /** The run is over for this peer; it still votes until it ends. */
    finish(now: number): void {
      if (stage === "member") stage = "done";
      nextBeat = now;
    },

    /** Whether every other member has reached the end too, or is missed. */
    allDone: (now: number) => others().every((other) => roll.stageOf(other) === "done" || roll.isSilent(other, now)),

    begun: (now: number) => roll.begun(epoch, now),

    /** Whether a majority of the members can be heard: without one, nothing that this peer computes may last. */
    hasMajority: (now: number) => roll.present(epoch, now).length + 1 >= majority(epoch.members.length),

    ...{ heard: roll.heard, gone: roll.gone },

    /** Whether no exchange of that epoch need wait for that seat: it is silent, or the program in it is not the member. */
    isAway(of: Epoch, other: number, now: number): boolean {
      const beat = roll.beatOf(other);
      return roll.isSilent(other, now) || (beat?.stage === "joining" && beat.epoch >= of.number);
    },

    receive(from: number, message: Message, now: number): void {
      if (stage === "left") return;
      roll.heard(from, now);
      if (message.say === "beat") hearBeat(from, message, now);
      else if (message.say === "decided") decide(message.value, now);
      else if (message.say !== "want") hearBallot(from, message, now);
    },

    tick(now: number): void {
      roll.tick(now);
      if (stage === "left") return;
      tryOpen(now);
      if (now >= nextBeat) beat(now);
      // All others leave too, or are silent: then nobody is left to agree on an epoch without this peer.
      const goes = (other: number) => ["leaving", "done", "left"].includes(roll.stageOf(other) ?? "");
      if (stage === "leaving" && others().every((other) => goes(other) || roll.isSilent(other, now))) stage = "left";
      if (isMember()) ballots.tick(now);
    },
  };
}
