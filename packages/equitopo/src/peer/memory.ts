/**
 * Peers in one program, for tests: a network with its own clock that injects delay, loss, reordering and crashes, all a
 * function of (seed, message). Time passes only when every peer waits, so a run with timeouts is over at once and comes
 * out the same every time.
 */

import { block } from "../random/philox.ts";
import { streams } from "../random/stream.ts";
import { type Letter, type MessageOptions, MessageTransport } from "./exchange.ts";
import type { Transport, Vector } from "./transport.ts";

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
  readonly #peers = new Map<number, MemoryTransport>();
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
  join(rank: number, options: Omit<MessageOptions, "rank" | "size"> = {}): Transport {
    const peer = new MemoryTransport(this, { ...options, rank, size: this.size }, this.#faults.reorder !== true);
    this.#peers.set(rank, peer);
    return peer;
  }

  /** The peer is gone at once: its exchange fails, nothing reaches it, nothing more comes from it. */
  crash(rank: number): void {
    const peer = this.#peers.get(rank);
    this.#peers.delete(rank);
    void peer?.close();
  }

  /** A pause on the network's clock. */
  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(milliseconds, resolve);
    });
  }

  leave(peer: MemoryTransport): void {
    if (this.#peers.get(peer.rank) === peer) this.#peers.delete(peer.rank);
  }

  carry(from: number, to: number, letter: Letter): void {
    const { seed = 0, delay = [0, 0], loss = 0, reorder = false } = this.#faults;
    const message = ((from * this.size + to) * 64 + (letter.sequence & 63)) * 3 + kinds.indexOf(letter.kind);
    block(seed, streams.transport, letter.round, message, this.#words);
    if (this.#words[0] < loss * 4294967296) return;
    const wait = delay[0] + ((delay[1] - delay[0]) * this.#words[1]) / 4294967296;
    if (wait === 0) {
      this.#peers.get(to)?.arrive(from, letter);
      return;
    }
    const way = from * this.size + to;
    let time = this.#time + wait;
    if (!reorder) time = Math.max(time, this.#lastArrival.get(way) ?? 0);
    this.#lastArrival.set(way, time);
    this.after(time - this.#time, () => this.#peers.get(to)?.arrive(from, letter));
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
    setImmediate(() => {
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

class MemoryTransport extends MessageTransport {
  readonly name = "memory";
  readonly #network: MemoryNetwork;
  protected override readonly ordered: boolean;

  constructor(network: MemoryNetwork, options: MessageOptions, ordered: boolean) {
    super(options);
    this.#network = network;
    this.ordered = ordered;
  }

  protected override post(peer: number, letter: Letter): undefined {
    const data = letter.data?.slice() as Vector | undefined;
    this.#network.carry(this.rank, peer, { ...letter, data });
  }

  arrive(from: number, letter: Letter): void {
    this.deliver(from, letter);
  }

  protected override now(): number {
    return this.#network.time;
  }

  protected override after(milliseconds: number, run: () => void): () => void {
    // Never nothing: a rest that rounding leaves would wake up at the same instant for ever.
    return this.#network.after(Math.max(milliseconds, 1e-3), run);
  }

  protected override async shut(): Promise<void> {
    this.#network.leave(this);
  }
}
