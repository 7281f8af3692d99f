/**
 * The one exchange machine: what is awaited, what came early, what came late, who votes yes, until when. It runs over any
 * lane (lane.ts), which adds only how a letter travels: memory, TCP, MPI, threads, whatever a runtime has.
 */

import { integer } from "../input/input.ts";
import { Streams } from "./async/streams.ts";
import { Claims } from "./claims.ts";
import { Early } from "./early.ts";
import { type ExchangeOptions, type ExchangeSettings, settingsOf } from "./exchange-options.ts";
import type { Historian } from "./history.ts";
import type { Ears, Lane, Letter } from "./lane.ts";
import { LateVotes } from "./late-votes.ts";
import { LoopTurns } from "./loop-turn.ts";
import { outcomeOf } from "./outcome.ts";
import { type Partner, type Pending, partnersOf, refusalOf } from "./pending.ts";
import { tell } from "./told.ts";
import {
  type Belief,
  type Counts,
  type ElementType,
  fits,
  newCounts,
  notFinite,
  type Outcome,
  type Request,
  type Transport,
  type Vector,
} from "./transport.ts";

export type { ExchangeOptions } from "./exchange-options.ts";

export class Exchange implements Transport {
  readonly counts: Counts = newCounts();
  history: Historian | undefined;
  readonly streams: Streams;
  readonly #lane: Lane;
  readonly #turns = new LoopTurns();
  #rank = 0;
  #size = 0;
  readonly #options: ExchangeSettings;
  #early = new Early(0, 0);
  #claims = new Claims(1);
  #votes = new LateVotes();
  /** The first round that is still worth something. */
  #floor = 0;
  #pending: Pending | undefined;
  /** The round that each peer was last said to be at, since it was last gone. */
  #at = new Float64Array(0);
  #closed = false;
  /** Why this peer has no place in the network any more, where it has none. */
  #ended: Error | undefined;

  constructor(lane: Lane, options: ExchangeOptions) {
    this.#lane = lane;
    this.#options = settingsOf(options);
    this.place(options.rank, options.size);
    this.streams = new Streams(lane, this.#ears(), () => this.#claims);
    lane.open(this.streams.ears);
  }

  /** A place in a network, and rounds from 0: at the start, and where survivors close ranks. */
  protected place(rank: number, size: number): void {
    this.#size = integer("size", size, 1);
    this.#rank = integer("rank", rank, 0, size - 1);
    this.#early = new Early(size, this.#options.earlyBytes);
    this.#claims = new Claims(size);
    this.#votes = new LateVotes();
    this.#at = new Float64Array(size);
    this.#floor = 0;
  }

  #ears(): Ears {
    const busy = () => this.#pending !== undefined;
    return {
      counts: this.counts,
      deliver: (peer, letter) => this.#deliver(peer, letter),
      gone: (peer) => this.#gone(peer),
      at: (peer, round) => this.#isAt(peer, round),
      refuse: (reason) => this.#refuse(reason),
      end: (reason) => {
        this.#ended ??= reason;
        this.#abort(reason);
      },
      awaits: (peer) => this.#pending?.partners.get(peer)?.open === true,
      get busy() {
        return busy();
      },
    };
  }

  get name(): string {
    return this.#lane.name;
  }

  get rank(): number {
    return this.#rank;
  }

  get size(): number {
    return this.#size;
  }

  get reached(): number {
    const lane = this.#lane;
    return this.#claims.reached(lane.now(), (peer) => lane.reached?.(peer) ?? -1);
  }

  believe(belief: Belief): void {
    this.#claims.believe(belief);
  }

  lend(index: number, type: ElementType, length: number, taken: (memory: Vector) => boolean): Vector | undefined {
    return this.#lane.lend?.(index, type, length, taken);
  }

  prepare(peers: readonly number[]): void {
    this.#lane.prepare?.(peers);
  }

  overhear(): void {
    this.#lane.overhear?.();
  }

  /** `peer` is named where the lane cannot know: it was a letter of that one. */
  #refuse(reason: string, peer?: number): void {
    this.counts.refused.set(reason, (this.counts.refused.get(reason) ?? 0) + 1);
    if (peer !== undefined) this.#lane.refused?.(peer, reason);
  }

  #recycle(data: Vector | undefined): void {
    if (data !== undefined) this.#lane.recycle?.(data);
  }

  exchange(request: Request): Promise<Outcome> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    if (this.#closed) return Promise.reject(new Error(`peer ${this.rank}: the transport is closed`));
    const refusal = refusalOf(request, this.#pending !== undefined, this.#floor);
    if (refusal !== undefined) return Promise.reject(refusal);
    if (request.signal?.aborted) return Promise.reject(request.signal.reason);
    const outcome = new Promise<Outcome>((settle, fail) => {
      try {
        this.#begin(request, settle, fail);
      } catch (error) {
        // A vector that the lane cannot carry.
        this.#abort(error);
      }
    });
    return this.#turns.after(outcome, this.#pending === undefined, this.#lane.now());
  }

  #begin(request: Request, settle: (outcome: Outcome) => void, fail: (reason: unknown) => void): void {
    const { round, send, receive, signal } = request;
    const partners = partnersOf(request, this.#options.timeout);
    const pending: Pending = {
      request,
      start: this.#lane.now(),
      partners,
      arrived: new Array(receive.length).fill(undefined),
      undecided: undefined,
      open: partners.size,
      unsent: new Set(),
      posting: true,
      cancel: () => {},
      settle,
      fail,
      onAbort: () => this.#abort(),
    };
    this.#pending = pending;
    this.#floor = round;
    this.#lane.leave?.(round, []);
    signal?.addEventListener("abort", pending.onAbort, { once: true });
    const sequences = new Map<number, number>();
    for (const peer of partners.keys()) this.#lane.expects?.(peer);
    for (const { peer, data } of send) {
      const sequence = sequences.get(peer) ?? 0;
      sequences.set(peer, sequence + 1);
      this.counts.sentMessages++;
      this.counts.sentBytes += data.byteLength;
      const busy = this.#lane.send(peer, { kind: "vector", round, sequence, data });
      if (busy === undefined) continue;
      const entry = { data };
      pending.unsent.add(entry);
      const freed = () => {
        pending.unsent.delete(entry);
        this.#finish(pending);
      };
      busy.then(freed, freed);
    }
    for (let peer = 0; peer < this.size; peer++) this.#takeEarly(pending, peer);
    pending.posting = false;
    if (this.#finish(pending)) return;
    this.#watch(pending);
    if (this.#pending === pending) this.#lane.wait?.();
  }

  /** Early letters of this round are used now; those of rounds that were skipped are late. */
  #takeEarly(pending: Pending, peer: number): void {
    const { round } = pending.request;
    for (const letter of this.#early.take(peer, round)) {
      if (letter.round < round) this.#late(letter);
      else this.#use(pending, peer, letter);
    }
    if (this.#at[peer] > round || (this.#lane.ordered && this.#early.has(peer))) this.#over(pending, peer);
  }

  #deliver(peer: number, letter: Letter): void {
    if (this.#closed) return;
    const { round } = letter;
    // The clock of a peer far ahead is noted, too, or a peer that fell far behind could never rejoin.
    this.#claims.note(peer, round);
    this.#votes.hear(peer, letter, this.#lane.ordered);
    if (round > Math.max(this.#floor, this.streams.passed) + this.#options.horizon) {
      this.#refuse("future", peer);
      this.#recycle(letter.data);
      return;
    }
    const pending = this.#pending;
    if (round < this.#floor) this.#late(letter);
    else if (pending !== undefined && round === pending.request.round) this.#use(pending, peer, letter);
    else {
      if (!this.#early.hold(peer, letter)) {
        this.#refuse("too far ahead", peer);
        this.#recycle(letter.data);
        return;
      }
      if (pending !== undefined && this.#lane.ordered) this.#over(pending, peer);
    }
    if (pending !== undefined) this.#finish(pending);
  }

  #isAt(peer: number, round: number): void {
    this.#at[peer] = round;
    // Who comes back learns so where the others are; Infinity is past all rounds, and none of them.
    if (round < Number.POSITIVE_INFINITY) this.#claims.note(peer, round);
    const pending = this.#pending;
    if (pending === undefined || round <= pending.request.round) return;
    this.#over(pending, peer);
    this.#finish(pending);
  }

  #gone(peer: number): void {
    this.#at[peer] = 0;
    const pending = this.#pending;
    if (pending === undefined) return;
    const partner = pending.partners.get(peer);
    if (partner?.open) this.#expire(pending, partner);
    this.#finish(pending);
  }

  #late(letter: Letter): void {
    if (letter.kind !== "vector") return;
    this.counts.late++;
    this.#recycle(letter.data);
  }

  #use(pending: Pending, peer: number, letter: Letter): void {
    const partner = pending.partners.get(peer);
    if (partner === undefined || !partner.open) {
      if (letter.kind === "vector") {
        if (partner === undefined) this.#refuse("unexpected", peer);
        this.#late(letter);
      }
      return;
    }
    if (letter.kind === "no") {
      partner.no = true;
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
      this.#refuse("unexpected", peer);
      this.#recycle(data);
      return;
    }
    const { strict } = this.#options;
    const fault = !fits(pending.request.receive[entry], data) ? "length" : strict ? notFinite(data) : undefined;
    if (fault !== undefined) {
      this.#refuse(fault, peer);
      this.#recycle(data);
      // No other will come in its place.
      this.#close(pending, partner, false);
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
    partner.voted = kind;
    this.#lane.send(partner.peer, { kind, round: pending.request.round, sequence: 0, data: undefined });
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
      this.#recycle(pending.arrived[entry]);
      pending.arrived[entry] = undefined;
    }
  }

  /** Its time is over. Where all came but the vote, the vote may still come, and is told of then. */
  #expire(pending: Pending, partner: Partner): void {
    const { late, round } = pending.request;
    if (partner.mutual && partner.missing === 0 && late !== undefined) {
      pending.undecided ??= new Array(pending.arrived.length).fill(undefined);
      for (const entry of partner.entries) {
        pending.undecided[entry] = pending.arrived[entry];
        pending.arrived[entry] = undefined;
      }
      this.#votes.await(partner.peer, round, late);
    }
    this.#close(pending, partner, false);
  }

  /** Closes what is past its deadline and sets the clock for the next one. */
  #watch(pending: Pending): void {
    const elapsed = this.#lane.now() - pending.start;
    let next = Number.POSITIVE_INFINITY;
    for (const partner of pending.partners.values()) {
      if (!partner.open) continue;
      const deadline = partner.mutual && partner.missing > 0 ? 0.75 * partner.timeout : partner.timeout;
      if (elapsed >= deadline) this.#expire(pending, partner);
      else next = Math.min(next, deadline);
    }
    if (pending.open === 0 && pending.unsent.size > 0) {
      const deadline = pending.request.timeout ?? this.#options.timeout;
      if (elapsed < deadline) next = Math.min(next, deadline);
      else this.#conclude(pending);
    }
    if (this.#finish(pending)) return;
    pending.cancel = this.#lane.after(next - elapsed, () => this.#watch(pending));
  }

  #finish(pending: Pending): boolean {
    if (this.#pending !== pending) return true;
    if (pending.posting || pending.open > 0 || pending.unsent.size > 0) return false;
    this.#conclude(pending);
    return true;
  }

  #conclude(pending: Pending): void {
    this.#end(pending);
    if (pending.unsent.size > 0) this.#lane.abandon?.(pending.request.round);
    const { arrived, request } = pending;
    if (arrived.some((data) => data !== undefined)) this.#claims.inStep(request.round, this.#lane.now());
    tell(this.history, pending);
    pending.settle(outcomeOf(pending, this.#lane, this.history));
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
    tell(this.history, pending, true);
    pending.fail(reason);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.streams.ears.end(new Error(`peer ${this.rank}: the transport was closed`));
    await this.#lane.close();
  }
}
