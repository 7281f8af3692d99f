/**
 * Letters between MPI ranks. A letter is a message of its own tag: a header as on any stream (frame.ts in equitopo/peer),
 * with the vector behind it where it is small; a large one follows under a second tag, straight from its memory into the
 * receiver's. MPI keeps the order of messages of one tag, so the k-th large vector belongs to the k-th header that
 * announces one. Rank, size, hosts and interconnects are MPI's business, and it vouches for who sent what.
 *
 * Only peers that are awaited are read from: what comes early waits in MPI's own queue, a large vector at its sender.
 */

import { sha256 } from "equitopo/number";
import {
  allocate,
  bytesOf,
  decodeHeader,
  type Ears,
  type ElementType,
  elementBytes,
  encodeHeader,
  type Header,
  headerBytes,
  type Lane,
  type Letter,
  typeOf,
  type Vector,
} from "equitopo/peer";
import { type Addon, ends, kinds, type Library, loadAddon, MpiError } from "./addon.ts";

export interface MpiLaneOptions {
  /** The library to load, where the usual names do not find it. */
  readonly library?: string;
  /** What all peers must agree on: any text. Peers of another are refused. */
  readonly spec?: string;
}

export interface Place {
  readonly rank: number;
  readonly size: number;
}

/** Below the size up to which Open MPI sends at once within a machine (4096 bytes, its own header included). */
const inlineBytes = 3968;
const largest = 2 ** 31 - 1;
/** Large vectors on their way to one peer; the next is dropped. */
const unfinishedLimit = 8;
const tags = { letter: 0, payload: 1 } as const;

interface Posted {
  /** Must stay alive until MPI is done with it. */
  readonly memory: Vector;
  readonly done: (code: number, bytes: number) => void;
}

export class MpiLane implements Lane {
  readonly name = "mpi";
  readonly ordered = true;
  readonly library: Library;
  /** Settled when MPI has been finalised, which needs all ranks to close. */
  readonly finished: Promise<void>;
  /** Whether a rank has died, as far as this one has heard (only where the library can go on after it). */
  lost = false;
  readonly #addon: Addon;
  readonly #spec: Uint8Array;
  readonly #posted = new Map<number, Posted>();
  /** Requests that are handed over together: kind, peer, tag, and memory. */
  #numbers: number[] = [];
  #memories: Vector[] = [];
  #first = 0;
  /** Peers that are being read from, and those that are no longer. */
  readonly #reading = new Set<number>();
  readonly #deaf = new Set<number>();
  readonly #unfinished = new Map<number, number>();
  readonly #spare: Vector[] = [];
  #place: Place = { rank: -1, size: 0 };
  #overhearing = false;
  #closed = false;
  #ears: Ears | undefined;
  #placed: (code: number, place: Place) => void = () => {};
  #finish: () => void = () => {};

  constructor(options: MpiLaneOptions) {
    const { addon, library } = loadAddon(options.library);
    this.#addon = addon;
    this.library = library;
    this.#spec = digest(options.spec ?? "");
    this.finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  start(): Promise<Place> {
    return this.#settle("MPI_Init", () => this.#addon.start((list) => this.#onEnds(list)));
  }

  /** All survivors call it. Requests of the old network end with errors. */
  async shrink(): Promise<Place> {
    const place = await this.#settle("MPIX_Comm_shrink", () => this.#addon.shrink());
    this.lost = false;
    this.#reading.clear();
    this.#deaf.clear();
    return place;
  }

  #settle(what: string, run: () => void): Promise<Place> {
    return new Promise((resolve, reject) => {
      this.#placed = (code, place) => {
        if (code !== 0) reject(new MpiError(`${what} failed: ${this.#addon.errorText(code)}`));
        this.#place = place;
        resolve(place);
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
        this.#placed(list[k + 1], { rank: list[k + 2], size: list[k + 5] });
        k += 3;
      }
    }
    this.#flush();
  }

  open(ears: Ears): void {
    this.#ears = ears;
  }

  now(): number {
    return performance.now();
  }

  after(milliseconds: number, run: () => void): () => void {
    const timer = setTimeout(run, Math.ceil(milliseconds));
    return () => clearTimeout(timer);
  }

  leave(): readonly Vector[] {
    this.#overhearing = false;
    return [];
  }

  wait(): void {
    this.#flush();
  }

  send(peer: number, { kind, round, sequence, data }: Letter): Promise<void> | undefined {
    const bytes = data?.byteLength ?? 0;
    const type = data === undefined ? undefined : typeOf(data);
    const header: Header = { kind, type, guard: "none", round, sender: this.#place.rank, sequence, bytes, checksum: 0 };
    const small = bytes <= inlineBytes;
    const unfinished = this.#unfinished.get(peer) ?? 0;
    if (!small && unfinished >= unfinishedLimit) {
      this.#unsent();
      return undefined;
    }
    const letter = new Uint8Array(headerBytes + (small ? bytes : 0));
    letter.set(encodeHeader(header, this.#spec));
    if (small && data !== undefined) letter.set(bytesOf(data), headerBytes);
    this.#post(kinds.send, peer, tags.letter, letter, (code) => {
      if (code !== 0) this.#failed(code);
    });
    if (small || data === undefined) return undefined;
    this.#unfinished.set(peer, unfinished + 1);
    return new Promise((resolve) => {
      this.#post(kinds.send, peer, tags.payload, data, () => {
        this.#unfinished.set(peer, (this.#unfinished.get(peer) ?? 1) - 1);
        resolve();
      });
    });
  }

  expects(peer: number): void {
    if (this.#reading.has(peer) || this.#deaf.has(peer) || peer === this.#place.rank) return;
    this.#reading.add(peer);
    const memory = new Uint8Array(headerBytes + inlineBytes);
    this.#post(kinds.receive, peer, tags.letter, memory, (code, bytes) => this.#read(peer, memory, code, bytes));
  }

  overhear(): void {
    this.#overhearing = true;
    for (let peer = 0; peer < this.#place.size; peer++) this.expects(peer);
    this.#flush();
  }

  #read(peer: number, memory: Uint8Array, code: number, bytes: number): void {
    if (code !== 0 || this.#closed) {
      this.#broken(peer, code);
      return;
    }
    const header = bytes < headerBytes ? "garbage" : decodeHeader(memory, this.#spec, largest);
    if (typeof header === "string") {
      // What this peer says next cannot be told apart from what belongs to this.
      this.#deaf.add(peer);
      this.#ears?.refuse(header);
      this.#ears?.gone(peer);
      return;
    }
    const { type, bytes: length } = header;
    if (type === undefined) {
      this.#deliver(peer, header, undefined);
      return;
    }
    const data = this.#memory(type, length / elementBytes[type]);
    if (length <= inlineBytes) {
      bytesOf(data).set(memory.subarray(headerBytes, headerBytes + length));
      this.#deliver(peer, header, data);
      return;
    }
    this.#post(kinds.receive, peer, tags.payload, data, (failure) => {
      if (failure !== 0) this.#broken(peer, failure);
      else this.#deliver(peer, header, data);
    });
  }

  #deliver(peer: number, { kind, round, sequence }: Header, data: Vector | undefined): void {
    this.#reading.delete(peer);
    this.#ears?.deliver(peer, { kind, round, sequence, data });
    if (this.#overhearing || this.#ears?.awaits(peer)) this.expects(peer);
  }

  /** A dead rank (with ULFM), a revoked network, or the end of this one. */
  #broken(peer: number, code: number): void {
    this.#reading.delete(peer);
    if (this.#closed || this.#ears?.awaits(peer) !== true) return;
    this.#ears.refuse(this.#note(code));
    this.#ears.gone(peer);
  }

  #failed(code: number): void {
    this.#note(code);
    this.#unsent();
  }

  /** Death and its echo: the first to hear of it revokes the network, and then all do. */
  #note(code: number): string {
    const text = this.#addon.errorText(code);
    if (this.library.ulfm && /proc_failed|revoked|process fail/i.test(text)) this.lost = true;
    return text;
  }

  #unsent(): void {
    if (this.#ears !== undefined) this.#ears.counts.unsent++;
  }

  #post(kind: number, peer: number, tag: number, memory: Vector, done: Posted["done"]): void {
    if (this.#memories.length === 0) queueMicrotask(() => this.#flush());
    this.#posted.set(this.#first + this.#memories.length, { memory, done });
    this.#numbers.push(kind, peer, tag);
    this.#memories.push(memory);
  }

  #flush(): void {
    if (this.#memories.length === 0) return;
    const [first, numbers, memories] = [this.#first, this.#numbers, this.#memories];
    this.#first = first + memories.length > 2 ** 30 ? 0 : first + memories.length;
    this.#numbers = [];
    this.#memories = [];
    if (!this.#closed) this.#addon.post(first, Int32Array.from(numbers), memories);
  }

  #memory(type: ElementType, length: number): Vector {
    const at = this.#spare.findIndex((spare) => spare.length === length && typeOf(spare) === type);
    return at >= 0 ? this.#spare.splice(at, 1)[0] : allocate(type, length);
  }

  recycle(data: Vector): void {
    this.#spare.push(data);
    if (this.#spare.length > 8) this.#spare.shift();
  }

  async close(): Promise<void> {
    // Last votes are still in the batch.
    this.#flush();
    this.#closed = true;
    this.#addon.stop();
  }
}

function digest(text: string): Uint8Array {
  const hex = sha256(new TextEncoder().encode(text));
  return Uint8Array.from({ length: 32 }, (_, k) => Number.parseInt(hex.slice(2 * k, 2 * k + 2), 16));
}
