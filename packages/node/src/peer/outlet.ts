/**
 * The sending end of a connection: what goes to one peer, once that peer has dialled. A message waits for a connection
 * for a while (peers start at different times, connections break and come back), and is dropped after that.
 *
 * At the start and at every tick a beat says at which round this peer is: what was dropped before is not waited for by the
 * other end. The peer sends beats of one byte the other way: a connection on which none comes any more is given up, though
 * nobody has closed it.
 */

import type { Socket } from "node:net";
import { bytesOf, crc32, encodeBeat, encodeHeader, type Guard, type Letter, typeOf } from "equitopo/peer";
import { isLoopback } from "./inlet.ts";
import type { Seal } from "./seal.ts";

export interface OutletOptions {
  readonly rank: number;
  readonly spec: Uint8Array;
  /** Milliseconds that messages wait, from the first one on, for a connection that has never been there. */
  readonly startPatience: () => number;
  /** Milliseconds that they wait for one that was lost: time enough to dial. */
  readonly patience: number;
  /** Whether the peer is known to be gone: nothing waits for it. */
  readonly absent: () => boolean;
  readonly onUnsent: () => void;
  /** The connection has ended; `silent` where nobody closed it. */
  readonly onLost: (silent: boolean) => void;
  readonly onRefused: (reason: string) => void;
}

interface Waiting {
  readonly letter: Letter;
  readonly done: () => void;
}

/**
 * A peer that does not read may have messages of this many rounds unfinished, or this many bytes where that is more; the
 * connection is cut at the next. Not rounds alone: a peer that finds all it needs goes through many rounds before the
 * event loop tells it that small messages are out.
 */
const unfinishedLimit = 4;
const unfinishedBytes = 2 ** 20;
const waitingLimit = 64;

export class Outlet {
  readonly #options: OutletOptions;
  #socket: Socket | undefined;
  #seal: Seal | undefined;
  #waiting: Waiting[] = [];
  /** Until when messages wait for a connection; undefined before the first has to. */
  #until: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Messages that the system has not taken whole, by round. */
  #unfinished = new Map<number, number>();
  /** Ticks since the peer was last heard of. */
  #silent = 0;
  /** Whether the connection is given up because nothing comes any more. */
  #lapsed = false;

  constructor(options: OutletOptions) {
    this.#options = options;
  }

  get connected(): boolean {
    return this.#socket !== undefined;
  }

  /** A connection that has shown who it is takes the place of an older one. `more` is what came after its proof. */
  attach(socket: Socket, seal: Seal | undefined, more: Uint8Array, round: number): void {
    const old = this.#socket;
    this.#socket = socket;
    this.#seal = seal;
    this.#unfinished = new Map();
    this.#silent = 0;
    this.#lapsed = false;
    old?.destroy();
    clearTimeout(this.#timer);
    socket.once("end", () => socket.destroy());
    socket.once("close", () => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      this.#until = performance.now() + this.#options.patience;
      this.#options.onLost(this.#lapsed);
    });
    const listen = (chunk: Uint8Array): void => {
      this.#silent = 0;
      if (chunk.every((byte) => byte === 0)) return;
      this.#options.onRefused("garbage");
      socket.destroy();
    };
    socket.on("data", listen);
    listen(more);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { letter, done } of waiting) {
      const busy = this.#write(socket, letter);
      if (busy === undefined) done();
      else busy.then(done);
    }
    this.#beat(socket, round);
  }

  post(letter: Letter): Promise<void> | undefined {
    if (this.#socket !== undefined) {
      const few = this.#unfinished.size < unfinishedLimit || this.#unfinished.has(letter.round);
      if (few || this.#socket.writableLength < unfinishedBytes) return this.#write(this.#socket, letter);
      this.#socket.destroy();
      this.#options.onUnsent();
      return undefined;
    }
    const { absent, startPatience } = this.#options;
    this.#until ??= performance.now() + startPatience();
    const patience = this.#until - performance.now();
    if (patience <= 0 || absent() || this.#waiting.length >= waitingLimit) {
      this.#options.onUnsent();
      return undefined;
    }
    return new Promise((done) => {
      this.#waiting.push({ letter, done });
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.drop(() => true), patience);
      this.#timer.unref();
    });
  }

  /** Gives up messages that have not been started. */
  drop(which: (letter: Letter) => boolean): void {
    const dropped = this.#waiting.filter(({ letter }) => which(letter));
    this.#waiting = this.#waiting.filter(({ letter }) => !which(letter));
    for (const { done } of dropped) {
      this.#options.onUnsent();
      done();
    }
  }

  /** Called at every tick of the lane's clock: a peer that was silent for more than `limit` of them is gone. */
  tick(limit: number, round: number): void {
    const socket = this.#socket;
    if (socket === undefined) return;
    if (++this.#silent > limit) {
      this.#lapsed = true;
      socket.destroy();
      return;
    }
    this.beat(round);
  }

  /** Says that this peer is there, and at which round; not where the peer has yet to read what was said before. */
  beat(round: number): void {
    if (this.#socket?.writableLength === 0) this.#beat(this.#socket, round);
  }

  #beat(socket: Socket, round: number): void {
    const { rank, spec } = this.#options;
    const head = encodeBeat({ guard: this.#guard(socket), round, sender: rank }, spec);
    socket.write(this.#seal === undefined ? head : Buffer.concat([head, this.#seal.seal(head, new Uint8Array(0)).tag]));
  }

  close(): void {
    clearTimeout(this.#timer);
    this.drop(() => true);
    this.#socket?.destroy();
  }

  #guard(socket: Socket): Guard {
    return this.#seal !== undefined ? "seal" : isLoopback(socket.remoteAddress) ? "none" : "crc";
  }

  #write(socket: Socket, { kind, round, sequence, data }: Letter): Promise<void> | undefined {
    const { rank: sender, spec } = this.#options;
    const payload = data === undefined ? new Uint8Array(0) : bytesOf(data);
    const seal = this.#seal;
    const guard = this.#guard(socket);
    const [bytes, checksum] = [payload.byteLength, guard === "crc" ? crc32(payload) : 0];
    const type = data === undefined ? undefined : typeOf(data);
    const head = encodeHeader({ kind, type, guard, round, sender, sequence, bytes, checksum }, spec);
    if (seal !== undefined) {
      // Sealing makes a copy, so the vector is free at once.
      const sealed = seal.seal(head, payload);
      socket.cork();
      socket.write(head);
      if (payload.length > 0) socket.write(sealed.payload);
      this.#follow(socket, round, sealed.tag);
      socket.uncork();
      return undefined;
    }
    if (payload.byteLength <= 4096) {
      // A small one is cheaper to copy than to wait for.
      const whole = new Uint8Array(head.length + payload.length);
      whole.set(head);
      whole.set(payload, head.length);
      this.#follow(socket, round, whole);
      return undefined;
    }
    socket.cork();
    socket.write(head);
    const flushed = this.#follow(socket, round, payload);
    socket.uncork();
    return flushed;
  }

  /** Writes and counts as unfinished until the system has taken it. */
  #follow(socket: Socket, round: number, bytes: Uint8Array): Promise<void> {
    const unfinished = this.#unfinished;
    unfinished.set(round, (unfinished.get(round) ?? 0) + 1);
    return new Promise((done) => {
      socket.write(bytes, () => {
        const left = (unfinished.get(round) ?? 1) - 1;
        if (left === 0) unfinished.delete(round);
        else unfinished.set(round, left);
        done();
      });
    });
  }
}
