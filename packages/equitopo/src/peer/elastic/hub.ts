/**
 * One lane between all seats, shared by what peers say about who is in and by the vectors of the epoch under way, which has a
 * lane of its own (Hub.open) between its members as nodes 0 .. m - 1. On the shared lane a letter's round says which:
 *
 *   epoch * 2^32 + round    a letter of that epoch's lane
 *   2^52 + count            about membership: a message (sequence 0) or a state (sequence 1)
 *
 * Letters of an epoch that this peer has not begun wait for it in bounded memory; those of one that is over are late.
 */

import type { Ears, Lane, Letter } from "../lane.ts";
import { type Counts, newCounts, type Vector } from "../transport.ts";
import type { Epoch } from "./epoch.ts";

const epochRounds = 2 ** 32;
const control = 2 ** 52;
/** Bytes and letters of epochs to come that are kept, and the size from which a letter is no small one. */
const earlyBytes = 64 * 1024 * 1024;
const earlyLetters = 4096;
const small = 2 ** 20;

export interface HubEvents {
  onMessage(seat: number, bytes: Uint8Array): void;
  onState(seat: number, bytes: Uint8Array): void;
  /** Something came from that seat; the way to that seat is closed. */
  onHeard(seat: number): void;
  onGone(seat: number): void;
  /** This peer has no place in the network any more. */
  onEnd(reason: Error): void;
}

interface Waiting {
  readonly seat: number;
  readonly epoch: number;
  readonly letter: Letter;
}

export class Hub {
  /** What befell letters that belong to no exchange. */
  readonly counts: Counts = newCounts();
  readonly lane: Lane;
  readonly #events: HubEvents;
  /** Bytes of the last letter from each seat: after a small one it is read on, whoever is waited for. */
  readonly #last = new Map<number, number>();
  #open: EpochLane | undefined;
  #epoch = -1;
  #waiting: Waiting[] = [];
  #bytes = 0;
  #said = 0;
  #missed: ReadonlySet<number> = new Set();

  constructor(lane: Lane, events: HubEvents) {
    this.lane = lane;
    this.#events = events;
    lane.open(this.#ears());
  }

  #ears(): Ears {
    const open = () => this.#open;
    return {
      counts: this.counts,
      deliver: (seat, letter) => this.#deliver(seat, letter),
      gone: (seat) => {
        this.#events.onGone(seat);
        this.#open?.tellGone(seat);
      },
      at: (seat, round) => this.#isAt(seat, Math.floor(round / epochRounds), round % epochRounds),
      refuse: (reason) => this.refuse(reason),
      end: (reason) => {
        this.#events.onEnd(reason);
        this.#open?.end(reason);
      },
      awaits: (seat) => this.#open?.awaits(seat) === true || (this.#last.get(seat) ?? 0) < small,
      get busy() {
        return open()?.busy ?? false;
      },
    };
  }

  refuse(reason: string): void {
    this.counts.refused.set(reason, (this.counts.refused.get(reason) ?? 0) + 1);
  }

  /** Sends a message, or a state, to a seat. */
  say(seat: number, bytes: Uint8Array, kind: "message" | "state" = "message"): void {
    const round = control + (this.#said++ % epochRounds);
    this.lane.send(seat, { kind: "vector", round, sequence: kind === "message" ? 0 : 1, data: bytes });
  }

  /** The lane of an epoch, for the exchange of one of its members; the one before is closed. */
  open(epoch: Epoch): Lane {
    this.#epoch = epoch.number;
    const lane = new EpochLane(this, epoch);
    this.#open = lane;
    return lane;
  }

  /** What came early for that lane is delivered, once it has ears. */
  opened(lane: EpochLane): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#bytes = 0;
    if (this.#open !== lane) return;
    for (const { seat, epoch, letter } of waiting) this.#sort(seat, epoch, letter);
  }

  close(lane: EpochLane): void {
    if (this.#open === lane) this.#open = undefined;
  }

  /** Those seats are missed: no exchange waits for them until they are not. */
  miss(seats: readonly number[]): void {
    this.#missed = new Set(seats);
    for (const seat of seats) this.#open?.tellGone(seat);
  }

  isMissed(seat: number): boolean {
    return this.#missed.has(seat);
  }

  #deliver(seat: number, letter: Letter): void {
    const { data, round, sequence } = letter;
    this.#last.set(seat, data?.byteLength ?? 0);
    this.#events.onHeard(seat);
    if (round < control) {
      this.#sort(seat, Math.floor(round / epochRounds), { ...letter, round: round % epochRounds });
      return;
    }
    if (!(data instanceof Uint8Array) || sequence > 1) {
      this.refuse("message");
      return;
    }
    const bytes = data.slice();
    this.#recycle(data);
    if (sequence === 0) this.#events.onMessage(seat, bytes);
    else this.#events.onState(seat, bytes);
  }

  #sort(seat: number, epoch: number, letter: Letter): void {
    if (epoch === this.#epoch && this.#open !== undefined) {
      if (!this.#open.deliver(seat, letter)) this.refuse("stranger");
    } else if (epoch > this.#epoch) {
      this.#hold({ seat, epoch, letter });
      if (this.lane.ordered) this.#isAt(seat, epoch, letter.round);
    } else {
      if (letter.kind === "vector") this.counts.late++;
      this.#recycle(letter.data);
    }
  }

  /** Who is in a later epoch has sent all of this one. */
  #isAt(seat: number, epoch: number, round: number): void {
    if (epoch >= this.#epoch) this.#open?.at(seat, epoch === this.#epoch ? round : Number.POSITIVE_INFINITY);
  }

  #hold(waiting: Waiting): void {
    const { data } = waiting.letter;
    if (this.#bytes > earlyBytes || this.#waiting.length >= earlyLetters) {
      this.refuse("too far ahead");
      this.#recycle(data);
      return;
    }
    this.#waiting.push(waiting);
    this.#bytes += data?.byteLength ?? 0;
  }

  #recycle(data: Vector | undefined): void {
    if (data !== undefined) this.lane.recycle?.(data);
  }
}

/** The members of one epoch as a network of their own. Memory is not lent: a lane lends it to one network only. */
class EpochLane implements Lane {
  readonly name: string;
  readonly ordered: boolean;
  readonly #hub: Hub;
  readonly #lane: Lane;
  readonly #base: number;
  readonly #seats: readonly number[];
  #ears: Ears | undefined;
  /** Nodes that the exchange under way waits for. */
  #expected: number[] = [];

  constructor(hub: Hub, { number, members }: Epoch) {
    this.#hub = hub;
    this.#lane = hub.lane;
    this.#base = number * epochRounds;
    this.#seats = members.map(({ seat }) => seat);
    this.name = hub.lane.name;
    this.ordered = hub.lane.ordered;
  }

  open(ears: Ears): void {
    this.#ears = ears;
    this.#hub.opened(this);
  }

  /** False where that seat is nobody here. */
  deliver(seat: number, letter: Letter): boolean {
    const node = this.#seats.indexOf(seat);
    if (node < 0) return false;
    this.#ears?.deliver(node, letter);
    return true;
  }

  tellGone(seat: number): void {
    const node = this.#seats.indexOf(seat);
    if (node >= 0) this.#ears?.gone(node);
  }

  at(seat: number, round: number): void {
    const node = this.#seats.indexOf(seat);
    if (node >= 0) this.#ears?.at(node, round);
  }

  end(reason: Error): void {
    this.#ears?.end(reason);
  }

  awaits(seat: number): boolean {
    const node = this.#seats.indexOf(seat);
    return node >= 0 && this.#ears?.awaits(node) === true;
  }

  get busy(): boolean {
    return this.#ears?.busy ?? false;
  }

  send(peer: number, letter: Letter): Promise<void> | undefined {
    return this.#lane.send(this.#seats[peer], { ...letter, round: this.#base + letter.round });
  }

  now(): number {
    return this.#lane.now();
  }

  after(milliseconds: number, run: () => void): () => void {
    return this.#lane.after(milliseconds, run);
  }

  expects(peer: number): void {
    this.#expected.push(peer);
    this.#lane.expects?.(this.#seats[peer]);
  }

  /** Not in `expects`: what came before somebody was missed is used first. */
  wait(): void {
    this.#lane.wait?.();
    for (const peer of this.#expected.splice(0)) if (this.#hub.isMissed(this.#seats[peer])) this.#ears?.gone(peer);
  }

  abandon(round: number): void {
    this.#lane.abandon?.(this.#base + round);
  }

  recycle(data: Vector): void {
    this.#lane.recycle?.(data);
  }

  refused(peer: number, reason: string): void {
    this.#lane.refused?.(this.#seats[peer], reason);
  }

  leave(round: number, read: readonly Vector[]): readonly Vector[] {
    this.#expected = [];
    return this.#lane.leave?.(this.#base + round, read) ?? [];
  }

  keeps(data: Vector): boolean {
    return this.#lane.keeps?.(data) ?? false;
  }

  prepare(peers: readonly number[]): void {
    this.#lane.prepare?.(peers.map((peer) => this.#seats[peer]));
  }

  overhear(): void {
    this.#lane.prepare?.(this.#seats);
  }

  async close(): Promise<void> {
    this.#hub.close(this);
  }
}
