/**
 * The ballots of one epoch at one member, which votes on the next epoch and may propose one. This is Paxos with a single
 * decree. A member takes part in no ballot below one that it has promised to join, and reports to every later proposer what
 * it has accepted. Of the values that were accepted before, a proposer must put the one of the highest ballot to the vote
 * again; only if there is none may it choose. Two majorities share a member, so whatever one ballot may have decided, every
 * later ballot proposes again: there is at most one decision, whatever is dropped, delayed, doubled or crashes. This requires
 * that a member that is started again still knows its votes. So votes are saved before they are sent (Memory); without a
 * store, a peer that is started again is another incarnation and has no vote.
 *
 * A change takes m prepares, promises, values and votes, and then a decision to everybody: about 5 messages per member. A
 * member that has promised stops a few iterations ahead until a value comes, and one that has voted stops at the iteration of
 * the value until the decision comes, so that all change over in the same iteration. These stops are short.
 */

import { block } from "../../random/philox.ts";
import { streams } from "../../random/stream.ts";
import { majority } from "../exchange/claims.ts";
import type { Epoch } from "./epoch.ts";
import type { MembershipOptions } from "./membership.ts";
import type { Accepted, BallotMessage, Message } from "./message.ts";
import type { Roll } from "./roll.ts";

/** Iterations between where the furthest member is and the beginning of an epoch. */
const ahead = 2;
/** A ballot is given up, and a stop is over, after so many beats. */
const haltBeats = 4;

export interface Votes {
  /** The highest ballot that was promised; -1 before any. */
  readonly promised: number;
  readonly accepted: Accepted | null;
}

export const noVotes: Votes = { promised: -1, accepted: null };

/** A ballot that this member has proposed: promises first, then votes for one value. */
interface Proposal {
  readonly ballot: number;
  /** The members that take part, with the updates that each has done. */
  readonly promised: Map<number, number>;
  /** What an earlier ballot may have decided. */
  before: Accepted | null;
  /** What is put to the vote, and who has accepted it. */
  value: Epoch | undefined;
  readonly accepted: Set<number>;
  /** When it began, and when its last phase did. */
  readonly begun: number;
  since: number;
}

export interface BallotsOptions extends Pick<MembershipOptions, "seat" | "seats" | "incarnation" | "seed"> {
  readonly epoch: Epoch;
  readonly votes: Votes;
  readonly beat: number;
  readonly send: (to: number, message: Message) => void;
  /** The votes have changed, and must be kept before what is sent from now on. */
  readonly save: () => void;
  readonly updates: () => number;
  readonly roll: Roll;
  readonly decided: (value: Epoch, now: number) => void;
}

export type Ballots = ReturnType<typeof ballotsOf>;

export function ballotsOf(options: BallotsOptions) {
  const { seat, seats, incarnation, seed, epoch, beat, send, save, updates, roll, decided } = options;
  const others = roll.others(epoch);
  const quorum = majority(epoch.members.length);
  let { votes } = options;
  let proposal: Proposal | undefined;
  let highest = votes.promised;
  let attempts = 0;
  /** Since when there is something to change, and before when nothing is proposed. */
  let reason: number | undefined;
  let rest = 0;
  /** The iteration that this member must not begin yet, and until when. */
  let halt = { at: Number.POSITIVE_INFINITY, until: Number.NEGATIVE_INFINITY };

  /** This member's vote: its promise to a ballot, and its yes to a value. It stops until the ballot has come to something. */
  function take(ballot: number, now: number, value?: Epoch): void {
    votes = { promised: ballot, accepted: value === undefined ? votes.accepted : { ballot, value } };
    save();
    halt = { at: value?.first ?? updates() + ahead, until: now + haltBeats * beat };
  }

  function vote(from: number, message: Extract<BallotMessage, { say: "prepare" | "accept" }>, now: number): void {
    const { ballot } = message;
    const value = message.say === "accept" ? message.value : undefined;
    const common = { incarnation, epoch: epoch.number, ballot };
    const { promised, accepted } = votes;
    if (ballot < promised) {
      send(from, { say: "refused", ...common, promised });
      return;
    }
    take(ballot, now, value);
    // A member that takes part in a later ballot gives up its own.
    proposal = undefined;
    rest = Math.max(rest, now + haltBeats * beat);
    if (value === undefined) send(from, { say: "promise", ...common, updates: updates(), accepted });
    else send(from, { say: "accepted", ...common });
  }

  function propose(now: number): void {
    // A ballot is counter * seats + seat: no two members ever use the same one.
    const ballot = (Math.floor(Math.max(highest, votes.promised) / seats) + 1) * seats + seat;
    highest = ballot;
    take(ballot, now);
    const nobody = { value: undefined, accepted: new Set<number>() };
    const promised = new Map([[seat, updates()]]);
    proposal = { ballot, promised, before: votes.accepted, ...nobody, begun: now, since: now };
    for (const to of others) send(to, { say: "prepare", incarnation, epoch: epoch.number, ballot });
    goOn(now);
  }

  /** Goes on to the vote once all members that can be heard have promised, or a beat after the beginning if a majority has. */
  function goOn(now: number): void {
    if (proposal === undefined) return;
    const { ballot, promised, begun, since, before } = proposal;
    if (now - since > haltBeats * beat) {
      giveUp(now);
      return;
    }
    if (proposal.value !== undefined || promised.size < quorum) return;
    if (now - begun < beat && !roll.present(epoch, now).every((other) => promised.has(other))) return;
    const value = before?.value ?? choice(promised, now);
    if (value === undefined) {
      giveUp(now);
      return;
    }
    proposal.value = value;
    proposal.since = now;
    take(ballot, now, value);
    for (const to of others) send(to, { say: "accept", incarnation, epoch: epoch.number, ballot, value });
    accept(proposal, seat, now);
  }

  function accept({ value, accepted }: Proposal, from: number, now: number): void {
    if (value === undefined) return;
    accepted.add(from);
    if (accepted.size >= quorum) decided(value, now);
  }

  function choice(promised: ReadonlyMap<number, number>, now: number): Epoch | undefined {
    const members = roll.wanted(epoch, now);
    if (members === undefined) return undefined;
    const done = [...promised.values(), ...roll.begun(epoch, now).map((other) => other.updates)];
    return { number: epoch.number + 1, members, first: Math.max(epoch.first, ...done) + ahead };
  }

  /** Tries again after a random pause, longer each time: two that got in each other's way will not for long. */
  function giveUp(now: number): void {
    proposal = undefined;
    attempts++;
    const words = new Uint32Array(4);
    block(seed, streams.membership, epoch.number, 1 + seat + 65536 * Math.min(attempts, 65535), words);
    rest = now + beat * (1 + (2 ** Math.min(4, attempts) * words[0]) / 4294967296);
  }

  return {
    votes: () => votes,

    /** The iteration that this member must not begin yet; infinity if there is none. */
    haltAt: (now: number) => (now >= halt.until ? Number.POSITIVE_INFINITY : halt.at),

    /** A message of this epoch's ballots from a member that has a vote. */
    hear(from: number, message: BallotMessage, now: number): void {
      highest = Math.max(highest, message.ballot);
      if (message.say === "prepare" || message.say === "accept") vote(from, message, now);
      else if (proposal === undefined || proposal.ballot !== message.ballot) return;
      else if (message.say === "accepted") accept(proposal, from, now);
      else if (message.say === "promise") {
        const { accepted } = message;
        proposal.promised.set(from, message.updates);
        if (accepted !== null && accepted.ballot > (proposal.before?.ballot ?? -1)) proposal.before = accepted;
        goOn(now);
      } else {
        highest = Math.max(highest, message.promised);
        giveUp(now);
      }
    },

    /**
     * The first of the members that can be heard proposes a beat after a reason has come up, since others may follow; each
     * further member proposes a beat later.
     */
    tick(now: number): void {
      goOn(now);
      reason = roll.wanted(epoch, now) === undefined ? undefined : (reason ?? now);
      if (reason === undefined) return;
      const place = roll.present(epoch, now).filter((other) => other < seat).length;
      if (proposal === undefined && now >= rest && now >= reason + beat * (1 + place)) propose(now);
    },
  };
}
