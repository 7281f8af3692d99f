/**
 * Peers in one program, for tests: a network with its own clock that injects delay, loss, reordering and crashes, all a
 * function of (seed, message). Time passes only when every peer waits, so a run with timeouts is over at once and comes
 * out the same every time.
 */

import { block } from "../../random/philox.ts";
import { streams } from "../../random/stream.ts";
import { Exchange, type ExchangeOptions } from "../exchange/exchange.ts";
import type { Ears, Lane, Letter } from "../exchange/lane.ts";
import { whenIdle } from "../exchange/runtime.ts";
import type { Transport } from "../exchange/transport.ts";

export interface MemoryFaults {
  readonly seed?: number;
  /** Milliseconds on the network's clock, uniform between the two. */
  readonly delay?: readonly [least: number, most: number];
  /** The probability that a message is dropped. */
  readonly loss?: number;
  /** Whether a message may overtake another on the same way. */
  readonly reorder?: boolean;
}

type Event = { readonly time: number; readonly run: () => void };
type Peer = { readonly lane: Lane; ears?: Ears; transport?: Transport };

export class MemoryNetwork {
  readonly size: number;
  time = 0;
  readonly #faults: MemoryFaults;
  readonly #peers = new Map<number, Peer>();
  readonly #events: Event[] = [];
  readonly #lastArrival = new Map<number, number>();
  readonly #words = new Uint32Array(4);
  #pumping = false;

  constructor(size: number, faults: MemoryFaults = {}) {
    this.size = size;
    this.#faults = faults;
  }

  /** Joins as that peer; one that takes over a crashed peer's number does the same. */
  join(rank: number, options: Omit<ExchangeOptions, "rank" | "size"> = {}): Transport {
    const peer = this.#enter(rank);
    peer.transport = new Exchange(peer.lane, { ...options, rank, size: this.size });
    return peer.transport;
  }

  /** A bare lane of that peer, for a caller that brings an exchange of its own. */
  lane(rank: number): Lane {
    return this.#enter(rank).lane;
  }

  #enter(rank: number): Peer {
    let closed = false;
    const lane: Lane = {
      name: "memory",
      ordered: this.#faults.reorder !== true,
      open: (ears) => {
        peer.ears = ears;
      },
      send: (to, letter) => {
        if (!closed) this.carry(rank, to, { ...letter, data: letter.data?.slice() });
        return undefined;
      },
      gone: (other) => this.isGone(rank, other),
      now: () => this.time,
      // Never 0: a rest that rounding leaves would wake up at the same instant again and again.
      after: (milliseconds, run) => this.wake(rank, Math.max(milliseconds, 1e-3), run),
      close: async () => {
        closed = true;
        if (this.#peers.get(rank) === peer) this.#peers.delete(rank);
      },
    };
    const peer: Peer = { lane };
    this.#peers.set(rank, peer);
    return peer;
  }

  /** The peer is gone at once: its exchange fails, nothing reaches it, nothing more comes from it. */
  crash(rank: number): void {
    const peer = this.#peers.get(rank);
    this.#peers.delete(rank);
    void (peer?.transport ?? peer?.lane)?.close();
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(milliseconds, resolve);
    });
  }

  carry(from: number, to: number, letter: Letter): void {
    const { reorder = false } = this.#faults;
    const { lost, wait } = this.draw(from, to, letter, this.#faults);
    if (lost) return;
    if (wait === 0) {
      this.hand(from, to, letter);
      return;
    }
    const way = from * this.size + to;
    let time = this.time + wait;
    if (!reorder) time = Math.max(time, this.#lastArrival.get(way) ?? 0);
    this.#lastArrival.set(way, time);
    this.after(time - this.time, () => this.hand(from, to, letter));
  }

  /** Whether a letter is dropped, and how many milliseconds it is on the way: drawn from (seed, letter). */
  protected draw(from: number, to: number, { round, sequence, kind }: Letter, faults: MemoryFaults) {
    const { seed = 0, delay = [0, 0], loss = 0 } = faults;
    const message = ((from * this.size + to) * 64 + (sequence & 63)) * 3 + kinds.indexOf(kind);
    block(seed, streams.transport, round, message, this.#words);
    const [chance, way] = Array.from(this.#words, (word) => word / 4294967296);
    return { lost: chance < loss, wait: delay[0] + (delay[1] - delay[0]) * way };
  }

  /** Hands the letter to its receiver, if that is there. */
  protected hand(from: number, to: number, letter: Letter): void {
    this.#peers.get(to)?.ears?.deliver(from, letter);
  }

  /** Tells a peer that nothing more comes from another in the exchange under way. */
  protected tellGone(from: number, to: number): void {
    this.#peers.get(to)?.ears?.gone(from);
  }

  /** Whether a peer knows that another is gone; here none does. */
  isGone(_from: number, _to: number): boolean {
    return false;
  }

  /** Sets a clock of one peer: it may stop together with the peer. */
  wake(_rank: number, milliseconds: number, run: () => void): () => void {
    return this.after(milliseconds, run);
  }

  after(milliseconds: number, run: () => void): () => void {
    const event = { time: this.time + Math.max(0, milliseconds), run };
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
      this.time = Math.max(this.time, next.time);
      next.run();
      if (this.#events.length > 0) this.#pump();
    });
  }
}

const kinds: readonly Letter["kind"][] = ["vector", "yes", "no", "repair"];
