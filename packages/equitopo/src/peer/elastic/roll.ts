/**
 * The roll: what a peer has heard from every seat, and which members the next epoch should have. A member stays unless a
 * majority misses it or it leaves; a peer that asks to join is admitted. Pure, and only an opinion: the vote decides
 * (membership.ts).
 *
 * It includes a failure detector by silence. A peer from which nothing has come for `silence` milliseconds is missed; if the
 * lane has reported its connection closed or refused and nothing has come since, it is missed after `absence`. The detector may
 * be wrong, and only speed depends on it: a member is removed only if a majority of all members misses it, and by their votes.
 * A program that was itself stopped has heard nobody: `tick` notices the jump of its clock, and counts no peer as silent
 * during it.
 */

import { majority } from "../exchange/claims.ts";
import type { Epoch, EpochMember } from "./epoch.ts";
import type { MembershipOptions } from "./membership.ts";
import type { Beat, Stage } from "./message.ts";

/** A newcomer is one that asked within so many beats. */
const askBeats = 4;

export interface RollOptions extends Pick<MembershipOptions, "seat" | "seats" | "patience" | "fits"> {
  /** The incarnation in a seat, where the epoch itself does not say: in epoch 0. */
  readonly first: (seat: number) => number;
}

export type Roll = ReturnType<typeof rollOf>;

export function rollOf({ seat: own, seats, patience, first, fits = () => true }: RollOptions, begun: number) {
  /** The last beat of each seat, this one's included. */
  const beats = new Map<number, Beat>();
  /** When something last came from each seat, and since when the connection to it is closed. */
  const heard = new Map<number, number>();
  const closed = new Map<number, number>();
  let ticked = begun;

  const roll = {
    heard(seat: number, now: number): void {
      heard.set(seat, now);
      closed.delete(seat);
    },

    gone(seat: number, now: number): void {
      if (!closed.has(seat)) closed.set(seat, now);
    },

    /** From now on the silence of those seats counts; as if their connections had just closed, where others have heard them. */
    expect(expected: Iterable<number>, now: number, known = false): void {
      for (const seat of expected) {
        if (heard.has(seat)) continue;
        heard.set(seat, now);
        if (known) closed.set(seat, now);
      }
    },

    tick(now: number): void {
      const slept = now - ticked - 2 * patience.beat;
      ticked = now;
      if (slept <= 0) return;
      for (const times of [heard, closed]) for (const [seat, time] of times) times.set(seat, time + slept);
    },

    /** Whether that seat has been silent, or its connection closed, for too long. */
    isSilent: (seat: number, now: number) =>
      now - (heard.get(seat) ?? now) > patience.silence || now - (closed.get(seat) ?? now) > patience.absence,

    /** Whether something came from that seat within so many milliseconds. */
    hears: (seat: number, within: number, now: number) => now - (heard.get(seat) ?? Number.NEGATIVE_INFINITY) <= within,

    take(seat: number, beat: Beat): void {
      beats.set(seat, beat);
    },

    beatOf: (seat: number): Beat | undefined => beats.get(seat),

    stageOf: (seat: number): Stage | undefined => beats.get(seat)?.stage,

    others: ({ members }: Epoch) => members.map(({ seat }) => seat).filter((seat) => seat !== own),

    /** Whether this peer misses that one; a peer at the end of the run may go without a message. */
    misses: (seat: number, now: number) => roll.stageOf(seat) !== "done" && roll.isSilent(seat, now),

    present: (epoch: Epoch, now: number): number[] => roll.others(epoch).filter((seat) => !roll.misses(seat, now)),

    /** The other members that have begun, with the updates that they last reported. */
    begun: (epoch: Epoch, now: number): { readonly seat: number; readonly updates: number }[] =>
      roll.others(epoch).flatMap((seat) => {
        const beat = beats.get(seat);
        if (beat === undefined || beat.epoch !== epoch.number || roll.isSilent(seat, now)) return [];
        return beat.stage === "opening" || beat.stage === "joining" ? [] : [{ seat, updates: beat.updates }];
      }),

    /** The members that the next epoch should have; undefined if nothing is to change, or nothing can. */
    wanted(epoch: Epoch, now: number): readonly EpochMember[] | undefined {
      const newcomers = newcomersTo(epoch, now);
      const goes = ({ seat }: EpochMember) => isMissed(epoch, seat, now) || roll.stageOf(seat) === "leaving";
      if (newcomers.length === 0 && !epoch.members.some(goes)) return undefined;
      const stayers = epoch.members
        .filter((member) => !goes(member) && !newcomers.some(({ seat }) => seat === member.seat))
        .map((member) => (member.incarnation > 0 ? member : { ...member, incarnation: first(member.seat) }))
        .filter(({ incarnation }) => incarnation > 0);
      const members = [...stayers, ...newcomers].sort((a, b) => a.seat - b.seat);
      // Somebody must know the models.
      if (stayers.length === 0 || !fits(members.length) || sameMembers(members, epoch.members)) return undefined;
      return members;
    },
  };

  /** Whether a majority of the members says in its beats that it misses that seat, and this peer misses it too. */
  function isMissed(epoch: Epoch, seat: number, now: number): boolean {
    if (seat === own || !roll.misses(seat, now)) return false;
    const missing = roll.others(epoch).filter((other) => {
      const beat = beats.get(other);
      return beat?.epoch === epoch.number && !roll.isSilent(other, now) && beat.missed.includes(seat);
    });
    return missing.length + 1 >= majority(epoch.members.length);
  }

  function newcomersTo(epoch: Epoch, now: number): EpochMember[] {
    return [...beats].flatMap(([seat, { stage, incarnation }]) => {
      const inside = epoch.members.some((one) => one.seat === seat && one.incarnation === incarnation);
      const asks = stage === "joining" && seat < seats && !inside && roll.hears(seat, askBeats * patience.beat, now);
      return asks ? [{ seat, incarnation, since: epoch.number + 1 }] : [];
    });
  }

  return roll;
}

function sameMembers(a: readonly EpochMember[], b: readonly EpochMember[]): boolean {
  const same = (one: EpochMember, k: number) => one.seat === b[k].seat && one.incarnation === b[k].incarnation;
  return a.length === b.length && a.every(same);
}
