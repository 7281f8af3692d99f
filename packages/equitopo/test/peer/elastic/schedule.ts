/**
 * Memberships on a network of their own with a clock of its own: messages are lost, doubled, late and overtake each other,
 * peers crash, come back with or without their memory, come, leave, and are cut off from each other, all drawn from a seed.
 * What must hold in every schedule is checked while it runs.
 */

import { type Epoch, firstEpoch } from "../../../src/peer/elastic/epoch.ts";
import { createMembership, type Membership, type Memory } from "../../../src/peer/elastic/membership.ts";
import { decodeMessage, encodeMessage, type Message } from "../../../src/peer/elastic/message.ts";
import { majority } from "../../../src/peer/exchange/claims.ts";
import { RandomStream } from "../../../src/random/stream.ts";

export interface ScheduleOptions {
  readonly seed: number;
  readonly n: number;
  readonly seats?: number;
  /** Probabilities of a message, and its milliseconds on the way. */
  readonly loss?: number;
  readonly double?: number;
  readonly delay?: readonly [least: number, most: number];
  /** Whether every message goes through its bytes. */
  readonly bytes?: boolean;
}

interface Living {
  readonly machine: Membership;
  memory: Memory | undefined;
}

interface Happening {
  readonly time: number;
  readonly run: () => void;
}

export const patience = { beat: 1000, silence: 4000, absence: 2000, start: 5000 };

export class Schedule {
  time = 0;
  /** Messages so far, by what they say. */
  readonly said = new Map<string, number>();
  /** Of each epoch's number the one value that was ever decided, as text and as it is, and when. */
  readonly decided = new Map<number, { readonly epoch: Epoch; readonly text: string; readonly time: number }>();
  readonly peers = new Map<number, Living>();
  readonly draws: RandomStream;
  readonly #options: ScheduleOptions;
  readonly #queue: Happening[] = [];
  /** What every incarnation ever accepted, as (epoch before, value). */
  readonly #votes = new Map<string, Set<number>>();
  readonly #seen = new WeakSet<Epoch>();
  #incarnations = 0;
  /** Whether a message gets from one seat to another now. */
  link: (from: number, to: number) => boolean = () => true;
  readonly #memories = new Map<number, Memory>();

  constructor(options: ScheduleOptions) {
    this.#options = options;
    this.draws = new RandomStream(options.seed, 1000);
    this.decided.set(0, { epoch: firstEpoch(options.n), text: "", time: 0 });
  }

  get seats(): number {
    return this.#options.seats ?? this.#options.n;
  }

  /** A program is started in that seat; with what the one before it had kept, or as somebody new. */
  start(seat: number, remember = false): void {
    this.crash(seat);
    const { n, seed } = this.#options;
    const memory = remember ? this.#memories.get(seat) : undefined;
    const machine = createMembership(
      { seat, n, seats: this.seats, incarnation: ++this.#incarnations, seed, patience, memory },
      this.time,
    );
    const living: Living = { machine, memory };
    this.peers.set(seat, living);
    this.#flush(seat, living);
    const tick = () => {
      if (this.peers.get(seat) !== living) return;
      machine.progress(Math.floor(this.time / 100));
      machine.tick(this.time);
      this.#flush(seat, living);
      this.after(patience.beat / 2, tick);
    };
    this.after(this.draws.uniform() * patience.beat, tick);
  }

  crash(seat: number): void {
    this.peers.delete(seat);
  }

  leave(seat: number): void {
    this.peers.get(seat)?.machine.leave(this.time);
  }

  after(milliseconds: number, run: () => void): void {
    const happening = { time: this.time + milliseconds, run };
    let [low, high] = [0, this.#queue.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#queue[middle].time > happening.time) low = middle + 1;
      else high = middle;
    }
    this.#queue.splice(low, 0, happening);
  }

  run(until: number): void {
    for (let next = this.#queue.at(-1); next !== undefined && next.time <= until; next = this.#queue.at(-1)) {
      this.#queue.pop();
      this.time = next.time;
      next.run();
    }
    this.time = until;
  }

  #flush(seat: number, living: Living): void {
    for (const effect of living.machine.drain()) {
      if (effect.kind === "save") {
        living.memory = effect.memory;
        this.#memories.set(seat, effect.memory);
        this.#noteVote(seat, effect.memory);
      } else this.#carry(seat, effect.to, effect.message);
    }
    this.#check(living.machine.epoch);
  }

  #carry(from: number, to: number, message: Message): void {
    const { loss = 0, double = 0, delay = [1, 5], bytes = false } = this.#options;
    this.said.set(message.say, (this.said.get(message.say) ?? 0) + 1);
    const chance = () => this.draws.word() / 4294967296;
    const copies = 1 + (chance() < double ? 1 : 0);
    for (let copy = 0; copy < copies; copy++) {
      if (chance() < loss || !this.link(from, to)) continue;
      const wait = delay[0] + (delay[1] - delay[0]) * chance();
      const read = bytes ? (decodeMessage(encodeMessage(message)) as Message) : message;
      this.after(wait, () => {
        const living = this.peers.get(to);
        if (living === undefined || !this.link(from, to)) return;
        living.machine.receive(from, read, this.time);
        this.#flush(to, living);
      });
    }
  }

  #noteVote(seat: number, { votes }: Memory): void {
    if (votes.accepted === null) return;
    const text = JSON.stringify(votes.accepted.value);
    const voters = this.#votes.get(text) ?? new Set();
    this.#votes.set(text, voters.add(seat));
  }

  /** At most one decision an epoch, and none without the votes of a majority of the epoch before. */
  #check(epoch: Epoch): void {
    if (epoch.number === 0 || this.#seen.has(epoch)) return;
    this.#seen.add(epoch);
    const text = JSON.stringify(epoch);
    const known = this.decided.get(epoch.number);
    if (known?.text === text) return;
    if (known !== undefined) throw new Error(`two epochs ${epoch.number}: ${known.text} and ${text}`);
    const before = this.decided.get(epoch.number - 1)?.epoch;
    if (before === undefined) throw new Error(`epoch ${epoch.number} without one before`);
    const voters = [...(this.#votes.get(text) ?? [])].filter((seat) => before.members.some((one) => one.seat === seat));
    if (voters.length < majority(before.members.length)) throw new Error(`${text} without a majority`);
    this.decided.set(epoch.number, { epoch, text, time: this.time });
  }

  /** The newest epoch that anybody knows of. */
  get newest(): Epoch {
    return (this.decided.get(this.decided.size - 1) as { epoch: Epoch }).epoch;
  }

  /** Seats of the newest epoch. */
  get members(): number[] {
    return this.newest.members.map(({ seat }) => seat);
  }

  /** Whether those seats all know the newest epoch and are in it. */
  agree(seats: readonly number[]): boolean {
    const { number } = this.newest;
    const knows = (seat: number) => {
      const machine = this.peers.get(seat)?.machine;
      return machine?.isMember === true && machine.epoch.number === number;
    };
    return seats.every(knows) && JSON.stringify(this.members) === JSON.stringify(seats);
  }
}

export const upTo = (n: number): number[] => Array.from({ length: n }, (_, seat) => seat);

/** A few of everything at random times. Where all remember, those started again do so with what they had kept. */
export function chaos(seed: number, remember = false): Schedule {
  const schedule = new Schedule({ seed, n: 5, seats: 7, loss: 0.2, double: 0.1, delay: [1, 900] });
  const { draws } = schedule;
  for (const seat of upTo(5)) schedule.after(draws.below(3000), () => schedule.start(seat));
  for (let k = 0; k < 10; k++) {
    const seat = draws.below(7);
    const at = 2000 + draws.below(18_000);
    const what = draws.below(6);
    const side = draws.below(127) + 1;
    schedule.after(at, () => {
      if (what === 0) schedule.crash(seat);
      else if (what === 1) schedule.start(seat, true);
      else if (what === 2) schedule.start(seat, remember);
      else if (what === 3) schedule.leave(seat);
      else if (what === 4) schedule.link = (from, to) => ((side >> from) & 1) === ((side >> to) & 1);
      else schedule.link = () => true;
    });
  }
  schedule.run(22_000);
  return schedule;
}

/** So many schedules from a seed on; answers how many epochs were agreed on in all of them. */
export function neverTwice(first: number, count: number): number {
  let changes = 0;
  for (let seed = first; seed < first + count; seed++) {
    try {
      changes += chaos(seed).newest.number;
    } catch (error) {
      throw new Error(`schedule ${seed}: ${(error as Error).message}`);
    }
  }
  return changes;
}
