/**
 * A memory network with connections, as TCP has them: one for each ordered pair, dialled by the receiver (inlet and outlet of
 * a peer over TCP), on a clock of its own. An open connection drops nothing: a packet that is lost is sent again after
 * a while, and what follows it waits. Letters are dropped only with their connection:
 *
 * - a break: both ends know; what was under way is gone; the receiver dials again, after 50 ms at first, then
 *   after twice as long;
 * - a half-open connection: only one end believes in it. If that is the sender, its letters vanish until the receiver has
 *   dialled anew; if it is the receiver, nothing comes until its failure detector (`detect`) ends it;
 * - a cut: nothing passes between two sides. What is sent meanwhile arrives after the cut, unless that takes longer than
 *   `giveUp`: then the connection breaks, and cannot be dialled before the cut is over.
 *
 * A peer that is stopped (`stop`) hears nothing and its clocks do not run; when it goes on, overdue clocks ring before the
 * letters that have piled up are read, as in any event loop. A peer that crashes breaks its connections; one that loses
 * power leaves the others half-open.
 *
 * Everything is drawn from (seed, letter) or happens at a given time, so a run comes out the same every time.
 */

import type { Letter } from "../exchange/lane.ts";
import { MemoryNetwork } from "./memory.ts";

export interface ConnectedNetworkOptions {
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
  /** Whether the exchange under way learns at once of a break that is noticed. Default true. */
  readonly tells?: boolean;
}

interface Connection {
  readonly from: number;
  readonly to: number;
  /** Connections made so far: a letter of an older one never arrives. */
  made: number;
  /** Whether each end believes in it; it carries letters where both do and it is not dead. */
  sender: boolean;
  receiver: boolean;
  dead: boolean;
  failures: number;
  lastArrival: number;
  cut: number;
  /** How many milliseconds after its receiver's deadline the next vote is to arrive. */
  race: number | undefined;
  readonly waiting: { readonly letter: Letter; readonly until: number }[];
}

interface Stopped {
  readonly clocks: (() => void)[];
  readonly letters: (() => void)[];
}

/** Letters that wait for a connection at most. */
const waitingLimit = 64;
const usual: Required<ConnectedNetworkOptions> = {
  ...{ seed: 0, delay: [1, 3], loss: 0, resend: 200 },
  ...{ detect: 1000, giveUp: 2000, grace: 1000, tells: true },
};

export class ConnectedNetwork extends MemoryNetwork {
  readonly #options: Required<ConnectedNetworkOptions>;
  /** By ordered pair. */
  readonly #connections = new Map<number, Connection>();
  readonly #stopped = new Map<number, Stopped>();
  readonly #here = new Set<number>();
  /** When the clock that each peer set last rings. */
  readonly #clocks = new Map<number, number>();

  constructor(size: number, options: ConnectedNetworkOptions = {}) {
    super(size);
    this.#options = { ...usual, ...options };
  }

  override join(...[rank, options]: Parameters<MemoryNetwork["join"]>): ReturnType<MemoryNetwork["join"]> {
    const transport = super.join(rank, options);
    this.#here.add(rank);
    for (const other of this.#here) if (other !== rank) for (const way of this.#ways(rank, other)) this.#dial(way);
    return transport;
  }

  /** Whether a peer is there: it has joined, and has not crashed since. */
  isHere(rank: number): boolean {
    return this.#here.has(rank);
  }

  /** The program ends: its connections break. With `power` the others do not learn it, and believe in them. */
  override crash(rank: number, { power = false } = {}): void {
    this.#here.delete(rank);
    this.#stopped.delete(rank);
    for (let other = 0; other < this.size; other++) {
      if (other === rank) continue;
      if (power) {
        this.halfOpen(rank, other, "receiver");
        this.halfOpen(other, rank, "sender");
      } else for (const { from, to } of this.#ways(rank, other)) this.break(from, to);
    }
    super.crash(rank);
  }

  /** What is under way from one peer to the other is dropped, and both know. */
  break(from: number, to: number): void {
    const connection = this.#connection(from, to);
    connection.sender = false;
    this.#ended(connection);
  }

  /** The connection is dead, and one end does not know. */
  halfOpen(from: number, to: number, believer: "sender" | "receiver"): void {
    const connection = this.#connection(from, to);
    if (connection.dead || !connection.receiver) return;
    connection.dead = true;
    connection.made++;
    if (believer === "sender") this.#ended(connection);
    else {
      connection.sender = false;
      this.#later(connection, this.#options.detect, () => this.#ended(connection));
    }
  }

  /** Nothing passes between the two sides for so many milliseconds. */
  cut(one: readonly number[], other: readonly number[], milliseconds: number): void {
    const { giveUp } = this.#options;
    for (const connection of one.flatMap((a) => other.flatMap((b) => this.#ways(a, b)))) {
      connection.cut = this.time + milliseconds;
      const { from, to } = connection;
      if (milliseconds > giveUp) this.#later(connection, giveUp, () => this.break(from, to));
    }
  }

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
    this.#connection(from, to).race = milliseconds;
  }

  override carry(from: number, to: number, letter: Letter): void {
    const connection = this.#connection(from, to);
    if (connection.sender) this.#send(connection, letter);
    else if (connection.waiting.length < waitingLimit) {
      connection.waiting.push({ letter, until: this.time + this.#options.grace });
    }
  }

  /** Whether a sender has no connection: it is the receiver that dials. */
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
      ...{ from, to, made: 0, sender: false, receiver: false, dead: false, failures: 0 },
      ...{ lastArrival: 0, cut: 0, race: undefined, waiting: [] },
    };
    this.#connections.set(way, fresh);
    return fresh;
  }

  #ways(a: number, b: number): Connection[] {
    return [this.#connection(a, b), this.#connection(b, a)];
  }

  /** Runs something unless the connection is another by then. */
  #ifStill(connection: Connection, run: () => void): () => void {
    const { made } = connection;
    return () => {
      if (connection.made === made) run();
    };
  }

  #later(connection: Connection, milliseconds: number, run: () => void): void {
    this.after(milliseconds, this.#ifStill(connection, run));
  }

  /** The receiver knows that the connection is over: its exchange learns it, and the receiver dials the sender again. */
  #ended(connection: Connection): void {
    const { from, to } = connection;
    connection.made++;
    connection.receiver = false;
    connection.dead = true;
    if (!this.#here.has(to)) return;
    if (this.#options.tells) this.#read(to, () => this.tellGone(from, to));
    this.#later(connection, Math.min(5000, 50 * 2 ** connection.failures++), () => this.#dial(connection));
  }

  /** The receiver dials; where the sender answers, letters that waited are sent. An older connection is replaced. */
  #dial(connection: Connection): void {
    const { from, to, cut } = connection;
    // A sender that is not there is dialled when it joins.
    if (!this.#here.has(to) || !this.#here.has(from) || connection.receiver) return;
    if (cut > this.time) {
      this.#later(connection, cut - this.time + this.#options.resend, () => this.#dial(connection));
      return;
    }
    connection.made++;
    Object.assign(connection, { sender: true, receiver: true, dead: false, failures: 0, lastArrival: this.time });
    const waiting = connection.waiting.splice(0);
    for (const { letter, until } of waiting) if (until >= this.time) this.#send(connection, letter);
  }

  /**
   * Brings a letter so long after the receiver's deadline. Of an exchange's clocks the first rings for vectors, and only
   * the one that is set then for votes: where none is set the letter comes at once.
   */
  #aim(connection: Connection, letter: Letter, clock: number, race: number): void {
    const { from, to } = connection;
    const arrive = this.#ifStill(connection, () => this.hand(from, to, letter));
    connection.race = undefined;
    connection.lastArrival = Math.max(connection.lastArrival, clock + 1e-7);
    this.after(clock + 1e-7 - this.time, () => {
      const next = this.#clocks.get(to) ?? 0;
      if (next <= this.time) arrive();
      else this.after(next + race - this.time, arrive);
    });
  }

  /** Puts a letter on its way over what the sender believes to be a connection. */
  #send(connection: Connection, letter: Letter): void {
    const { from, to, cut, race } = connection;
    if (connection.dead) return;
    const clock = this.#clocks.get(to) ?? 0;
    if (letter.kind !== "vector" && race !== undefined && clock > this.time) {
      this.#aim(connection, letter, clock, race);
      return;
    }
    const { resend } = this.#options;
    const { lost, wait } = this.draw(from, to, letter, this.#options);
    const time = cut > this.time ? cut + resend : this.time + wait + (lost ? resend : 0);
    connection.lastArrival = Math.max(time, connection.lastArrival);
    this.#later(connection, connection.lastArrival - this.time, () => this.hand(from, to, letter));
  }
}
