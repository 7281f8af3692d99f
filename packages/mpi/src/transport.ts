/**
 * Peers as MPI ranks: every expected vector is an Irecv straight into its memory, every sent one an Isend straight from
 * it. Rank, size, hosts and interconnects are MPI's business.
 *
 * Messages are told apart by (source, tag), tag = 32 (round mod 1024) + 16 (is it a vote) + number in the round. A message
 * of a later round waits in MPI's own queue. One that does not come in time leaves its Irecv behind, which takes it when
 * it does come, counts it as late and drops it. What a peer sends for a round that this one skipped altogether stays in
 * MPI's queue: small messages only, since a large one waits at its sender.
 */

import { InputError } from "equitopo";
import {
  allocate,
  defaultTimeout,
  newCounts,
  type Outcome,
  type Request,
  reachedByTwo,
  type Transport,
  typeOf,
  type Vector,
} from "equitopo/peer";
import { type Addon, ends, kinds, type Library, loadAddon, MpiError } from "./addon.ts";
import { Batch, type Memory, type Partner, type Pending, type Posted } from "./requests.ts";

export interface MpiOptions {
  /** The library to load, where the usual names do not find it. */
  readonly library?: string;
  /** Milliseconds; default 10 s. */
  readonly timeout?: number;
}

const votes = 16;
const rounds = 1024;
const lateLimit = 8;

export class MpiTransport implements Transport {
  readonly name = "mpi";
  readonly counts = newCounts();
  readonly library: Library;
  /** Settled when MPI has been finalised, which needs all ranks to close. */
  readonly finished: Promise<void>;
  rank = -1;
  size = 0;
  readonly #addon: Addon;
  readonly #timeout: number;
  readonly #posted = new Map<number, Posted>();
  /** Requests left behind by exchanges that gave up, oldest first. */
  readonly #left = new Map<number, number>();
  readonly #spare: Vector[] = [];
  #reached = new Float64Array(0);
  #nextId = 0;
  #nextRound = 0;
  #pending: Pending | undefined;
  #closed = false;
  #lost = false;
  #place: ((code: number, rank: number, size: number) => void) | undefined;
  #finish: () => void = () => {};

  /** Starts MPI in this process, once. */
  static async start(options: MpiOptions = {}): Promise<MpiTransport> {
    const peer = new MpiTransport(options);
    await peer.#placed("MPI_Init", () => peer.#addon.start((list) => peer.#onEnds(list)));
    return peer;
  }

  private constructor(options: MpiOptions) {
    const { addon, library } = loadAddon(options.library);
    this.#addon = addon;
    this.library = library;
    this.#timeout = options.timeout ?? defaultTimeout;
    this.finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  get reached(): number {
    return reachedByTwo(this.#reached);
  }

  /**
   * After a rank's death (Open MPI 5 and later, mpirun --with-ft ulfm): all survivors call it, and go on with new ranks
   * and a smaller size. Requests of the old network end with errors.
   */
  async shrink(): Promise<void> {
    await this.#placed("MPIX_Comm_shrink", () => this.#addon.shrink());
    this.#lost = false;
    this.#nextRound = 0;
  }

  /** Whether a rank has died, as far as this one has heard (only where the library can go on after it). */
  get lost(): boolean {
    return this.#lost;
  }

  /** Death and its echo: the first to hear of it revokes the network, and then all do. */
  #noteFailure(code: number): string {
    const text = this.#addon.errorText(code);
    if (this.library.ulfm && /proc_failed|revoked|process fail/i.test(text)) this.#lost = true;
    return text;
  }

  #placed(what: string, run: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#place = (code, rank, size) => {
        if (code !== 0) reject(new MpiError(`${what} failed: ${this.#addon.errorText(code)}`));
        this.rank = rank;
        this.size = size;
        this.#reached = new Float64Array(size).fill(-1);
        resolve();
      };
      run();
    });
  }

  #onEnds(list: readonly number[]): void {
    for (let k = 0; k < list.length; k += 3) {
      const id = list[k];
      if (id >= 0) {
        const posted = this.#posted.get(id);
        this.#posted.delete(id);
        posted?.done(list[k + 1], list[k + 2]);
      } else if (id === ends.stopped) this.#finish();
      else {
        this.#place?.(list[k + 1], list[k + 2], list[k + 5]);
        k += 3;
      }
    }
  }

  exchange(request: Request): Promise<Outcome> {
    const { round, signal } = request;
    if (this.#closed) return Promise.reject(new Error(`peer ${this.rank}: the transport is closed`));
    if (this.#pending !== undefined) {
      return Promise.reject(new InputError("a peer makes one exchange at a time", round, "await the one before"));
    }
    if (round < this.#nextRound) {
      return Promise.reject(new InputError(`rounds go up (next: ${this.#nextRound})`, round, "skip that round"));
    }
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((settle, fail) => this.#begin(request, settle, fail));
  }

  #begin(request: Request, settle: (outcome: Outcome) => void, fail: (reason: unknown) => void): void {
    const { round, send, receive } = request;
    const pending: Pending = {
      request,
      start: performance.now(),
      partners: new Map(),
      arrived: new Array(receive.length).fill(undefined),
      open: 0,
      sending: new Map(),
      timer: undefined,
      settle,
      fail,
    };
    const batch = new Batch(this.#nextId);
    for (let k = 0; k < receive.length; k++) {
      const { peer, length, type, timeout } = receive[k];
      let partner = pending.partners.get(peer);
      if (partner === undefined) {
        const mutual = request.mutual === true && send.some((message) => message.peer === peer);
        partner = {
          peer,
          entries: [],
          requests: new Set(),
          missing: 0,
          mutual,
          yes: false,
          open: true,
          timeout: timeout ?? request.timeout ?? this.#timeout,
        };
        pending.partners.set(peer, partner);
        pending.open++;
        if (mutual) this.#awaitVote(pending, partner, batch);
      }
      partner.entries.push(k);
      partner.missing++;
      this.#awaitVector(pending, partner, k, this.#memory(type, length), batch);
    }
    const numbers = new Map<number, number>();
    for (const { peer, data } of send) {
      const sequence = numbers.get(peer) ?? 0;
      numbers.set(peer, sequence + 1);
      if (sequence >= votes) {
        fail(new InputError(`at most ${votes} messages go to one peer in a round`, send.length, "send fewer"));
        return;
      }
      this.counts.sentMessages++;
      this.counts.sentBytes += data.byteLength;
      const id = this.#post(batch, kinds.send, peer, round, sequence, data, (code) => {
        if (code !== 0) {
          this.counts.unsent++;
          this.#noteFailure(code);
        }
        pending.sending.delete(id);
        this.#finished(pending);
      });
      pending.sending.set(id, data);
    }
    this.#pending = pending;
    request.signal?.addEventListener("abort", this.#onAbort, { once: true });
    this.#flush(batch);
    if (!this.#finished(pending)) this.#watch(pending);
  }

  #awaitVector(pending: Pending, partner: Partner, entry: number, memory: Vector, batch: Batch): void {
    const { round } = pending.request;
    const sequence = partner.entries.length - 1;
    const id = this.#post(batch, kinds.receive, partner.peer, round, sequence, memory, (code, bytes) => {
      partner.requests.delete(id);
      if (this.#left.delete(id) || !partner.open) {
        if (code === 0) this.counts.late++;
        return;
      }
      if (code !== 0 || bytes !== memory.byteLength) {
        // A dead rank (with ULFM) and a message too long are MPI's to name; one too short is not.
        const reason = code === 0 ? "length" : this.#noteFailure(code);
        this.counts.refused.set(reason, (this.counts.refused.get(reason) ?? 0) + 1);
        this.#close(pending, partner, false);
      } else {
        this.#reached[partner.peer] = Math.max(this.#reached[partner.peer], round);
        pending.arrived[entry] = memory;
        this.counts.receivedMessages++;
        this.counts.receivedBytes += bytes;
        if (--partner.missing === 0) {
          if (partner.mutual) this.#sendVote(pending, partner, 1);
          if (!partner.mutual || partner.yes) this.#close(pending, partner, true);
        }
      }
      this.#finished(pending);
    });
    partner.requests.add(id);
  }

  #awaitVote(pending: Pending, partner: Partner, batch: Batch): void {
    const vote = new Uint8Array(1);
    const id = this.#post(batch, kinds.receive, partner.peer, pending.request.round, votes, vote, (code) => {
      partner.requests.delete(id);
      if (this.#left.delete(id) || !partner.open) return;
      if (code !== 0) this.#noteFailure(code);
      partner.yes = code === 0 && vote[0] === 1;
      if (!partner.yes) this.#close(pending, partner, false);
      else if (partner.missing === 0) this.#close(pending, partner, true);
      this.#finished(pending);
    });
    partner.requests.add(id);
  }

  #sendVote(pending: Pending, { peer }: Partner, vote: 0 | 1): void {
    const batch = new Batch(this.#nextId);
    this.#post(batch, kinds.send, peer, pending.request.round, votes, Uint8Array.of(vote), () => {});
    this.#flush(batch);
  }

  #post(
    batch: Batch,
    kind: number,
    peer: number,
    round: number,
    number: number,
    memory: Memory,
    done: (code: number, bytes: number) => void,
  ): number {
    const id = batch.add(kind, peer, 32 * (round % rounds) + number, memory);
    this.#posted.set(id, { memory, peer, round, done });
    return id;
  }

  #flush(batch: Batch): void {
    this.#nextId = batch.next > 2 ** 30 ? 0 : batch.next;
    this.#addon.post(batch.first, Int32Array.from(batch.numbers), batch.memories);
  }

  #close(pending: Pending, partner: Partner, ok: boolean): void {
    if (!partner.open) return;
    partner.open = false;
    pending.open--;
    if (ok) return;
    this.counts.missed += partner.missing;
    if (partner.mutual) {
      this.counts.voided++;
      if (partner.missing > 0) this.#sendVote(pending, partner, 0);
    }
    for (const entry of partner.entries) pending.arrived[entry] = undefined;
    for (const id of partner.requests) this.#left.set(id, pending.request.round);
  }

  /** A request left behind is ended before its tag comes round again, and when a peer leaves too many. */
  #sweep(round: number): void {
    const perPeer = new Map<number, number>();
    for (const [id, left] of [...this.#left].reverse()) {
      const peer = this.#posted.get(id)?.peer ?? -1;
      const count = (perPeer.get(peer) ?? 0) + 1;
      perPeer.set(peer, count);
      if (count > lateLimit || left < round - rounds / 2) this.#addon.cancel(id);
    }
  }

  #watch(pending: Pending): void {
    const elapsed = performance.now() - pending.start;
    let next = Number.POSITIVE_INFINITY;
    for (const partner of pending.partners.values()) {
      if (!partner.open) continue;
      const deadline = partner.mutual && partner.missing > 0 ? 0.75 * partner.timeout : partner.timeout;
      if (elapsed >= deadline) this.#close(pending, partner, false);
      else next = Math.min(next, deadline);
    }
    if (pending.open === 0 && pending.sending.size > 0) {
      const deadline = pending.request.timeout ?? this.#timeout;
      if (elapsed >= deadline) {
        this.#conclude(pending);
        return;
      }
      next = Math.min(next, deadline);
    }
    if (this.#finished(pending)) return;
    pending.timer = setTimeout(() => this.#watch(pending), Math.ceil(next - elapsed));
  }

  #finished(pending: Pending): boolean {
    if (this.#pending !== pending) return true;
    if (pending.open > 0 || pending.sending.size > 0) return false;
    this.#conclude(pending);
    return true;
  }

  #conclude(pending: Pending): void {
    this.#end(pending);
    const { arrived } = pending;
    let held = true;
    pending.settle({
      arrived,
      kept: [...pending.sending.values()],
      release: () => {
        if (held) for (const data of arrived) if (data !== undefined) this.#recycle(data);
        held = false;
        return [];
      },
    });
  }

  #end(pending: Pending): void {
    clearTimeout(pending.timer);
    pending.request.signal?.removeEventListener("abort", this.#onAbort);
    this.#pending = undefined;
    this.#nextRound = pending.request.round + 1;
    if (this.#left.size > 0) this.#sweep(this.#nextRound);
  }

  readonly #onAbort = (): void => this.#abort(this.#pending?.request.signal?.reason);

  #abort(reason: unknown): void {
    const pending = this.#pending;
    if (pending === undefined) return;
    for (const partner of pending.partners.values()) this.#close(pending, partner, false);
    this.#end(pending);
    pending.fail(reason);
  }

  #memory(type: "float32" | "float64", length: number): Vector {
    const at = this.#spare.findIndex((spare) => spare.length === length && typeOf(spare) === type);
    return at >= 0 ? this.#spare.splice(at, 1)[0] : allocate(type, length);
  }

  #recycle(data: Vector): void {
    this.#spare.push(data);
    if (this.#spare.length > 8) this.#spare.shift();
  }

  /** Refuses further exchanges and leaves MPI; `finished` says when all ranks have. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#abort(new Error(`peer ${this.rank}: the transport was closed`));
    this.#addon.stop();
  }
}
