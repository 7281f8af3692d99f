/**
 * The one exchange machine. It knows which letters an exchange waits for and until when, keeps early ones, drops late ones, and
 * votes. It runs over any lane (lane.ts), which adds only how a letter travels: memory, TCP, MPI, threads, links of browsers.
 */

import { integer } from "../../input/input.ts";
import type { Historian } from "../history/history.ts";
import { claimsIn } from "./claims.ts";
import { earlyLetters } from "./early-letters.ts";
import { tell } from "./history-lines.ts";
import type { Ears, Lane, Letter } from "./lane.ts";
import { lateVotes } from "./late-votes.ts";
import { newPending, outcomeOf, type Partner, type Pending, refusalOf } from "./pending.ts";
import { type Clock, loopTurns } from "./runtime.ts";
import { Streams } from "./streams.ts";
import type { Belief, ElementType, ExchangeOutcome, Notices, Request, Transport, Vector } from "./transport.ts";
import { Counts, defaultTimeout, fits, notFinite } from "./transport.ts";

export interface ExchangeOptions {
  readonly rank: number;
  readonly size: number;
  /** Milliseconds; default 10 s. */
  readonly timeout?: number;
  /** How many rounds ahead of this peer a letter may be; letters further ahead are refused. Default 1024. */
  readonly horizon?: number;
  /** Bytes of early letters that are kept for one peer. Default 64 MiB, and always room for one letter. */
  readonly earlyBytes?: number;
  /** Refuses vectors with a number that is not finite (default): one such vector would spoil every model it is mixed into. */
  readonly strict?: boolean;
}

const defaults = { timeout: defaultTimeout, horizon: 1024, earlyBytes: 64 * 1024 * 1024, strict: true };

export class Exchange implements Transport {
  readonly name: string;
  readonly clock: Clock;
  rank = 0;
  size = 0;
  readonly counts = new Counts();
  history: Historian | undefined;
  notices: Notices | undefined;
  /** Made when asynchronous rounds first ask for it: letters of synchronous ones never pass through it. */
  #streams: Streams | undefined;
  readonly #lane: Lane;
  readonly #afterTurn = loopTurns();
  readonly #options: Required<ExchangeOptions>;
  #early = earlyLetters(0);
  #claims = claimsIn(1);
  #votes = lateVotes();
  /** The first round that can still be exchanged. */
  #floor = 0;
  #pending: Pending | undefined;
  /** The round that each peer has last reported, since it was last gone. */
  #at = new Float64Array(0);
  #closed = false;
  /** Why this peer no longer has a place in the network; undefined while it has one. */
  #ended: Error | undefined;

  constructor(lane: Lane, options: ExchangeOptions) {
    this.name = lane.name;
    this.clock = lane;
    this.#lane = lane;
    this.#options = { ...defaults, ...options };
    this.place(options.rank, options.size);
    lane.open(this.#ears());
  }

  /** Sets the place in the network, with rounds from 0 on: at the start, and again if survivors close ranks. */
  protected place(rank: number, size: number): void {
    this.size = integer("size", size, 1);
    this.rank = integer("rank", rank, 0, size - 1);
    this.#early = earlyLetters(this.#options.earlyBytes);
    this.#claims = claimsIn(size);
    this.#votes = lateVotes();
    this.#at = new Float64Array(size);
    this.#floor = 0;
  }

  #ears(): Ears {
    const isBusy = () => this.#pending !== undefined;
    return {
      counts: this.counts,
      deliver: (peer, letter) => {
        if (this.#streams?.holds(letter.round)) this.#streams.deliver(peer, letter);
        else this.#deliver(peer, letter);
      },
      gone: (peer) => this.#gone(peer),
      at: (peer, round) => this.#isAt(peer, round),
      reached: (peer, round) => this.#claims.note(peer, round),
      refuse: (reason, refusal) => {
        this.#refuse(reason);
        if (refusal !== undefined) this.counts.refusals.set(reason, refusal);
      },
      end: (reason) => this.#leave(reason),
      awaits: (peer) => this.#streams?.isOpen || this.#pending?.partners.get(peer)?.open === true,
      get busy() {
        return isBusy();
      },
    };
  }

  #leave(reason: Error): void {
    this.#ended ??= reason;
    this.#abort(reason);
  }

  get streams(): Streams {
    this.#streams ??= new Streams(this.#lane, {
      counts: this.counts,
      claims: () => this.#claims,
      refuse: (reason, peer) => this.#refuse(reason, peer),
      ended: () => this.#ended,
    });
    return this.#streams;
  }

  get reached(): number {
    return this.#claims.reached(this.#lane.now());
  }

  seen(peer: number) {
    return { gone: this.#lane.gone?.(peer), starts: this.#lane.starts?.(peer) ?? 0 };
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

  /** `peer` is given if the lane cannot know whose letter it was; `data` is the memory of that letter. */
  #refuse(reason: string, peer?: number, data?: Vector): void {
    this.counts.refused.set(reason, (this.counts.refused.get(reason) ?? 0) + 1);
    if (peer !== undefined) {
      this.counts.refusals.set(reason, { source: `a letter of peer ${peer}` });
      this.#lane.refused?.(peer, reason);
    }
    this.#recycle(data);
  }

  #recycle(data: Vector | undefined): void {
    if (data !== undefined) this.#lane.recycle?.(data);
  }

  exchange(request: Request): Promise<ExchangeOutcome> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const refusal = refusalOf(request, this.#pending !== undefined, this.#floor);
    if (refusal !== undefined) return Promise.reject(refusal);
    if (request.signal?.aborted) return Promise.reject(request.signal.reason);
    const outcome = new Promise<ExchangeOutcome>((settle, fail) => {
      try {
        this.#begin(request, settle, fail);
      } catch (error) {
        // The lane cannot carry one of the vectors.
        this.#abort(error);
      }
    });
    return this.#afterTurn(outcome, this.#pending === undefined, this.#lane.now());
  }

  #begin(request: Request, settle: (outcome: ExchangeOutcome) => void, fail: (reason: unknown) => void): void {
    const { round, send, receive, signal } = request;
    const end = { settle, fail, onAbort: () => this.#abort() };
    const pending = newPending(request, this.#options.timeout, this.#lane.now(), end);
    this.#pending = pending;
    this.#floor = round;
    this.#lane.leave?.(round, []);
    signal?.addEventListener("abort", pending.onAbort, { once: true });
    const sequences = new Map<number, number>();
    for (const { peer, entries } of pending.partners.values()) this.#lane.expects?.(peer, receive[entries[0]]);
    const repairs = this.notices?.say() ?? [];
    for (const peer of repairs.length === 0 ? [] : new Set(send.map((message) => message.peer))) {
      for (const sequence of repairs) this.#lane.send(peer, { kind: "repair", round, sequence, data: undefined });
    }
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
    this.#takeEarly(pending);
    pending.posting = false;
    if (this.#finish(pending)) return;
    this.#watch(pending);
    if (this.#pending === pending) this.#lane.wait?.();
  }

  /** Uses early letters of this round now; those of skipped rounds are late. */
  #takeEarly(pending: Pending): void {
    const { round } = pending.request;
    for (const [peer, letter] of this.#early.take(round)) {
      if (letter.round < round) this.#late(letter);
      else this.#use(pending, peer, letter);
    }
    for (const { peer } of pending.partners.values()) {
      if (this.#at[peer] > round || (this.#lane.ordered && this.#early.has(peer))) this.#over(pending, peer);
    }
  }

  #deliver(peer: number, letter: Letter): void {
    if (this.#closed) return;
    const { round } = letter;
    // Rounds of peers far ahead are noted too: otherwise a peer that fell far behind could never rejoin.
    this.#claims.note(peer, round);
    if (letter.kind === "repair") {
      this.notices?.hear(peer, round, letter.sequence);
      return;
    }
    this.#votes.hear(peer, letter, this.#lane.ordered);
    if (round > Math.max(this.#floor, this.#streams?.passed ?? 0) + this.#options.horizon) {
      this.#refuse("future", peer, letter.data);
      return;
    }
    const pending = this.#pending;
    if (round < this.#floor) this.#late(letter);
    else if (pending !== undefined && round === pending.request.round) this.#use(pending, peer, letter);
    else {
      if (!this.#early.hold(peer, letter)) {
        this.#refuse("too far ahead", peer, letter.data);
        return;
      }
      if (pending !== undefined && this.#lane.ordered) this.#over(pending, peer);
    }
    if (pending !== undefined) this.#finish(pending);
  }

  #isAt(peer: number, round: number): void {
    this.#at[peer] = round;
    // A peer that comes back learns here where the others are. Infinity means past all rounds, and is no round itself.
    if (round < Number.POSITIVE_INFINITY) this.#claims.note(peer, round);
    const pending = this.#pending;
    if (pending === undefined || round <= pending.request.round) return;
    this.#over(pending, peer);
    this.#finish(pending);
  }

  #gone(peer: number): void {
    this.#at[peer] = 0;
    const pending = this.#pending;
    const partner = pending?.partners.get(peer);
    if (pending === undefined || !partner?.open) return;
    this.#expire(pending, partner);
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
    if (letter.kind === "yes" || letter.kind === "no") {
      partner.heard ??= letter.kind;
      if (letter.kind === "no") this.#close(pending, partner, false);
      else if (partner.missing === 0) this.#close(pending, partner, true);
      return;
    }
    const { data, sequence } = letter;
    const entry = partner.entries[sequence];
    if (data === undefined || entry === undefined || pending.arrived[entry] !== undefined) {
      this.#refuse("unexpected", peer, data);
      if (entry !== undefined || !partner.mutual) return;
      // It sends more vectors than are expected, so it expects more and will vote no: it need not be waited for.
      if (partner.missing === 0) this.#vote(pending, partner, "no");
      this.#close(pending, partner, false);
      return;
    }
    pending.arrived[entry] = data;
    const fault = fits(pending.request.receive[entry], data) ? this.#unsound(pending, data) : "length";
    if (fault !== undefined) {
      pending.arrived[entry] = undefined;
      this.#refuse(fault, peer, data);
      // No other vector will come in its place.
      this.#close(pending, partner, false);
      return;
    }
    pending.missing--;
    this.counts.receivedMessages++;
    this.counts.receivedBytes += data.byteLength;
    if (--partner.missing > 0) return;
    if (partner.mutual) this.#vote(pending, partner, "yes");
    if (!partner.mutual || partner.heard === "yes") this.#close(pending, partner, true);
  }

  /** The fault of the numbers in a vector that has just come; the caller may have computed with the last one already. */
  #unsound({ request, arrived, missing }: Pending, data: Vector): string | undefined {
    const seen = missing === 1 && request.ready?.(arrived) === true;
    return seen || !this.#options.strict ? undefined : notFinite(data);
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

  /** A partner's time is over. If only its vote is missing, the vote may still come, and `late` is called then. */
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
    this.#leave(new Error(`peer ${this.rank}: the transport was closed`));
    await this.#lane.close();
  }
}
