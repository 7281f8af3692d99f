/**
 * Peers in worker threads of one program: a vector is written once into a slot of shared memory and read there by
 * everyone it was sent to, without a copy. Who sends from memory that `lend` gave makes no copy at all.
 *
 * A slot is written anew only when every peer it was sent to has left that round (its floor is higher); a post on an edge
 * likewise. So a sender is at most two rounds ahead of its slowest reader, and that is all the memory there is. A sender
 * that has waited for its timeout takes the slot all the same; the reader finds out by the slot's generation (release).
 *
 * Waiting blocks the thread (Atomics.wait) in slices, between which the event loop runs; in the main thread, where
 * blocking is not allowed, and where several peers share a thread, it polls instead.
 */

import { isMainThread } from "node:worker_threads";
import { InputError, integer } from "../input/input.ts";
import { type Board, messageLimit, Places } from "./board.ts";
import { Pairs } from "./pairs.ts";
import {
  defaultTimeout,
  type ElementType,
  newCounts,
  type Outcome,
  type Request,
  reachedByTwo,
  type Transport,
  typeOf,
  type Vector,
} from "./transport.ts";

export interface ThreadOptions {
  readonly rank: number;
  /** Milliseconds; default 10 s. */
  readonly timeout?: number;
  /** Tries what a bad network does: what goes to a peer in a round for which it answers true is never posted. */
  readonly drop?: (peer: number, round: number) => boolean;
  /** Default: block in a worker, poll in the main thread. */
  readonly wait?: "block" | "poll";
}

const slice = 20;
const largestRound = 2 ** 29 - 1;

interface Reading {
  readonly from: number;
  readonly slot: number;
  readonly generation: number;
  readonly entry: number;
}

export class ThreadTransport implements Transport {
  readonly name = "threads";
  readonly rank: number;
  readonly size: number;
  readonly counts = newCounts();
  readonly #board: Board;
  readonly #at: Places;
  readonly #words: Int32Array;
  readonly #timeout: number;
  readonly #block: boolean;
  readonly #drop: ((peer: number, round: number) => boolean) | undefined;
  /** Who was sent each of our slots, and in which round. */
  readonly #readers: { peers: number[]; round: number }[];
  readonly #views = new Map<string, Vector>();
  readonly #pairs: Pairs;
  /** Whether a borrower still uses that memory: it must not be copied into either. */
  #taken: (memory: Vector) => boolean = () => false;
  #reading: Reading[] = [];
  #next = 0;
  #busy = false;
  #closed = false;

  constructor(board: Board, options: ThreadOptions) {
    this.#board = board;
    this.size = board.size;
    this.rank = integer("rank", options.rank, 0, this.size - 1);
    this.#at = new Places(board);
    this.#words = new Int32Array(board.control);
    this.#timeout = options.timeout ?? defaultTimeout;
    this.#block = (options.wait ?? (isMainThread ? "poll" : "block")) === "block";
    this.#drop = options.drop;
    this.#readers = Array.from({ length: board.slots }, () => ({ peers: [], round: -1 }));
    this.#pairs = new Pairs(this.#words, this.#at, this.rank, {
      until: (holds, peer, deadline, signal) => this.#until(holds, peer, deadline, signal),
      left: (peer, round) => this.#left(peer, round),
      ring: (peer) => this.#ring(peer),
    });
    // One that takes over a number goes on after the rounds its predecessor has left.
    this.#next = Atomics.load(this.#words, this.#at.floor(this.rank));
  }

  get reached(): number {
    return reachedByTwo(
      Array.from({ length: this.size }, (_, peer) =>
        peer === this.rank ? -1 : Atomics.load(this.#words, this.#at.floor(peer)) - 1,
      ),
    );
  }

  lend(_index: number, type: ElementType, length: number, taken: (memory: Vector) => boolean): Vector | undefined {
    const bytes = length * (type === "float32" ? 4 : 8);
    if (bytes > this.#board.slotBytes || bytes === 0) return undefined;
    this.#taken = taken;
    for (let slot = 0; slot < this.#board.slots; slot++) {
      const view = this.#view(this.rank, slot, type, length);
      if (taken(view) || !this.#free(slot)) continue;
      Atomics.add(this.#words, this.#at.generation(this.rank, slot), 1);
      return view;
    }
    return undefined;
  }

  async exchange(request: Request): Promise<Outcome> {
    const { round, send, receive, signal } = request;
    if (this.#closed) throw new Error(`peer ${this.rank}: the transport is closed`);
    if (this.#busy) throw new InputError("a peer makes one exchange at a time", round, "await the one before");
    if (round < this.#next) throw new InputError(`rounds go up (next: ${this.#next})`, round, "skip that round");
    integer("round", round, 0, largestRound);
    signal?.throwIfAborted();
    this.#busy = true;
    try {
      this.#leave(round);
      const timeout = request.timeout ?? this.#timeout;
      const start = performance.now();
      const kept = await this.#publish(request, start + timeout);
      const arrived: (Vector | undefined)[] = new Array(receive.length).fill(undefined);
      const partners = new Map<number, number[]>();
      for (let k = 0; k < receive.length; k++) {
        const entries = partners.get(receive[k].peer);
        if (entries === undefined) partners.set(receive[k].peer, [k]);
        else entries.push(k);
      }
      // First everyone's vectors and our votes, then the others' votes: waiting for one's vote before giving the next its
      // own would let a circle of peers wait for each other.
      const found = new Map<number, { readings: Reading[] | undefined; vote: boolean | undefined }>();
      for (const [peer, entries] of partners) {
        const mutual = request.mutual === true && send.some((message) => message.peer === peer);
        const deadline = start + (receive[entries[0]].timeout ?? timeout);
        const readings = await this.#receive(
          request,
          peer,
          entries,
          mutual ? deadline - (deadline - start) / 4 : deadline,
        );
        const yes = readings !== undefined;
        found.set(peer, { readings, vote: mutual ? await this.#pairs.vote(peer, round, yes, deadline, signal) : yes });
        if (!yes) this.counts.missed += entries.length;
      }
      const reading: Reading[] = [];
      for (const [peer, entries] of partners) {
        const { readings, vote } = found.get(peer) as { readings: Reading[] | undefined; vote: boolean | undefined };
        const deadline = start + (receive[entries[0]].timeout ?? timeout);
        const agreed = vote ?? (await this.#pairs.settle(peer, round, deadline, signal));
        if (!agreed && request.mutual === true) this.counts.voided++;
        if (readings === undefined || !agreed) continue;
        readings.forEach((one, k) => {
          const { length, type } = receive[entries[k]];
          arrived[entries[k]] = this.#view(peer, one.slot, type, length);
          reading.push(one);
          this.counts.receivedMessages++;
          this.counts.receivedBytes += arrived[entries[k]]?.byteLength ?? 0;
        });
      }
      this.#reading = reading;
      this.#next = round + 1;
      this.counts.late = Atomics.load(this.#words, this.#at.late(this.rank));
      return { arrived, kept, release: () => this.#release(round) };
    } finally {
      this.#busy = false;
      if (this.#next <= round) this.#next = round + 1;
    }
  }

  /** Ends the reading of that round: the floor goes up, and those who waited for it hear of it. */
  #release(round: number): number[] {
    if (Atomics.load(this.#words, this.#at.floor(this.rank)) > round) return [];
    const torn = this.#reading
      .filter(({ from, slot, generation }) => Atomics.load(this.#words, this.#at.generation(from, slot)) !== generation)
      .map(({ entry }) => entry);
    this.#leave(round + 1);
    return torn;
  }

  #leave(round: number): void {
    const place = this.#at.floor(this.rank);
    if (Atomics.load(this.#words, place) >= round) return;
    Atomics.store(this.#words, place, round);
    for (let peer = 0; peer < this.size; peer++) this.#ring(peer);
  }

  /** Wakes a peer that waits for us. One that begins to wait says so first and then looks again, so none is missed. */
  #ring(peer: number): void {
    if (Atomics.load(this.#words, this.#at.watch(peer)) !== this.rank + 1) return;
    const bell = this.#at.bell(peer);
    Atomics.add(this.#words, bell, 1);
    Atomics.notify(this.#words, bell);
  }

  /** Whether `peer` is done with what it was sent in that round. */
  #left(peer: number, round: number): boolean {
    return Atomics.load(this.#words, this.#at.floor(peer)) > round;
  }

  #free(slot: number): boolean {
    const { peers, round } = this.#readers[slot];
    return peers.every((peer) => this.#left(peer, round));
  }

  async #publish({ round, send, signal }: Request, deadline: number): Promise<Vector[]> {
    const slots = new Map<Vector, number>();
    const kept: Vector[] = [];
    const lists = new Map<number, number[]>();
    for (const { data } of send) {
      const own = this.#ownSlot(data);
      if (own === undefined || slots.has(data)) continue;
      slots.set(data, own);
      kept.push(data);
    }
    for (const { peer, data } of send) {
      let slot = slots.get(data);
      if (slot === undefined) {
        slot = await this.#copy(data, [...slots.values()], deadline, signal);
        slots.set(data, slot);
      }
      const reader = this.#readers[slot];
      if (reader.round !== round) this.#readers[slot] = { peers: [peer], round };
      else reader.peers.push(peer);
      const list = lists.get(peer);
      if (list === undefined) lists.set(peer, [slot]);
      else list.push(slot);
      this.counts.sentMessages++;
      this.counts.sentBytes += data.byteLength;
    }
    const vectors = new Map([...slots].map(([data, slot]) => [slot, data]));
    for (const [peer, list] of lists) {
      if (list.length > messageLimit) {
        throw new InputError(`at most ${messageLimit} messages go to one peer in a round`, list.length, "send fewer");
      }
      if (this.#drop?.(peer, round)) continue;
      if (this.#left(peer, round)) Atomics.add(this.#words, this.#at.late(peer), list.length);
      else await this.#post(peer, round, list, vectors, deadline, signal);
    }
    return kept;
  }

  async #post(
    peer: number,
    round: number,
    list: readonly number[],
    vectors: ReadonlyMap<number, Vector>,
    deadline: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const words = this.#words;
    const posts = [0, 1].map((k) => this.#at.post(this.rank, peer, k));
    const post = words[posts[0]] <= words[posts[1]] ? posts[0] : posts[1];
    await this.#until(() => this.#left(peer, words[post] - 1), peer, deadline, signal);
    Atomics.store(words, post, 0);
    words[post + 1] = list.length;
    list.forEach((slot, k) => {
      const data = vectors.get(slot) as Vector;
      const at = post + 2 + 4 * k;
      words[at] = slot;
      words[at + 1] = Atomics.load(words, this.#at.generation(this.rank, slot));
      words[at + 2] = data.length;
      words[at + 3] = data.BYTES_PER_ELEMENT;
    });
    Atomics.store(words, post, round + 1);
    this.#ring(peer);
  }

  /** A slot with a copy of data; by force when nobody gives one back in time. */
  async #copy(
    data: Vector,
    used: readonly number[],
    deadline: number,
    signal: AbortSignal | undefined,
  ): Promise<number> {
    const { slotBytes, slots } = this.#board;
    if (data.byteLength > slotBytes) {
      throw new InputError(
        `a vector must fit into a slot of ${slotBytes} bytes`,
        data.byteLength,
        "make a larger board",
      );
    }
    const candidates = Array.from({ length: slots }, (_, slot) => slot).filter(
      (slot) => !used.includes(slot) && !this.#taken(this.#view(this.rank, slot, typeOf(data), data.length)),
    );
    if (candidates.length === 0) {
      throw new InputError(
        `a peer sends at most ${slots} different vectors in a round`,
        used.length + 1,
        "raise `vectors`",
      );
    }
    const oldest = candidates.reduce((a, b) => (this.#readers[b].round < this.#readers[a].round ? b : a));
    let slot = candidates.find((candidate) => this.#free(candidate));
    if (slot === undefined) {
      slot = oldest;
      for (const peer of this.#readers[oldest].peers) {
        await this.#until(() => this.#left(peer, this.#readers[oldest].round), peer, deadline, signal);
      }
    }
    Atomics.add(this.#words, this.#at.generation(this.rank, slot), 1);
    this.#view(this.rank, slot, typeOf(data), data.length).set(data);
    return slot;
  }

  /** What `peer` posted for us in this round, once it has; undefined where it did not, or has gone on. */
  async #receive(
    { round, receive, signal }: Request,
    peer: number,
    entries: readonly number[],
    deadline: number,
  ): Promise<Reading[] | undefined> {
    const words = this.#words;
    const posts = [0, 1].map((k) => this.#at.post(peer, this.rank, k));
    let found: number | undefined;
    const ready = (): boolean => {
      const gone = this.#left(peer, round);
      found = posts.find((post) => Atomics.load(words, post) === round + 1);
      return found !== undefined || gone;
    };
    await this.#until(ready, peer, deadline, signal);
    if (found === undefined) return undefined;
    const readings: Reading[] = [];
    const count = words[found + 1];
    for (let k = 0; k < entries.length; k++) {
      const at = found + 2 + 4 * k;
      const { length, type } = receive[entries[k]];
      const fits = k < count && words[at + 2] === length && words[at + 3] === (type === "float32" ? 4 : 8);
      if (!fits) {
        this.counts.refused.set("length", (this.counts.refused.get("length") ?? 0) + 1);
        return undefined;
      }
      readings.push({ from: peer, slot: words[at], generation: words[at + 1], entry: entries[k] });
    }
    return Atomics.load(words, found) === round + 1 ? readings : undefined;
  }

  /** Waits for a condition that `peer` will change. Answers whether it holds; false after the deadline. */
  async #until(
    holds: () => boolean,
    peer: number,
    deadline: number,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    if (holds()) return true;
    const words = this.#words;
    const bell = this.#at.bell(this.rank);
    Atomics.store(words, this.#at.watch(this.rank), peer + 1);
    try {
      for (let turns = 0; ; turns++) {
        const rung = Atomics.load(words, bell);
        if (holds()) return true;
        const left = deadline - performance.now();
        if (left <= 0) return false;
        if (this.#block) {
          // A slice without the event loop is the fast way; after that the loop gets its turn.
          if (Atomics.wait(words, bell, rung, Math.min(left, slice)) !== "timed-out") continue;
          await new Promise((resolve) => setImmediate(resolve));
        } else if (turns < 200) await new Promise((resolve) => setImmediate(resolve));
        else await new Promise((resolve) => setTimeout(resolve, 1));
        if (this.#closed) throw new Error(`peer ${this.rank}: the transport was closed`);
        signal?.throwIfAborted();
      }
    } finally {
      Atomics.store(words, this.#at.watch(this.rank), 0);
    }
  }

  /** The slot that this very memory is, if it is one of ours. */
  #ownSlot(data: Vector): number | undefined {
    const { slotBytes, memory } = this.#board;
    if (data.buffer !== memory[this.rank] || data.byteOffset % slotBytes !== 0) return undefined;
    return data.byteOffset / slotBytes;
  }

  /** One view for each piece of memory ever asked for, so that a round makes no garbage. */
  #view(peer: number, slot: number, type: ElementType, length: number): Vector {
    const name = `${peer} ${slot} ${type} ${length}`;
    let view = this.#views.get(name);
    if (view === undefined) {
      const offset = slot * this.#board.slotBytes;
      const memory = this.#board.memory[peer];
      view = type === "float32" ? new Float32Array(memory, offset, length) : new Float64Array(memory, offset, length);
      if (this.#views.size > 10_000) this.#views.clear();
      this.#views.set(name, view);
    }
    return view;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    // Nobody waits for one that is gone: it is done with every round it could have been sent.
    this.#leave(Math.max(this.#next, Atomics.load(this.#words, this.#at.floor(this.rank))));
  }
}
