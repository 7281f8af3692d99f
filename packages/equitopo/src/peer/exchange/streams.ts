/**
 * Letters of asynchronous rounds, which nobody waits for: each is handed over as it comes. Only runs of such rounds make these
 * streams. The exchange machine then hands the letters of the reserved rounds to them and keeps all others, so that meetings
 * and evaluations before and after are exchanges as in any run.
 *
 * Letters that come before their stretch is opened wait, the newest few of each peer; those that come after it are late.
 */

import type { Claims } from "./claims.ts";
import type { Lane, Letter } from "./lane.ts";
import { loopTurn } from "./runtime.ts";
import { type Counts, notFinite, type Vector } from "./transport.ts";

/** Rounds first .. end - 1 of the transport. */
export interface Stretch {
  readonly first: number;
  readonly end: number;
}

export interface Taker extends Stretch {
  /** Peers whose letters are expected. */
  readonly from: readonly number[];
  /** A vector, which belongs to the taker from now on. Answers with the reason if it is refused. */
  take(peer: number, round: number, sequence: number, data: Vector): string | undefined;
  /** That peer has taken what was sent to it in that round, and in those before. */
  acknowledged?(peer: number, round: number): void;
}

/** Letters of one peer that wait for their stretch. */
const waitingLetters = 16;
/** Turns of the event loop in one look, as long as they bring something. */
const turns = 4;

/** What streams need of the exchange machine beside them. */
export interface Machine {
  readonly counts: Counts;
  /** Which rounds of others are believed. */
  claims(): Claims;
  /** A letter of that peer was not taken. */
  refuse(reason: string, peer: number): void;
  /** Why this peer no longer has a place in the network. */
  ended(): Error | undefined;
}

export class Streams {
  readonly #lane: Lane;
  readonly #machine: Machine;
  readonly #reserved: Stretch[] = [];
  readonly #waiting = new Map<number, Letter[]>();
  /** Where exchanges go on after the last stretch that was opened. */
  passed = 0;
  #heard = false;
  #taker: Taker | undefined;

  constructor(lane: Lane, machine: Machine) {
    this.#lane = lane;
    this.#machine = machine;
  }

  /** Whether a stretch is open: then letters of everybody are awaited. */
  get isOpen(): boolean {
    return this.#taker !== undefined;
  }

  /** These rounds are asynchronous. To be called before any of their letters can come. */
  reserve(stretch: Stretch): void {
    this.#reserved.push(stretch);
  }

  /** Hands over what came so far, and from now on whatever comes. */
  open(taker: Taker): void {
    this.#taker = taker;
    this.passed = taker.end;
    this.#lane.stream?.(true);
    for (const peer of taker.from) this.#lane.expects?.(peer);
    for (const [peer, letters] of this.#waiting) for (const letter of letters) this.deliver(peer, letter);
    this.#waiting.clear();
  }

  close(): void {
    const taker = this.#taker;
    this.#taker = undefined;
    this.#lane.stream?.(false);
    if (taker !== undefined) this.#lane.leave?.(taker.end, []);
  }

  /** Sends a vector of a round; a promise where it is still read after the call. */
  post(peer: number, round: number, sequence: number, data: Vector): Promise<void> | undefined {
    this.#machine.counts.sentMessages++;
    this.#machine.counts.sentBytes += data.byteLength;
    return this.#lane.send(peer, { kind: "vector", round, sequence, data });
  }

  /** Says that a vector of that round has been taken: a yes, as in exchanges. */
  acknowledge(peer: number, round: number): void {
    this.#lane.send(peer, { kind: "yes", round, sequence: 0, data: undefined });
  }

  /** Whether that peer is known to be gone: nothing that is sent to it now would arrive. */
  gone(peer: number): boolean {
    return this.#lane.gone?.(peer) === true;
  }

  /** Takes the letters that have come. This peer is in that round: letters of earlier ones need not be kept for it. */
  async look(round: number): Promise<void> {
    const ended = this.#machine.ended();
    if (ended !== undefined) throw ended;
    this.#lane.leave?.(round, []);
    if (this.#heard) this.#machine.claims().inStep(round - 1, this.#lane.now());
    this.#heard = false;
    for (let turn = 0; turn < turns; turn++) {
      const before = this.#machine.counts.receivedMessages;
      this.#lane.look?.();
      await loopTurn();
      if (turn > 0 && this.#machine.counts.receivedMessages === before) return;
    }
  }

  holds(round: number): boolean {
    return this.#reserved.some(({ first, end }) => round >= first && round < end);
  }

  deliver(peer: number, letter: Letter): void {
    const { round, sequence, data } = letter;
    const taker = this.#taker;
    // It names a round of this peer's, and says nothing of where its sender is.
    if (letter.kind === "yes") taker?.acknowledged?.(peer, round);
    else this.#machine.claims().note(peer, round);
    if (data === undefined) return;
    if (taker === undefined || round >= taker.end) this.#wait(peer, letter);
    else if (round < taker.first) this.#machine.counts.late++;
    else {
      const own = this.#own(data);
      const refused = own === undefined ? undefined : (notFinite(own) ?? taker.take(peer, round, sequence, own));
      if (own === undefined) this.#machine.counts.late++;
      else if (refused !== undefined) this.#machine.refuse(refused, peer);
      else {
        this.#heard = true;
        this.#machine.counts.receivedMessages++;
        this.#machine.counts.receivedBytes += own.byteLength;
      }
    }
  }

  /** Shared memory is copied; undefined if it was overwritten meanwhile. */
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

/** What a transport offers to peers that wait for nobody. */
export type Streaming = Pick<Streams, "reserve" | "open" | "close" | "post" | "acknowledge" | "gone" | "look">;
