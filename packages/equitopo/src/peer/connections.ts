/**
 * A memory network with connections, as TCP has them: one for each ordered pair, dialled by the receiver (inlet and outlet of
 * a peer over TCP), on a clock of its own. Nothing is lost on an open connection: a packet that is lost comes again after
 * a while, and what follows it waits. Letters are lost only with connections:
 *
 * - a break: both ends know; what was under way is gone; the receiver dials again, after 50 ms at first, then
 *   after twice as long;
 * - a half-open connection: one end believes in it. Where the sender does, its letters vanish until the receiver has
 *   dialled anew; where the receiver does, nothing comes until its failure detector (`detect`) ends it;
 * - a cut: nothing passes between two sides. What is sent meanwhile arrives after the cut, unless that takes longer than
 *   `giveUp`: then the connection breaks, and cannot be dialled before the cut is over.
 *
 * A peer that stands still (`stop`) hears nothing and its clocks do not run; when it goes on, overdue clocks ring before the
 * letters that have piled up are read, as in any event loop. A peer that crashes breaks its connections; one that loses
 * power leaves the others half-open.
 *
 * Everything is drawn from (seed, letter) or happens at a given time, so a run comes out the same every time.
 */

import { block } from "../random/philox.ts";
import { streams } from "../random/stream.ts";
import type { Letter } from "./lane.ts";
import { MemoryNetwork } from "./memory.ts";

export interface ConnectionOptions {
  readonly seed?: number;
  /** Milliseconds of a letter on the way, uniform between the two. Default 1 to 3. */
  readonly delay?: readonly [least: number, most: number];
  /** The probability that a packet is lost and comes again, `resend` milliseconds later (default 200). */
  readonly loss?: number;
  readonly resend?: number;
  /** Milliseconds until an end that believes in a dead connection stops doing so. Default 1000. */
  readonly detect?: number;
  /** Milliseconds that unanswered bytes are sent again before a connection breaks. Default 2000. */
  readonly giveUp?: number;
  /** Milliseconds that letters wait for a connection that is not there. Default 1000. */
  readonly grace?: number;
  /** Whether a break that is noticed is told to the exchange under way at once. Default true. */
  readonly tells?: boolean;
}

/** One direction of a pair. */
interface Connection {
  /** Counts connections made: a letter of an older one never arrives. */
  epoch: number;
  /** Whether each end believes in it; it carries letters where both do and it is not dead. */
  sender: boolean;
  receiver: boolean;
  dead: boolean;
  failures: number;
  lastArrival: number;
  readonly waiting: { readonly letter: Letter; readonly until: number }[];
}

interface Stopped {
  readonly clocks: (() => void)[];
  readonly letters: (() => void)[];
}

/** Letters that wait for a connection at most. */
const waitingLimit = 64;
const usual: Required<ConnectionOptions> = {
  ...{ seed: 0, delay: [1, 3], loss: 0, resend: 200 },
  ...{ detect: 1000, giveUp: 2000, grace: 1000, tells: true },
};

export class ConnectedNetwork extends MemoryNetwork {
  readonly #options: Required<ConnectionOptions>;
  readonly #connections = new Map<number, Connection>();
  readonly #stopped = new Map<number, Stopped>();
  readonly #here = new Set<number>();
  /** Until when nothing passes between two peers, by ordered pair. */
  readonly #cuts = new Map<number, number>();
  /** Votes that are to meet their receiver's deadline: by ordered pair, how many milliseconds after it. */
  readonly #races = new Map<number, number>();
  /** When the clock that each peer set last rings. */
  readonly #clocks = new Map<number, number>();
  readonly #drawn = new Uint32Array(4);

  constructor(size: number, options: ConnectionOptions = {}) {
    super(size);
    this.#options = { ...usual, ...options };
  }

  override join(...[rank, options]: Parameters<MemoryNetwork["join"]>): ReturnType<MemoryNetwork["join"]> {
    const transport = super.join(rank, options);
    this.#here.add(rank);
    for (const other of this.#here) if (other !== rank) for (const way of this.#ways(rank, other)) this.#dial(...way);
    return transport;
  }

  /** Whether a peer is there: it has joined, and has not crashed since. */
  isHere(rank: number): boolean {
    return this.#here.has(rank);
  }

  /** The program ends: its connections break. With `power` the others are not told, and believe in them. */
  override crash(rank: number, { power = false } = {}): void {
    this.#here.delete(rank);
    this.#stopped.delete(rank);
    for (let other = 0; other < this.size; other++) {
      if (other === rank) continue;
      if (power) {
        this.halfOpen(rank, other, "receiver");
        this.halfOpen(other, rank, "sender");
      } else for (const way of this.#ways(rank, other)) this.break(...way);
    }
    super.crash(rank);
  }

  /** What is under way from one peer to the other is lost, and both know. */
  break(from: number, to: number): void {
    const connection = this.#connection(from, to);
    connection.sender = false;
    this.#ended(from, to, connection);
  }

  /** The connection is dead, and one end does not know. */
  halfOpen(from: number, to: number, believer: "sender" | "receiver"): void {
    const connection = this.#connection(from, to);
    if (connection.dead || !connection.receiver) return;
    connection.dead = true;
    connection.epoch++;
    if (believer === "sender") this.#ended(from, to, connection);
    else {
      connection.sender = false;
      this.after(
        this.#options.detect,
        this.#ifStill(connection, () => this.#ended(from, to, connection)),
      );
    }
  }

  /** Nothing passes between the two sides for so many milliseconds. */
  cut(one: readonly number[], other: readonly number[], milliseconds: number): void {
    for (const a of one) {
      for (const b of other) {
        for (const [from, to] of this.#ways(a, b)) {
          this.#cuts.set(from * this.size + to, this.time + milliseconds);
          if (milliseconds <= this.#options.giveUp) continue;
          const connection = this.#connection(from, to);
          this.after(
            this.#options.giveUp,
            this.#ifStill(connection, () => this.break(from, to)),
          );
        }
      }
    }
  }

  /** The program stands still for so long. */
  stop(rank: number, milliseconds: number): void {
    if (!this.#here.has(rank) || this.#stopped.has(rank)) return;
    const stopped: Stopped = { clocks: [], letters: [] };
    this.#stopped.set(rank, stopped);
    this.after(milliseconds, () => {
      if (this.#stopped.get(rank) !== stopped) return;
      this.#stopped.delete(rank);
      for (const run of [...stopped.clocks, ...stopped.letters]) run();
    });
  }

  /** The next vote from one peer to the other arrives so long after the receiver's next deadline, or before it. */
  race(from: number, to: number, milliseconds: number): void {
    this.#races.set(from * this.size + to, milliseconds);
  }

  override carry(from: number, to: number, letter: Letter): void {
    const connection = this.#connection(from, to);
    if (connection.sender) this.#send(from, to, connection, letter);
    else if (connection.waiting.length < waitingLimit) {
      connection.waiting.push({ letter, until: this.time + this.#options.grace });
    }
  }

  /** A sender that has no connection: whoever is there dials. */
  override isGone(from: number, to: number): boolean {
    return !this.#connection(from, to).sender;
  }

  override wake(rank: number, milliseconds: number, run: () => void): () => void {
    this.#clocks.set(rank, this.time + milliseconds);
    let cancelled = false;
    const cancel = this.after(milliseconds, () => {
      const stopped = this.#stopped.get(rank);
      if (stopped === undefined) run();
      else stopped.clocks.push(() => !cancelled && run());
    });
    return () => {
      cancelled = true;
      cancel();
    };
  }

  protected override hand(from: number, to: number, letter: Letter): void {
    this.#read(to, () => super.hand(from, to, letter));
  }

  /** Something is there for a peer to read, now or when it goes on. */
  #read(rank: number, run: () => void): void {
    const stopped = this.#stopped.get(rank);
    if (stopped === undefined) run();
    else stopped.letters.push(run);
  }

  #connection(from: number, to: number): Connection {
    const way = from * this.size + to;
    const known = this.#connections.get(way);
    if (known !== undefined) return known;
    const fresh: Connection = {
      ...{ epoch: 0, sender: false, receiver: false, dead: false, failures: 0, lastArrival: 0, waiting: [] },
    };
    this.#connections.set(way, fresh);
    return fresh;
  }

  #ways(a: number, b: number): [number, number][] {
    return [
      [a, b],
      [b, a],
    ];
  }

  /** Runs something unless the connection is another by then. */
  #ifStill(connection: Connection, run: () => void): () => void {
    const { epoch } = connection;
    return () => {
      if (connection.epoch === epoch) run();
    };
  }

  /** The receiver knows that it is over: the exchange is told, and the sender is dialled again. */
  #ended(from: number, to: number, connection: Connection): void {
    connection.epoch++;
    connection.receiver = false;
    connection.dead = true;
    if (!this.#here.has(to)) return;
    if (this.#options.tells) this.#read(to, () => this.tellGone(from, to));
    const wait = Math.min(5000, 50 * 2 ** connection.failures++);
    this.after(
      wait,
      this.#ifStill(connection, () => this.#dial(from, to)),
    );
  }

  /** The receiver dials; where the sender answers, letters that waited are sent. An older connection is replaced. */
  #dial(from: number, to: number): void {
    const connection = this.#connection(from, to);
    // One who is not there is dialled when it joins.
    if (!this.#here.has(to) || !this.#here.has(from) || connection.receiver) return;
    const cut = this.#cutUntil(from, to) - this.time;
    if (cut > 0) {
      const again = this.#ifStill(connection, () => this.#dial(from, to));
      this.after(cut + this.#options.resend, again);
      return;
    }
    connection.epoch++;
    Object.assign(connection, { sender: true, receiver: true, dead: false, failures: 0, lastArrival: this.time });
    const waiting = connection.waiting.splice(0);
    for (const { letter, until } of waiting) if (until >= this.time) this.#send(from, to, connection, letter);
  }

  #cutUntil(from: number, to: number): number {
    return this.#cuts.get(from * this.size + to) ?? 0;
  }

  /**
   * Brings a letter so long after the receiver's deadline. Of an exchange's clocks the first rings for vectors, and only
   * the one that is set then for votes: where none is set the letter comes at once.
   */
  #aim(from: number, to: number, connection: Connection, letter: Letter, clock: number, race: number): void {
    const arrive = this.#ifStill(connection, () => this.hand(from, to, letter));
    connection.lastArrival = Math.max(connection.lastArrival, clock + 1e-7);
    this.after(clock + 1e-7 - this.time, () => {
      const next = this.#clocks.get(to) ?? 0;
      if (next <= this.time) arrive();
      else this.after(next + race - this.time, arrive);
    });
  }

  /** Puts a letter on its way over what the sender believes to be a connection. */
  #send(from: number, to: number, connection: Connection, letter: Letter): void {
    if (connection.dead) return;
    const { seed, delay, loss, resend } = this.#options;
    const way = from * this.size + to;
    const message = (way * 64 + (letter.sequence & 63)) * 3 + kinds.indexOf(letter.kind);
    block(seed, streams.transport, letter.round, message, this.#drawn);
    let time = this.time + delay[0] + ((delay[1] - delay[0]) * this.#drawn[1]) / 4294967296;
    if (this.#drawn[0] < loss * 4294967296) time += resend;
    const cut = this.#cutUntil(from, to);
    if (cut > this.time) time = cut + resend;
    const race = letter.kind === "vector" ? undefined : this.#races.get(way);
    const clock = this.#clocks.get(to) ?? 0;
    if (race !== undefined && clock > this.time) {
      this.#races.delete(way);
      this.#aim(from, to, connection, letter, clock, race);
      return;
    }
    connection.lastArrival = Math.max(time, connection.lastArrival);
    this.after(
      connection.lastArrival - this.time,
      this.#ifStill(connection, () => this.hand(from, to, letter)),
    );
  }
}

const kinds: readonly Letter["kind"][] = ["vector", "yes", "no"];
