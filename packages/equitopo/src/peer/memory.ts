/**
 * Peers in one program, for tests: a network with its own clock that injects delay, loss, reordering and crashes, all a
 * function of (seed, message). Time passes only when every peer waits, so a run with timeouts is over at once and comes
 * out the same every time.
 */

import { block } from "../random/philox.ts";
import { streams } from "../random/stream.ts";
import { Exchange, type ExchangeOptions } from "./exchange.ts";
import type { Ears, Lane, Letter } from "./lane.ts";
import type { Transport } from "./transport.ts";

export interface MemoryFaults {
  readonly seed?: number;
  /** Milliseconds on the network's clock, uniform between the two. */
  readonly delay?: readonly [least: number, most: number];
  /** The probability that a message is lost. */
  readonly loss?: number;
  /** Whether a message may overtake another on the same way. */
  readonly reorder?: boolean;
}

interface Event {
  readonly time: number;
  readonly run: () => void;
}

export class MemoryNetwork {
  readonly size: number;
  readonly #faults: MemoryFaults;
  readonly #peers = new Map<number, { readonly lane: MemoryLane; readonly transport: Transport | undefined }>();
  readonly #events: Event[] = [];
  readonly #lastArrival = new Map<number, number>();
  readonly #words = new Uint32Array(4);
  #time = 0;
  #pumping = false;

  constructor(size: number, faults: MemoryFaults = {}) {
    this.size = size;
    this.#faults = faults;
  }

  /** Milliseconds on the network's clock. */
  get time(): number {
    return this.#time;
  }

  /** Joins as that peer; one that takes over a crashed peer's number does the same. */
  join(rank: number, options: Omit<ExchangeOptions, "rank" | "size"> = {}): Transport {
    const lane = new MemoryLane(this, rank, this.#faults.reorder !== true);
    const transport = new Exchange(lane, { ...options, rank, size: this.size });
    this.#peers.set(rank, { lane, transport });
    return transport;
  }

  /** A bare lane of that peer, for whoever brings an exchange of its own. */
  lane(rank: number): Lane {
    const lane = new MemoryLane(this, rank, this.#faults.reorder !== true);
    this.#peers.set(rank, { lane, transport: undefined });
    return lane;
  }

  /** The peer is gone at once: its exchange fails, nothing reaches it, nothing more comes from it. */
  crash(rank: number): void {
    const peer = this.#peers.get(rank);
    this.#peers.delete(rank);
    void (peer?.transport ?? peer?.lane)?.close();
  }

  /** A pause on the network's clock. */
  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(milliseconds, resolve);
    });
  }

  leave(lane: MemoryLane): void {
    if (this.#peers.get(lane.rank)?.lane === lane) this.#peers.delete(lane.rank);
  }

  carry(from: number, to: number, letter: Letter): void {
    const { seed = 0, delay = [0, 0], loss = 0, reorder = false } = this.#faults;
    const message = ((from * this.size + to) * 64 + (letter.sequence & 63)) * 3 + kinds.indexOf(letter.kind);
    block(seed, streams.transport, letter.round, message, this.#words);
    if (this.#words[0] < loss * 4294967296) return;
    const wait = delay[0] + ((delay[1] - delay[0]) * this.#words[1]) / 4294967296;
    if (wait === 0) {
      this.hand(from, to, letter);
      return;
    }
    const way = from * this.size + to;
    let time = this.#time + wait;
    if (!reorder) time = Math.max(time, this.#lastArrival.get(way) ?? 0);
    this.#lastArrival.set(way, time);
    this.after(time - this.#time, () => this.hand(from, to, letter));
  }

  /** The letter is there, if anybody is. */
  protected hand(from: number, to: number, letter: Letter): void {
    this.#peers.get(to)?.lane.arrive(from, letter);
  }

  /** Tells a peer that nothing more comes from another in the exchange under way. */
  protected tellGone(from: number, to: number): void {
    this.#peers.get(to)?.lane.tellGone(from);
  }

  /** Whether a peer knows that another is gone; here nobody does. */
  isGone(_from: number, _to: number): boolean {
    return false;
  }

  /** A clock of one peer's: it may stand still with the peer. */
  wake(_rank: number, milliseconds: number, run: () => void): () => void {
    return this.after(milliseconds, run);
  }

  after(milliseconds: number, run: () => void): () => void {
    const event = { time: this.#time + Math.max(0, milliseconds), run };
    let at = this.#events.length;
    while (at > 0 && this.#events[at - 1].time > event.time) at--;
    this.#events.splice(at, 0, event);
    this.#pump();
    return () => {
      const index = this.#events.indexOf(event);
      if (index >= 0) this.#events.splice(index, 1);
    };
  }

  /** An immediate runs when no peer has anything left to do: only then may the clock go on. */
  #pump(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    whenIdle(() => {
      this.#pumping = false;
      const next = this.#events.shift();
      if (next === undefined) return;
      this.#time = Math.max(this.#time, next.time);
      next.run();
      if (this.#events.length > 0) this.#pump();
    });
  }
}

const kinds: readonly Letter["kind"][] = ["vector", "yes", "no"];

/** Runs something when the program has nothing left to do; in browsers, which have no immediates, a little later. */
function whenIdle(run: () => void): void {
  if (typeof setImmediate === "function") setImmediate(run);
  else setTimeout(run, 0);
}

class MemoryLane implements Lane {
  readonly name = "memory";
  readonly ordered: boolean;
  readonly rank: number;
  readonly #network: MemoryNetwork;
  #ears: Ears | undefined;
  #closed = false;

  constructor(network: MemoryNetwork, rank: number, ordered: boolean) {
    this.#network = network;
    this.rank = rank;
    this.ordered = ordered;
  }

  open(ears: Ears): void {
    this.#ears = ears;
  }

  send(peer: number, letter: Letter): undefined {
    if (!this.#closed) this.#network.carry(this.rank, peer, { ...letter, data: letter.data?.slice() });
  }

  arrive(from: number, letter: Letter): void {
    this.#ears?.deliver(from, letter);
  }

  tellGone(from: number): void {
    this.#ears?.gone(from);
  }

  gone(peer: number): boolean {
    return this.#network.isGone(this.rank, peer);
  }

  now(): number {
    return this.#network.time;
  }

  after(milliseconds: number, run: () => void): () => void {
    // Never nothing: a rest that rounding leaves would wake up at the same instant for ever.
    return this.#network.wake(this.rank, Math.max(milliseconds, 1e-3), run);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#network.leave(this);
  }
}
