/**
 * Peers in worker threads of one program: a vector is written once into a slot of shared memory and read there by
 * everyone it was sent to, without a copy. Who sends from memory that `lend` gave makes no copy at all.
 *
 * A slot is written anew only when every peer it was sent to has left that round (its floor is higher) or is gone. So a
 * sender is at most two rounds ahead of its slowest reader, and that is all the memory there is. A sender that has waited
 * for its timeout takes the slot all the same, and does not wait for that reader again until it moves; the reader finds
 * out by the slot's generation (release).
 *
 * A thread can die without a word (announceGone says it where somebody saw it). A peer that was waited for in vain, and in
 * all that time neither moved nor waited itself, is therefore taken for gone until it shows a sign of life: otherwise its
 * neighbours would come late to theirs in every round, and no two of the living would meet.
 *
 * Waiting blocks the thread (Atomics.wait) in slices, between which the event loop runs; in the main thread, where
 * blocking is not allowed, and where several peers share a thread, it polls instead.
 */

import { isMainThread } from "node:worker_threads";
import { type Ears, type ElementType, Exchange, type Lane, type Letter, typeOf, type Vector } from "equitopo/peer";
import { announceGone, anybody, type Board, Places, ring } from "./board.ts";
import { Mailboxes, type Note } from "./mailbox.ts";
import { Slots } from "./slots.ts";

export interface ThreadOptions {
  readonly rank: number;
  /** Milliseconds; default 10 s. */
  readonly timeout?: number;
  /** Default: block in a worker, poll in the main thread. Asked again and again where it is a function. */
  readonly wait?: "block" | "poll" | (() => "block" | "poll");
  /** Milliseconds that it blocks before the event loop gets its turn. Default 20. */
  readonly slice?: number;
}

/** Letters that nobody waits for: so many a peer may leave unread in its mailbox, and so many queue up behind them. */
const unreadLetters = 2;
const queuedLetters = 32;

/** A peer of a board's network. */
export class ThreadTransport extends Exchange {
  constructor(board: Board, options: ThreadOptions) {
    // The slots bound what comes early.
    super(new ThreadLane(board, options), { ...options, size: board.size, earlyBytes: Number.POSITIVE_INFINITY });
  }
}

interface Queued {
  readonly letter: Letter;
  readonly done: () => void;
}

/** The lane of a ThreadTransport, for a peer that has another lane beside it. */
export class ThreadLane implements Lane {
  readonly name = "threads";
  readonly ordered = true;
  readonly #board: Board;
  readonly #rank: number;
  readonly #at: Places;
  readonly #words: Int32Array;
  readonly #wait: () => "block" | "poll";
  readonly #slice: number;
  readonly #boxes: Mailboxes;
  readonly #slots: Slots;
  /** Letters for which there is no slot or no room yet, by peer. */
  readonly #queue = new Map<number, Queued[]>();
  /** Floors of peers that were waited for in vain: they are waited for again once they have moved. */
  readonly #stuck = new Map<number, number>();
  /** Signs of life when the exchange began, of those it expects; and of those that gave none while they were waited for. */
  readonly #expected = new Map<number, number>();
  readonly #silent = new Map<number, number>();
  #timer: { readonly time: number; readonly run: () => void } | undefined;
  #ears: Ears | undefined;
  #looking = false;
  #streaming = false;

  constructor(board: Board, { rank, wait, slice = 20 }: ThreadOptions) {
    this.#board = board;
    this.#rank = rank;
    this.#at = new Places(board);
    this.#words = new Int32Array(board.control);
    const usual = typeof wait === "string" ? wait : isMainThread ? "poll" : "block";
    this.#slice = slice;
    this.#wait = typeof wait === "function" ? wait : () => usual;
    this.#boxes = new Mailboxes(board, rank);
    this.#slots = new Slots(board, rank, ({ peer, letter }, round) =>
      letter === undefined ? this.#left(peer, round) : this.gone(peer) || ((this.#boxes.taken(peer) - letter) | 0) > 0,
    );
    // One that takes over a number is there again.
    Atomics.store(this.#words, this.#at.gone(rank), 0);
  }

  open(ears: Ears): void {
    this.#ears = ears;
  }

  now(): number {
    return performance.now();
  }

  after(milliseconds: number, run: () => void): () => void {
    const timer = { time: this.now() + milliseconds, run };
    this.#timer = timer;
    return () => {
      if (this.#timer === timer) this.#timer = undefined;
    };
  }

  reached(peer: number): number {
    return peer === this.#rank ? -1 : Atomics.load(this.#words, this.#at.floor(peer)) - 1;
  }

  lend(_index: number, type: ElementType, length: number, taken: (memory: Vector) => boolean): Vector | undefined {
    return this.#slots.lend(type, length, taken);
  }

  keeps(data: Vector): boolean {
    return this.#slots.own(data) !== undefined;
  }

  expects(peer: number): void {
    this.#expected.set(peer, this.#life(peer));
  }

  /** The floor goes up, and those who wait for it hear of it. */
  leave(round: number, read: readonly Vector[]): readonly Vector[] {
    const torn = this.#slots.torn(read);
    this.#expected.clear();
    const place = this.#at.floor(this.#rank);
    if (Atomics.load(this.#words, place) < round) {
      Atomics.store(this.#words, place, round);
      for (let peer = 0; peer < this.#board.size; peer++) ring(this.#words, this.#at, peer, this.#rank);
    }
    return torn;
  }

  recycle(data: Vector): void {
    this.#slots.forget(data);
  }

  stream(on: boolean): void {
    this.#streaming = on;
  }

  look(): void {
    this.#look();
  }

  send(peer: number, letter: Letter): Promise<void> | undefined {
    const queue = this.#queue.get(peer);
    if (this.#streaming) return this.#stream(peer, letter, queue);
    const gone = this.gone(peer);
    if (!gone && queue === undefined && this.#put(peer, letter, false)) return undefined;
    if (gone || this.#isStuck(peer)) {
      if (letter.kind === "vector") this.#unsent();
      return undefined;
    }
    return new Promise((done) => {
      if (queue === undefined) this.#queue.set(peer, [{ letter, done }]);
      else queue.push({ letter, done });
    });
  }

  /** Nobody waits, and who does not read holds few slots, for the others need them: the rest of its letters queues up. */
  #stream(peer: number, letter: Letter, queue: readonly Queued[] = []): Promise<void> | undefined {
    const gone = this.gone(peer);
    if (!gone && queue.length === 0 && this.#room(peer) && this.#put(peer, letter, false)) return undefined;
    if (gone || queue.length >= queuedLetters) {
      this.#unsent();
      return undefined;
    }
    return new Promise((done) => {
      this.#queue.set(peer, [...queue, { letter, done }]);
    });
  }

  #room(peer: number): boolean {
    return !this.#streaming || ((this.#boxes.written(peer) - this.#boxes.taken(peer)) | 0) < unreadLetters;
  }

  /** What could not be sent in time: a slot is taken by force, a full mailbox is its peer's loss. */
  abandon(): void {
    for (const [peer, queue] of this.#queue) {
      for (const { letter, done } of queue) {
        if (!this.#put(peer, letter, true)) {
          this.#unsent();
          this.#stuck.set(peer, this.#floor(peer));
        }
        done();
      }
    }
    this.#queue.clear();
  }

  /** From the next microtask on: who sends while it computes something goes on computing first. */
  wait(): void {
    if (this.#looking) return;
    this.#looking = true;
    queueMicrotask(() => void this.#lookOut());
  }

  async #lookOut(): Promise<void> {
    const words = this.#words;
    const [bell, watch] = [this.#at.bell(this.#rank), this.#at.watch(this.#rank)];
    for (let turns = 0; this.#ears?.busy; turns++) {
      Atomics.add(words, this.#at.beat(this.#rank), 1);
      const rung = Atomics.load(words, bell);
      Atomics.store(words, watch, this.#awaited());
      if (this.#look()) {
        // What was sent or came is told by promises: without their turn the exchange would seem unfinished, and be slept on.
        await undefined;
        continue;
      }
      const left = (this.#timer?.time ?? Number.POSITIVE_INFINITY) - this.now();
      if (left <= 0) this.#timeUp();
      else if (this.#wait() === "block") {
        // A slice without the event loop is the fast way; after that the loop gets its turn.
        if (Atomics.wait(words, bell, rung, Math.min(left, this.#slice)) !== "timed-out") continue;
        await new Promise((resolve) => setImmediate(resolve));
      } else if (turns < 200) await new Promise((resolve) => setImmediate(resolve));
      else await new Promise((resolve) => setTimeout(resolve, 1));
    }
    Atomics.store(words, watch, 0);
    this.#looking = false;
  }

  /** A deadline: who is given up by it, and gave no sign of life, is silent. */
  #timeUp(): void {
    const awaited = [...this.#expected].filter(([peer]) => this.#ears?.awaits(peer));
    const run = this.#timer?.run;
    this.#timer = undefined;
    run?.();
    for (const [peer, life] of awaited) {
      if (!this.#ears?.awaits(peer) && this.#life(peer) === life) this.#silent.set(peer, life);
    }
  }

  /** Who is to ring, as `watch` has it: one of those that the exchange waits for, or anybody who may free a slot. */
  #awaited(): number {
    if (this.#queue.size > 0) return anybody;
    for (const peer of this.#expected.keys()) if (this.#ears?.awaits(peer)) return peer + 1;
    return 0;
  }

  /** Takes what has come and sends what now can be; whether there was anything. */
  #look(): boolean {
    let some = false;
    for (let peer = 0; peer < this.#board.size; peer++) {
      // Asked for before the letters: the last ones of a peer that goes are still taken.
      const gone = this.gone(peer);
      for (let note = this.#boxes.peek(peer); note !== undefined; note = this.#boxes.peek(peer)) {
        some = true;
        this.#deliver(peer, note);
        this.#boxes.drop(peer);
      }
      if (gone && this.#ears?.awaits(peer)) {
        some = true;
        this.#ears.gone(peer);
      }
    }
    for (const [peer, queue] of this.#queue) {
      while (queue.length > 0 && (this.gone(peer) || (this.#room(peer) && this.#put(peer, queue[0].letter, false)))) {
        some = true;
        if (this.gone(peer)) this.#unsent();
        queue.shift()?.done();
      }
      if (queue.length === 0) this.#queue.delete(peer);
    }
    return some;
  }

  #deliver(peer: number, note: Note): void {
    const { kind, round, sequence } = note;
    // Of a vector that has been overwritten already only the letter is left: it is late, or worthless.
    const data = kind === "vector" ? this.#slots.view(peer, note) : undefined;
    this.#ears?.deliver(peer, { kind, round, sequence, data });
  }

  /** Puts a letter into a peer's mailbox; false where there is no slot for its vector, or no room. */
  #put(peer: number, { kind, round, sequence, data }: Letter, force: boolean): boolean {
    if (data === undefined) {
      return this.#boxes.put(peer, { kind, round, sequence, slot: -1, generation: 0, length: 0, type: "uint8" });
    }
    const place = this.#slots.place(data, round, force);
    if (place === undefined) return false;
    for (const reader of place.overtaken) this.#stuck.set(reader, this.#floor(reader));
    const { slot, generation } = place;
    const note = { kind, round, sequence, slot, generation, length: data.length, type: typeOf(data) };
    if (!this.#boxes.put(peer, note)) return false;
    this.#slots.sent(slot, this.#streaming ? { peer, letter: this.#boxes.written(peer) - 1 } : { peer });
    return true;
  }

  /** Whether it is known to be gone, or silent. */
  gone(peer: number): boolean {
    if (Atomics.load(this.#words, this.#at.gone(peer)) === 1) return true;
    const silent = this.#silent.get(peer);
    return silent !== undefined && silent === this.#life(peer);
  }

  /** A number that changes whenever the peer moves or waits: both only go up. */
  #life(peer: number): number {
    return (this.#floor(peer) + Atomics.load(this.#words, this.#at.beat(peer))) | 0;
  }

  #floor(peer: number): number {
    return Atomics.load(this.#words, this.#at.floor(peer));
  }

  /** Whether nobody need wait for `peer` to read what it was sent in that round. */
  #left(peer: number, round: number): boolean {
    return this.#floor(peer) > round || this.gone(peer) || this.#isStuck(peer);
  }

  /** Whether it was waited for in vain, and has not moved since. */
  #isStuck(peer: number): boolean {
    return this.#stuck.get(peer) === this.#floor(peer);
  }

  #unsent(): void {
    if (this.#ears !== undefined) this.#ears.counts.unsent++;
  }

  async close(): Promise<void> {
    announceGone(this.#board, this.#rank);
  }
}
