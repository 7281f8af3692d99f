/**
 * Peers of one machine as threads of one program, and other machines over TCP: one peer, two lanes. Those that share a
 * board (board.ts) read each other's vectors in place; the others are dialled. Both carry the same letters, and the
 * exchange machine above sees one lane.
 *
 * A thread may sleep while it waits for memory, but sockets need its event loop: it sleeps only in exchanges whose
 * partners are all on this machine, and looks at the board only in exchanges that have some here.
 */

import { isMainThread } from "node:worker_threads";
import { InputError } from "equitopo";
import { type Ears, Exchange, type Lane, type Letter, type Vector } from "equitopo/peer";
import type { Board } from "./board.ts";
import type { TcpOptions } from "./tcp.ts";
import { TcpLane } from "./tcp-lane.ts";
import { ThreadLane } from "./threads.ts";

export interface HostOptions extends TcpOptions {
  /** The ranks of the peers of this program, ascending; this one is among them. */
  readonly ranks: readonly number[];
  /** Made for as many peers as there are ranks: peer k of the board is ranks[k]. */
  readonly board: Board;
}

/** Milliseconds that a thread sleeps at a time: those who dial it meanwhile, and its own unfinished words, wait so long. */
const slice = 2;

/** A peer that shares its machine's memory with some and reaches the others over TCP. */
export class HostTransport extends Exchange {
  readonly #tcp: TcpLane;

  /** Listens for TCP from the time that the promise is settled. */
  static async listen(options: HostOptions): Promise<HostTransport> {
    const tcp = new TcpLane(options);
    const transport = new HostTransport(new HostLane(options, tcp), tcp, options);
    await tcp.listen();
    return transport;
  }

  private constructor(lane: HostLane, tcp: TcpLane, options: HostOptions) {
    super(lane, options);
    this.#tcp = tcp;
  }

  /** The port it listens at. */
  get port(): number {
    return this.#tcp.port;
  }
}

class HostLane implements Lane {
  readonly name = "threads and tcp";
  readonly ordered = true;
  readonly #tcp: Lane;
  readonly #threads: ThreadLane;
  readonly #size: number;
  readonly #ranks: readonly number[];
  /** The place on the board of each rank that is here. */
  readonly #place = new Map<number, number>();
  /** Whether the exchange under way has partners here, and elsewhere. */
  #near = false;
  #far = false;

  constructor({ rank, size, ranks, board }: HostOptions, tcp: Lane) {
    if (!ranks.includes(rank) || ranks.length !== board.size) {
      throw new InputError("a board is for the ranks of one program", ranks.join(), "make one of as many places");
    }
    this.#tcp = tcp;
    this.#size = size;
    this.#ranks = ranks;
    ranks.forEach((one, place) => {
      this.#place.set(one, place);
    });
    const wait = () => (this.#far || isMainThread ? "poll" : "block");
    this.#threads = new ThreadLane(board, { rank: ranks.indexOf(rank), wait, slice });
  }

  open(ears: Ears): void {
    this.#tcp.open(ears);
    const rankOf = (place: number) => this.#ranks[place];
    this.#threads.open({
      counts: ears.counts,
      deliver: (place, letter) => ears.deliver(rankOf(place), letter),
      gone: (place) => ears.gone(rankOf(place)),
      at: (place, round) => ears.at(rankOf(place), round),
      end: (error) => ears.end(error),
      refuse: (reason) => ears.refuse(reason),
      awaits: (place) => ears.awaits(rankOf(place)),
      get busy() {
        return ears.busy;
      },
    });
  }

  send(peer: number, letter: Letter): Promise<void> | undefined {
    const place = this.#place.get(peer);
    if (place === undefined) {
      this.#far = true;
      return this.#tcp.send(peer, letter);
    }
    const busy = this.#threads.send(place, letter);
    if (busy !== undefined) this.#near = true;
    return busy;
  }

  gone(peer: number): boolean {
    const place = this.#place.get(peer);
    return place === undefined ? this.#tcp.gone?.(peer) === true : this.#threads.gone(place);
  }

  stream(on: boolean): void {
    this.#threads.stream(on);
  }

  look(): void {
    this.#threads.look();
  }

  now(): number {
    return this.#tcp.now();
  }

  after(milliseconds: number, run: () => void): () => void {
    return this.#tcp.after(milliseconds, run);
  }

  expects(peer: number): void {
    const place = this.#place.get(peer);
    if (place === undefined) {
      this.#far = true;
      this.#tcp.expects?.(peer);
    } else {
      this.#near = true;
      this.#threads.expects(place);
    }
  }

  wait(): void {
    this.#tcp.wait?.();
    if (this.#near) this.#threads.wait();
  }

  abandon(round: number): void {
    this.#tcp.abandon?.(round);
    this.#threads.abandon();
  }

  /** Memory of the board is shared, what came from a socket is not. */
  recycle(data: Vector): void {
    if (data.buffer instanceof SharedArrayBuffer) this.#threads.recycle(data);
    else this.#tcp.recycle?.(data);
  }

  leave(round: number, read: readonly Vector[]): readonly Vector[] {
    this.#near = false;
    this.#far = false;
    const changed = this.#tcp.leave?.(round, read) ?? [];
    return [...changed, ...this.#threads.leave(round, read)];
  }

  reached(peer: number): number {
    const place = this.#place.get(peer);
    return place === undefined ? (this.#tcp.reached?.(peer) ?? -1) : this.#threads.reached(place);
  }

  prepare(peers: readonly number[]): void {
    this.#tcp.prepare?.(peers.filter((peer) => !this.#place.has(peer)));
  }

  /** Not the lane's own: that would dial peers of this machine, too. */
  overhear(): void {
    this.prepare(Array.from({ length: this.#size }, (_, peer) => peer));
  }

  async close(): Promise<void> {
    await Promise.all([this.#tcp.close(), this.#threads.close()]);
  }
}
