/**
 * Letters between MPI ranks. A letter is a message of its own tag: a header as on any stream (frame.ts in equitopo/peer:
 * kind, round, sequence, sender, and a hash of the spec and of the run), with the vector behind it where it is small; a large
 * one follows under a second tag, straight from its memory into the receiver's. MPI keeps the order of messages of one tag,
 * so the k-th large vector belongs to the k-th header that announces one. Rank, size, hosts and interconnects are MPI's
 * business, and it vouches for who sent what.
 *
 * Only peers that are awaited are read from, for a thread that waits for nothing costs nothing. But all that is already
 * there of such a peer is then read, ahead of the rounds (way.ts), so that a rank that fell behind learns it. Large vectors
 * wait at their senders until their round has come, or is over: then they are received to be dropped. A rank that cannot send
 * one, because too many before it are unfinished, sends a "no" in its place: nothing of that round comes from it.
 */

import { sha256 } from "equitopo/number";
import {
  allocate,
  bytesOf,
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
import { type Addon, ends, kinds, type Library, loadAddon, MpiError, together } from "./addon.ts";
import { inlineBytes, readHeader } from "./letter.ts";
import { Way } from "./way.ts";

export interface MpiLaneOptions {
  /** The library to load, where the usual names do not find it. */
  readonly library?: string;
  /** What all peers must agree on: any text. Peers of another are refused. */
  readonly spec?: string;
  /** What tells this run from others of the same spec: any text that all its peers know. Default: the job's name in MPI. */
  readonly run?: string;
  /** Told once of each peer that is refused, and why. Default: a line on standard error. */
  readonly log?: (line: string) => void;
}

export interface Place {
  readonly rank: number;
  readonly size: number;
}

/** The longest letter. */
const placeBytes = headerBytes + inlineBytes;
/** Large vectors on their way to one peer; the next is dropped. */
const unfinishedLimit = 8;
const tags = { letter: 0, payload: 1, host: 2 } as const;
/** The longest name of a machine; longer ones are cut. */
const hostBytes = 256;

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
  readonly #options: MpiLaneOptions;
  /** The hash that every header must carry, and how often the network has shrunk, which is part of it. */
  #spec: Uint8Array;
  #shrunk = 0;
  readonly #posted = new Map<number, Posted>();
  /** Requests that are handed over together: kind, peer, tag, and memory. */
  #numbers: number[] = [];
  #memories: Vector[] = [];
  #first = 0;
  /** What has come from each peer; those that are no longer listened to; whom the exchange under way waits for. */
  #ways: Way[] = [];
  readonly #deaf = new Set<number>();
  #expected: number[] = [];
  #round = 0;
  #overhearing = false;
  readonly #unfinished = new Map<number, number>();
  readonly #spare: Vector[] = [];
  /** Memory for letters that nothing is being received into. */
  readonly #letters: Uint8Array[] = [];
  #place: Place = { rank: -1, size: 0 };
  #closed = false;
  #ears: Ears | undefined;
  #placed: (code: number, place: Place) => void = () => {};
  #finish: () => void = () => {};

  constructor(options: MpiLaneOptions) {
    const { addon, library } = loadAddon(options.library);
    this.#addon = addon;
    this.library = library;
    this.#options = options;
    this.#spec = this.#digest();
    this.finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  start(): Promise<Place> {
    return this.#settle("MPI_Init", () => this.#addon.start((list) => this.#onEnds(list)));
  }

  /** What each rank calls its machine: all tell all, once, before the first exchange. */
  async hosts(own: string): Promise<string[]> {
    const { rank, size } = this.#place;
    const said = new Uint8Array(hostBytes);
    said.set(new TextEncoder().encode(own).subarray(0, hostBytes));
    const told = (kind: number, peer: number, memory: Uint8Array) =>
      new Promise<void>((resolve, reject) => {
        this.#post(kind, peer, tags.host, memory, (code) => {
          if (code === 0) resolve();
          else reject(new MpiError(`the hosts of the ranks: ${this.#addon.errorText(code)}`));
        });
      });
    const names = Array.from({ length: size }, () => said);
    const others = names.map((_, peer) => peer).filter((peer) => peer !== rank);
    const all = others.flatMap((peer) => {
      names[peer] = new Uint8Array(hostBytes);
      return [told(kinds.receive, peer, names[peer]), told(kinds.send, peer, said)];
    });
    this.#flush();
    await Promise.all(all);
    return names.map((bytes) => new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0) >>> 0)));
  }

  /** All survivors call it. Requests of the old network end with errors. */
  async shrink(): Promise<Place> {
    const place = await this.#settle("MPIX_Comm_shrink", () => this.#addon.shrink());
    this.lost = false;
    this.#deaf.clear();
    this.#shrunk++;
    this.#spec = this.#digest();
    return place;
  }

  #settle(what: string, run: () => void): Promise<Place> {
    return new Promise((resolve, reject) => {
      this.#placed = (code, place) => {
        if (code !== 0) reject(new MpiError(`${what} failed: ${this.#addon.errorText(code)}`));
        this.#place = place;
        this.#ways = Array.from({ length: Math.max(0, place.size) }, () => new Way());
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

  leave(round: number): readonly Vector[] {
    this.#round = round;
    this.#expected = [];
    this.#overhearing = false;
    return [];
  }

  reached(peer: number): number {
    return this.#ways[peer]?.reached ?? -1;
  }

  expects(peer: number): void {
    this.#expected.push(peer);
    this.#listen(peer);
  }

  /** What had come before the exchange began is delivered now that its own letters are out. */
  wait(): void {
    for (const peer of [...this.#expected]) {
      if (this.#deaf.has(peer)) this.#ears?.gone(peer);
      else this.#pump(peer);
    }
    this.#flush();
  }

  overhear(): void {
    this.#overhearing = true;
    for (let peer = 0; peer < this.#place.size; peer++) this.#listen(peer);
    this.#flush();
  }

  send(peer: number, { kind, round, sequence, data }: Letter): Promise<void> | undefined {
    const bytes = data?.byteLength ?? 0;
    const type = data === undefined ? undefined : typeOf(data);
    const small = bytes <= inlineBytes;
    const unfinished = this.#unfinished.get(peer) ?? 0;
    if (!small && unfinished >= unfinishedLimit) {
      this.#unsent();
      return this.send(peer, { kind: "no", round, sequence: 0, data: undefined });
    }
    const header: Header = { kind, type, guard: "none", round, sender: this.#place.rank, sequence, bytes, checksum: 0 };
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

  /** Receives the next letter of a peer, if it is not being received already. */
  #listen(peer: number): void {
    const way = this.#ways[peer];
    if (way.reading || way.full || this.#deaf.has(peer) || peer === this.#place.rank) return;
    way.reading = true;
    const memory = this.#letters.pop() ?? new Uint8Array(together * (4 + placeBytes));
    this.#post(kinds.letters, peer, tags.letter, memory, (code, count) => {
      if (this.#ways[peer] === way) this.#read(peer, way, memory, code, count);
      this.#letters.push(memory);
    });
  }

  #read(peer: number, way: Way, memory: Uint8Array, code: number, count: number): void {
    way.reading = false;
    if (code !== 0 || this.#closed) {
      this.#broken(peer, code);
      return;
    }
    const lengths = new Int32Array(memory.buffer, 0, together);
    for (let k = 0; k < count; k++) {
      const at = 4 * together + k * placeBytes;
      const fault = this.#take(way, memory.subarray(at, at + lengths[k]));
      if (fault === undefined) continue;
      this.#refuse(peer, fault);
      return;
    }
    way.more = count === together;
    this.#pump(peer);
  }

  /** Takes in a letter, or says why it is refused. */
  #take(way: Way, letter: Uint8Array): string | undefined {
    const header = readHeader(letter, this.#spec);
    if (typeof header === "string") return header;
    const { type, bytes } = header;
    const apart = type !== undefined && bytes > inlineBytes;
    let data: Vector | undefined;
    if (type !== undefined && !apart) {
      data = this.#memory(type, bytes / elementBytes[type]);
      bytesOf(data).set(letter.subarray(headerBytes));
    }
    way.add({ header, data, apart });
    return undefined;
  }

  /** Delivers what a peer has sent for the rounds up to this one. */
  #pump(peer: number): void {
    const way = this.#ways[peer];
    while (!way.fetching) {
      const letter = way.first(this.#round);
      if (letter === undefined) break;
      if (letter === "later") {
        // It has gone on: nothing more comes from it in the round under way.
        if (this.#ears?.awaits(peer)) this.#ears.gone(peer);
        break;
      }
      if (letter.apart) this.#fetch(peer, way, letter.header);
      else {
        way.shift();
        this.#deliver(peer, letter.header, letter.data);
      }
    }
    if (way.more || this.#overhearing || this.#ears?.awaits(peer)) this.#listen(peer);
  }

  /** Receives the vector that belongs to the first letter. */
  #fetch(peer: number, way: Way, header: Header): void {
    const { type, bytes } = header;
    if (type === undefined) return;
    way.fetching = true;
    const data = this.#memory(type, bytes / elementBytes[type]);
    this.#post(kinds.receive, peer, tags.payload, data, (code) => {
      if (this.#ways[peer] !== way) return;
      way.fetching = false;
      way.shift();
      if (code !== 0) this.#broken(peer, code);
      else {
        this.#deliver(peer, header, data);
        this.#pump(peer);
      }
    });
  }

  #deliver(peer: number, { kind, round, sequence }: Header, data: Vector | undefined): void {
    this.#ears?.deliver(peer, { kind, round, sequence, data });
  }

  /** What this peer says next cannot be told apart from what belongs to the letter that was refused. */
  #refuse(peer: number, reason: string): void {
    this.#deaf.add(peer);
    this.#ears?.refuse(reason);
    this.#ears?.gone(peer);
    const { log = (line: string) => process.stderr.write(`${line}\n`) } = this.#options;
    log(`peer ${this.#place.rank}: refused peer ${peer}: ${reason}`);
  }

  /** A dead rank (with ULFM), a revoked network, or the end of this one. */
  #broken(peer: number, code: number): void {
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

  #digest(): Uint8Array {
    const { spec = "", run = process.env["PMIX_NAMESPACE"] ?? process.env["PMI_JOBID"] ?? "" } = this.#options;
    const hex = sha256(new TextEncoder().encode(JSON.stringify([spec, run, this.#shrunk])));
    return Uint8Array.from({ length: 32 }, (_, k) => Number.parseInt(hex.slice(2 * k, 2 * k + 2), 16));
  }

  async close(): Promise<void> {
    // Last votes are still in the batch.
    this.#flush();
    this.#closed = true;
    this.#addon.stop();
  }
}
