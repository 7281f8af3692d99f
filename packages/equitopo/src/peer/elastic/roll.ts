/**
 * The roll: what a peer has heard of every seat, and what follows from it for the next epoch. Stays who was not missed by a
 * majority and does not leave; comes who asks to. Pure, and only an opinion: what counts is the vote (membership.ts).
 */

import { type Epoch, type Member, majorityOf, sameMembers } from "./epoch.ts";
import type { Beat, Stage } from "./message.ts";
import { type Patience, Watch } from "./watch.ts";

/** A newcomer is one that asked within so many beats. */
const askBeats = 4;

export interface RollOptions {
  readonly seat: number;
  readonly seats: number;
  readonly patience: Patience;
  /** Whether there is a topology for so many. */
  readonly fits?: ((members: number) => boolean) | undefined;
  /** The incarnation that sits in a seat, where the epoch itself does not say: in epoch 0. */
  readonly first: (seat: number) => number;
}

export class Roll {
  readonly watch: Watch;
  readonly #options: RollOptions;
  /** The last beat of each seat, this one's included. */
  readonly #beats = new Map<number, Beat>();

  constructor(options: RollOptions, now: number) {
    this.#options = options;
    this.watch = new Watch(options.patience, now);
  }

  hear(seat: number, beat: Beat): void {
    this.#beats.set(seat, beat);
  }

  stageOf(seat: number): Stage | undefined {
    return this.#beats.get(seat)?.stage;
  }

  /** Members of an epoch other than this one. */
  others({ members }: Epoch): number[] {
    return members.map(({ seat }) => seat).filter((seat) => seat !== this.#options.seat);
  }

  /** Whether this peer misses that one; one that has come to its end may go without a word. */
  misses(seat: number, now: number): boolean {
    return this.stageOf(seat) !== "done" && this.watch.misses(seat, now);
  }

  /** The other members that have begun, with where they were last heard to stand. */
  standing(epoch: Epoch, now: number): { readonly seat: number; readonly updates: number }[] {
    return this.others(epoch).flatMap((seat) => {
      const beat = this.#beats.get(seat);
      if (beat === undefined || beat.epoch !== epoch.number || this.watch.misses(seat, now)) return [];
      return beat.stage === "opening" || beat.stage === "joining" ? [] : [{ seat, updates: beat.updates }];
    });
  }

  /** Whether a majority of the members says in its beats that it misses that seat, and this peer misses it too. */
  isLost(epoch: Epoch, seat: number, now: number): boolean {
    if (seat === this.#options.seat || !this.misses(seat, now)) return false;
    const missing = this.others(epoch).filter((other) => {
      const beat = this.#beats.get(other);
      return beat?.epoch === epoch.number && !this.watch.misses(other, now) && beat.missed.includes(seat);
    });
    return missing.length + 1 >= majorityOf(epoch.members.length);
  }

  /** Those that ask to be let in. */
  newcomers(epoch: Epoch, now: number): Member[] {
    const { patience, seats } = this.#options;
    const found: Member[] = [];
    for (const [seat, { stage, incarnation }] of this.#beats) {
      if (stage !== "joining" || seat >= seats) continue;
      const inside = epoch.members.some((one) => one.seat === seat && one.incarnation === incarnation);
      const asks = !inside && this.watch.hears(seat, askBeats * patience.beat, now);
      if (asks) found.push({ seat, incarnation, since: epoch.number + 1 });
    }
    return found;
  }

  /** The members that the next epoch should have; undefined where nothing is to be changed, or cannot be. */
  wanted(epoch: Epoch, now: number): readonly Member[] | undefined {
    const { first, fits = () => true } = this.#options;
    const newcomers = this.newcomers(epoch, now);
    const goes = ({ seat }: Member) => this.isLost(epoch, seat, now) || this.stageOf(seat) === "leaving";
    if (newcomers.length === 0 && !epoch.members.some(goes)) return undefined;
    const stayers = epoch.members
      .filter((member) => !goes(member) && !newcomers.some(({ seat }) => seat === member.seat))
      .map((member) => (member.incarnation > 0 ? member : { ...member, incarnation: first(member.seat) }))
      .filter(({ incarnation }) => incarnation > 0);
    const members = [...stayers, ...newcomers].sort((a, b) => a.seat - b.seat);
    // Somebody must know the models.
    if (stayers.length === 0 || !fits(members.length) || sameMembers({ ...epoch, members }, epoch)) return undefined;
    return members;
  }
}
