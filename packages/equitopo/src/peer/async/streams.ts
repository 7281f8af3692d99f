/**
 * Letters that nobody waits for: of rounds that are said to be asynchronous, each is handed over as it comes. Stands
 * between a lane and its exchange machine and lets everything else through, so that meetings and evaluations go on as
 * ever before and after.
 *
 * What comes before its stretch is opened waits, so many letters of a peer, the newest; what comes after it is late.
 */

import type { Claims } from "../claims.ts";
import type { Ears, Lane, Letter } from "../lane.ts";
import { loopTurn } from "../loop-turn.ts";
import { type Counts, notFinite, type Vector } from "../transport.ts";

/** Rounds first .. end - 1 of the transport. */
export interface Stretch {
  readonly first: number;
  readonly end: number;
}

/** Whoever takes the letters of a stretch. */
export interface Taker extends Stretch {
  /** Peers that something is to come from. */
  readonly from: readonly number[];
  /** A vector, which is the taker's from now on. A word where it is refused. */
  take(peer: number, round: number, sequence: number, data: Vector): string | undefined;
}

/** What a transport offers to peers that wait for nobody. */
export interface Streaming {
  /** These rounds are asynchronous. Said before any of their letters can come. */
  reserve(stretch: Stretch): void;
  /** Hands over what came so far, and from now on whatever comes. */
  open(taker: Taker): void;
  /** The stretch is over. */
  close(): void;
  /** Sends a vector of a round; a promise where it is still read after the call. */
  post(peer: number, round: number, sequence: number, data: Vector): Promise<void> | undefined;
  /** Whether that peer is known to be gone: nothing that is sent to it now would arrive. */
  gone(peer: number): boolean;
  /** Takes what is there by now. This peer is in that round: what it was sent in earlier ones need not be kept for it. */
  look(round: number): Promise<void>;
}

/** Letters of one peer that wait for their stretch. */
const waitingLetters = 16;
/** Turns of the event loop in one look, as long as they bring something. */
const turns = 4;

export class Streams implements Streaming {
  readonly ears: Ears;
  readonly #lane: Lane;
  readonly #counts: Counts;
  /** Which rounds of others are believed. */
  readonly #claims: () => Claims;
  readonly #reserved: Stretch[] = [];
  readonly #waiting = new Map<number, Letter[]>();
  /** Where exchanges go on after the last stretch that was opened. */
  passed = 0;
  /** Why this peer has no place in the network any more. */
  #ended: Error | undefined;
  /** Whether anything has come since the last look. */
  #heard = false;
  #taker: Taker | undefined;

  constructor(lane: Lane, ears: Ears, claims: () => Claims) {
    this.#lane = lane;
    this.#claims = claims;
    this.#counts = ears.counts;
    this.ears = {
      counts: ears.counts,
      deliver: (peer, letter) => (this.#holds(letter.round) ? this.#deliver(peer, letter) : ears.deliver(peer, letter)),
      gone: (peer) => ears.gone(peer),
      at: (peer, round) => ears.at(peer, round),
      refuse: (reason) => ears.refuse(reason),
      end: (reason) => {
        this.#ended ??= reason;
        ears.end(reason);
      },
      awaits: (peer) => this.#taker !== undefined || ears.awaits(peer),
      get busy() {
        return ears.busy;
      },
    };
  }

  reserve(stretch: Stretch): void {
    this.#reserved.push(stretch);
  }

  open(taker: Taker): void {
    this.#taker = taker;
    this.passed = taker.end;
    this.#lane.stream?.(true);
    for (const peer of taker.from) this.#lane.expects?.(peer);
    for (const [peer, letters] of this.#waiting) for (const letter of letters) this.#deliver(peer, letter);
    this.#waiting.clear();
  }

  close(): void {
    const taker = this.#taker;
    this.#taker = undefined;
    this.#lane.stream?.(false);
    if (taker !== undefined) this.#lane.leave?.(taker.end, []);
  }

  post(peer: number, round: number, sequence: number, data: Vector): Promise<void> | undefined {
    this.#counts.sentMessages++;
    this.#counts.sentBytes += data.byteLength;
    return this.#lane.send(peer, { kind: "vector", round, sequence, data });
  }

  gone(peer: number): boolean {
    return this.#lane.gone?.(peer) === true;
  }

  async look(round: number): Promise<void> {
    if (this.#ended !== undefined) throw this.#ended;
    this.#lane.leave?.(round, []);
    if (this.#heard) this.#claims().inStep(round - 1, this.#lane.now());
    this.#heard = false;
    for (let turn = 0; turn < turns; turn++) {
      const before = this.#counts.receivedMessages;
      this.#lane.look?.();
      await loopTurn();
      if (turn > 0 && this.#counts.receivedMessages === before) return;
    }
  }

  #holds(round: number): boolean {
    return this.#reserved.some(({ first, end }) => round >= first && round < end);
  }

  #deliver(peer: number, letter: Letter): void {
    const { round, sequence, data } = letter;
    this.#claims().note(peer, round);
    if (data === undefined) return;
    const taker = this.#taker;
    if (taker === undefined || round >= taker.end) this.#wait(peer, letter);
    else if (round < taker.first) this.#counts.late++;
    else {
      const own = this.#own(data);
      const refused = own === undefined ? undefined : (notFinite(own) ?? taker.take(peer, round, sequence, own));
      if (own === undefined) this.#counts.late++;
      else if (refused !== undefined) {
        this.ears.refuse(refused);
        this.#lane.refused?.(peer, refused);
      } else {
        this.#heard = true;
        this.#counts.receivedMessages++;
        this.#counts.receivedBytes += own.byteLength;
      }
    }
  }

  /** Shared memory is copied; undefined where it was written anew meanwhile. */
  #own(data: Vector): Vector | undefined {
    if (data.buffer instanceof ArrayBuffer) return data;
    const copy = data.slice();
    const torn = this.#lane.leave?.(0, [data]) ?? [];
    this.#lane.recycle?.(data);
    return torn.length > 0 ? undefined : copy;
  }

  #wait(peer: number, letter: Letter): void {
    const { data } = letter;
    const own = data && this.#own(data);
    const waiting = this.#waiting.get(peer) ?? [];
    waiting.push({ ...letter, data: own });
    if (waiting.length > waitingLetters) waiting.shift();
    this.#waiting.set(peer, waiting);
  }
}
