/**
 * The bookkeeping of an exchange over messages: what is awaited, what came early, what came late, who votes yes. Shared
 * by the transports whose engine is "send this to that peer" (memory, tcp); they add only how a message travels.
 */

import { InputError, integer } from "../input/input.ts";
import {
  type Counts,
  defaultTimeout,
  fits,
  newCounts,
  notFinite,
  type Outcome,
  type Request,
  reachedByTwo,
  type Transport,
  type Vector,
} from "./transport.ts";

/** Early messages of one peer, however small. */
const earlyLimit = 4096;

/** What a message is: one vector of a round, or a vote on the vectors of a mutual exchange. */
export type Kind = "vector" | "yes" | "no";

export interface Letter {
  readonly kind: Kind;
  readonly round: number;
  readonly sequence: number;
  readonly data: Vector | undefined;
}

export interface MessageOptions {
  readonly rank: number;
  readonly size: number;
  /** Milliseconds; default 10 s. */
  readonly timeout?: number;
  /** Rounds ahead of ours that are still believed; further ones are refused. Default 1024. */
  readonly horizon?: number;
  /** Bytes of early messages kept for one peer. Default 64 MiB, and always room for one message. */
  readonly earlyBytes?: number;
  /** Refuses vectors with a number that is not finite. */
  readonly strict?: boolean;
}

/** One peer of the receive list in the exchange under way. */
interface Partner {
  readonly peer: number;
  /** Positions in the receive list, in order of sequence. */
  readonly entries: number[];
  missing: number;
  readonly mutual: boolean;
  yes: boolean;
  open: boolean;
  /** Since the exchange's start. */
  readonly timeout: number;
}

interface Pending {
  readonly request: Request;
  readonly start: number;
  readonly partners: Map<number, Partner>;
  readonly arrived: (Vector | undefined)[];
  /** Partners still open, and whether the posts are still unfinished. */
  open: number;
  /** One entry for each message whose data is still read. */
  readonly unsent: Set<{ readonly data: Vector }>;
  posting: boolean;
  cancel: () => void;
  readonly settle: (outcome: Outcome) => void;
  readonly fail: (reason: unknown) => void;
  readonly onAbort: () => void;
}

export abstract class MessageTransport implements Transport {
  abstract readonly name: string;
  readonly rank: number;
  readonly size: number;
  readonly counts: Counts = newCounts();
  readonly #timeout: number;
  readonly #horizon: number;
  readonly #earlyBytes: number;
  readonly #strict: boolean;
  readonly #early: Letter[][];
  readonly #earlyHeld: Float64Array;
  readonly #reached: Float64Array;
  /** The first round that is still worth something. */
  #floor = 0;
  #pending: Pending | undefined;
  #closed = false;
  /** Whether messages from one peer arrive in the order they were sent: then a later round says an earlier one is over. */
  protected ordered = true;

  constructor(options: MessageOptions) {
    this.size = integer("size", options.size, 1);
    this.rank = integer("rank", options.rank, 0, this.size - 1);
    this.#timeout = options.timeout ?? defaultTimeout;
    this.#horizon = options.horizon ?? 1024;
    this.#earlyBytes = options.earlyBytes ?? 64 * 1024 * 1024;
    this.#strict = options.strict ?? false;
    this.#early = Array.from({ length: this.size }, () => []);
    this.#earlyHeld = new Float64Array(this.size);
    this.#reached = new Float64Array(this.size).fill(-1);
  }

  /** Sends a letter; a promise where the data is still read after the call, settled when it is free. */
  protected abstract post(peer: number, letter: Letter): Promise<void> | undefined;
  protected abstract now(): number;
  protected abstract after(milliseconds: number, run: () => void): () => void;
  protected abstract shut(): Promise<void>;
  /** Memory of a received vector that is no longer needed. */
  protected recycle(_data: Vector): void {}
  /** Called before an exchange waits for that peer. */
  protected expects(_peer: number): void {}
  /** Called when an exchange of that round ends with data still unsent: what has not been started need not be sent. */
  protected abandon(_round: number): void {}

  get reached(): number {
    return reachedByTwo(this.#reached);
  }

  protected refuse(reason: string): void {
    this.counts.refused.set(reason, (this.counts.refused.get(reason) ?? 0) + 1);
  }

  /** Whether the exchange under way still waits for that peer: an engine that can reads from nobody else. */
  protected awaits(peer: number): boolean {
    return this.#pending?.partners.get(peer)?.open === true;
  }

  exchange(request: Request): Promise<Outcome> {
    if (this.#closed) return Promise.reject(new Error(`peer ${this.rank}: the transport is closed`));
    if (this.#pending !== undefined) {
      return Promise.reject(
        new InputError("a peer makes one exchange at a time", request.round, "await the one before"),
      );
    }
    if (request.round < this.#floor) {
      return Promise.reject(new InputError(`rounds go up (next: ${this.#floor})`, request.round, "skip that round"));
    }
    if (request.signal?.aborted) return Promise.reject(request.signal.reason);
    return new Promise((settle, fail) => {
      this.#begin(request, settle, fail);
    });
  }

  #begin(request: Request, settle: (outcome: Outcome) => void, fail: (reason: unknown) => void): void {
    const { round, send, receive, signal } = request;
    const partners = new Map<number, Partner>();
    for (let k = 0; k < receive.length; k++) {
      const { peer, timeout } = receive[k];
      const known = partners.get(peer);
      if (known === undefined) {
        partners.set(peer, {
          peer,
          entries: [k],
          missing: 1,
          mutual: request.mutual === true && send.some((message) => message.peer === peer),
          yes: false,
          open: true,
          timeout: timeout ?? request.timeout ?? this.#timeout,
        });
      } else {
        known.entries.push(k);
        known.missing++;
      }
    }
    const onAbort = () => this.#abort();
    const pending: Pending = {
      request,
      start: this.now(),
      partners,
      arrived: new Array(receive.length).fill(undefined),
      open: partners.size,
      unsent: new Set(),
      posting: true,
      cancel: () => {},
      settle,
      fail,
      onAbort,
    };
    this.#pending = pending;
    this.#floor = round;
    signal?.addEventListener("abort", onAbort, { once: true });

    const sequences = new Map<number, number>();
    for (const peer of partners.keys()) this.expects(peer);
    for (const { peer, data } of send) {
      const sequence = sequences.get(peer) ?? 0;
      sequences.set(peer, sequence + 1);
      this.counts.sentMessages++;
      this.counts.sentBytes += data.byteLength;
      const busy = this.post(peer, { kind: "vector", round, sequence, data });
      if (busy === undefined) continue;
      const entry = { data };
      pending.unsent.add(entry);
      const freed = () => {
        pending.unsent.delete(entry);
        this.#finish(pending);
      };
      busy.then(freed, freed);
    }
    for (let peer = 0; peer < this.size; peer++) if (this.#early[peer].length > 0) this.#takeEarly(pending, peer);
    pending.posting = false;
    if (!this.#finish(pending)) this.#watch(pending);
  }

  /** Early letters of this round are used now; those of rounds that were skipped are late. */
  #takeEarly(pending: Pending, peer: number): void {
    const waiting = this.#early[peer];
    const { round } = pending.request;
    const ready = waiting.filter((letter) => letter.round <= round);
    if (ready.length > 0) {
      this.#early[peer] = waiting.filter((letter) => letter.round > round);
      for (const letter of ready) {
        this.#earlyHeld[peer] -= letter.data?.byteLength ?? 0;
        if (letter.round < round) this.#late(letter);
        else this.#use(pending, peer, letter);
      }
    }
    if (this.ordered && this.#early[peer].length > 0) this.#over(pending, peer);
  }

  /** A letter from a peer that is who it says it is. */
  protected deliver(peer: number, letter: Letter): void {
    if (this.#closed) return;
    const { round } = letter;
    if (round > this.#floor + this.#horizon) {
      this.refuse("future");
      // The clock of a peer far ahead is noted all the same, or a peer that fell far behind could never rejoin.
      if (round > this.#reached[peer]) this.#reached[peer] = round;
      if (letter.data !== undefined) this.recycle(letter.data);
      return;
    }
    if (round > this.#reached[peer]) this.#reached[peer] = round;
    const pending = this.#pending;
    if (round < this.#floor) this.#late(letter);
    else if (pending !== undefined && round === pending.request.round) this.#use(pending, peer, letter);
    else {
      if (this.#earlyHeld[peer] > this.#earlyBytes || this.#early[peer].length >= earlyLimit) {
        this.refuse("too far ahead");
        if (letter.data !== undefined) this.recycle(letter.data);
        return;
      }
      this.#early[peer].push(letter);
      this.#earlyHeld[peer] += letter.data?.byteLength ?? 0;
      if (pending !== undefined && this.ordered) this.#over(pending, peer);
    }
    if (pending !== undefined) this.#finish(pending);
  }

  #late(letter: Letter): void {
    if (letter.kind !== "vector") return;
    this.counts.late++;
    if (letter.data !== undefined) this.recycle(letter.data);
  }

  #use(pending: Pending, peer: number, letter: Letter): void {
    const partner = pending.partners.get(peer);
    if (partner === undefined || !partner.open) {
      if (letter.kind === "vector") {
        if (partner === undefined) this.refuse("unexpected");
        this.#late(letter);
      }
      return;
    }
    if (letter.kind === "no") {
      this.#close(pending, partner, false);
      return;
    }
    if (letter.kind === "yes") {
      partner.yes = true;
      if (partner.missing === 0) this.#close(pending, partner, true);
      return;
    }
    const { data, sequence } = letter;
    const entry = partner.entries[sequence];
    if (data === undefined || entry === undefined || pending.arrived[entry] !== undefined) {
      this.refuse("unexpected");
      if (data !== undefined) this.recycle(data);
      return;
    }
    const fault = !fits(pending.request.receive[entry], data) ? "length" : this.#strict ? notFinite(data) : undefined;
    if (fault !== undefined) {
      this.refuse(fault);
      this.recycle(data);
      return;
    }
    pending.arrived[entry] = data;
    this.counts.receivedMessages++;
    this.counts.receivedBytes += data.byteLength;
    if (--partner.missing > 0) return;
    if (!partner.mutual) this.#close(pending, partner, true);
    else {
      this.#vote(pending, partner, "yes");
      if (partner.yes) this.#close(pending, partner, true);
    }
  }

  #vote(pending: Pending, partner: Partner, kind: "yes" | "no"): void {
    this.post(partner.peer, { kind, round: pending.request.round, sequence: 0, data: undefined });
  }

  /** A partner that has gone on to a later round sends nothing more of this one. */
  #over(pending: Pending, peer: number): void {
    const partner = pending.partners.get(peer);
    if (partner?.open) this.#close(pending, partner, false);
  }

  #close(pending: Pending, partner: Partner, ok: boolean): void {
    partner.open = false;
    pending.open--;
    if (ok) return;
    this.counts.missed += partner.missing;
    if (partner.mutual) {
      this.counts.voided++;
      if (partner.missing > 0) this.#vote(pending, partner, "no");
    }
    for (const entry of partner.entries) {
      const data = pending.arrived[entry];
      if (data !== undefined) this.recycle(data);
      pending.arrived[entry] = undefined;
    }
  }

  /** Closes what is past its deadline and sets the clock for the next one. */
  #watch(pending: Pending): void {
    const elapsed = this.now() - pending.start;
    let next = Number.POSITIVE_INFINITY;
    for (const partner of pending.partners.values()) {
      if (!partner.open) continue;
      const deadline = partner.mutual && partner.missing > 0 ? 0.75 * partner.timeout : partner.timeout;
      if (elapsed >= deadline) this.#close(pending, partner, false);
      else next = Math.min(next, deadline);
    }
    if (pending.open === 0 && pending.unsent.size > 0) {
      const deadline = pending.request.timeout ?? this.#timeout;
      if (elapsed < deadline) next = Math.min(next, deadline);
      else {
        this.#conclude(pending);
        return;
      }
    }
    if (this.#finish(pending)) return;
    pending.cancel = this.after(next - elapsed, () => this.#watch(pending));
  }

  #finish(pending: Pending): boolean {
    if (this.#pending !== pending) return true;
    if (pending.posting || pending.open > 0 || pending.unsent.size > 0) return false;
    this.#conclude(pending);
    return true;
  }

  #conclude(pending: Pending): void {
    this.#end(pending);
    if (pending.unsent.size > 0) this.abandon(pending.request.round);
    let held = true;
    pending.settle({
      arrived: pending.arrived,
      kept: Array.from(pending.unsent, ({ data }) => data),
      release: () => {
        if (held) for (const data of pending.arrived) if (data !== undefined) this.recycle(data);
        held = false;
        return [];
      },
    });
  }

  #end(pending: Pending): void {
    pending.cancel();
    pending.request.signal?.removeEventListener("abort", pending.onAbort);
    this.#pending = undefined;
    this.#floor = pending.request.round + 1;
  }

  #abort(reason: unknown = this.#pending?.request.signal?.reason): void {
    const pending = this.#pending;
    if (pending === undefined) return;
    for (const partner of pending.partners.values()) if (partner.open) this.#close(pending, partner, false);
    this.#end(pending);
    pending.fail(reason);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#abort(new Error(`peer ${this.rank}: the transport was closed`));
    for (const waiting of this.#early) waiting.length = 0;
    await this.shut();
  }
}
