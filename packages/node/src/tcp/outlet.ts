/**
 * The sending end of a connection: what goes to one peer, once that peer has dialled. A message waits for a connection
 * for a while (peers start at different times, connections break and come back), and is dropped after that.
 *
 * At the start and at every tick a beat says at which round this peer is: what was dropped before is not waited for by the
 * other end. The peer sends beats of one byte the other way: a connection on which none comes any more is given up, though
 * nobody has closed it.
 */

import type { Socket } from "node:net";
import {
  bytesOf,
  crc32,
  encodeBeat,
  encodeHeader,
  type Guard,
  headerBytes,
  type Letter,
  typeOf,
} from "equitopo/internal/peer";
import { isLoopback } from "../server/listen.ts";
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

/**
 * A peer that does not read may have messages of this many rounds unfinished, or this many bytes where that is more; the
 * connection is cut at the next. Not rounds alone: a peer that finds all it needs goes through many rounds before the
 * event loop tells it that small messages are out.
 */
const unfinishedLimit = 4;
const unfinishedBytes = 2 ** 20;
const waitingLimit = 64;
const smallBytes = 4096;
const nothing = new Uint8Array(0);

export type Outlet = ReturnType<typeof newOutlet>;

export function newOutlet({ rank, spec, startPatience, patience, absent, ...on }: OutletOptions) {
  let socket: Socket | undefined;
  let seal: Seal | undefined;
  let waiting: { readonly letter: Letter; readonly done: () => void }[] = [];
  /** Until when messages wait for a connection; undefined before the first has to. */
  let until: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** Messages that the system has not taken whole, by round. */
  let unfinished = new Map<number, number>();
  /** Ticks since the peer was last heard of. */
  let silent = 0;
  let lapsed = false;

  const guardOf = (to: Socket): Guard => (seal !== undefined ? "seal" : isLoopback(to.remoteAddress) ? "none" : "crc");

  function write(to: Socket, { kind, round, sequence, data }: Letter): Promise<void> | undefined {
    const payload = data === undefined ? nothing : bytesOf(data);
    const guard = guardOf(to);
    const [bytes, checksum] = [payload.byteLength, guard === "crc" ? crc32(payload) : 0];
    const type = data === undefined ? undefined : typeOf(data);
    const small = seal === undefined && bytes <= smallBytes;
    // A small one is cheaper to copy than to wait for.
    const room = Buffer.allocUnsafe(headerBytes + (small ? bytes : 0));
    const head = encodeHeader({ kind, type, guard, round, sender: rank, sequence, bytes, checksum }, spec, room);
    if (small) {
      head.set(payload, headerBytes);
      follow(to, round, head);
      return undefined;
    }
    to.cork();
    to.write(head);
    let flushed: Promise<void> | undefined;
    if (seal === undefined) {
      flushed = new Promise((done) => {
        follow(to, round, payload, done);
      });
    } else {
      // Sealing makes a copy, so the vector is free at once.
      const sealed = seal.seal(head, payload);
      if (payload.length > 0) to.write(sealed.payload);
      follow(to, round, sealed.tag);
    }
    to.uncork();
    return flushed;
  }

  /** Writes and counts as unfinished until the system has taken it. */
  function follow(to: Socket, round: number, bytes: Uint8Array, done?: () => void): void {
    const counted = unfinished;
    counted.set(round, (counted.get(round) ?? 0) + 1);
    to.write(bytes, () => {
      const left = (counted.get(round) ?? 1) - 1;
      if (left === 0) counted.delete(round);
      else counted.set(round, left);
      done?.();
    });
  }

  function sendBeat(to: Socket, round: number): void {
    const head = encodeBeat({ guard: guardOf(to), round, sender: rank }, spec);
    to.write(seal === undefined ? head : Buffer.concat([head, seal.seal(head, nothing).tag]));
  }

  /** Says that this peer is there, and at which round; not where the peer has yet to read what was said before. */
  function beat(round: number): void {
    if (socket?.writableLength === 0) sendBeat(socket, round);
  }

  /** Gives up messages that have not been started. */
  function drop(which: (letter: Letter) => boolean): void {
    const dropped = waiting.filter(({ letter }) => which(letter));
    waiting = waiting.filter(({ letter }) => !which(letter));
    for (const { done } of dropped) {
      on.onUnsent();
      done();
    }
  }

  return {
    ...{ beat, drop },

    isConnected: () => socket !== undefined,

    /** A connection that has shown who it is takes the place of an older one. `more` is what came after its proof. */
    attach(given: Socket, sealed: Seal | undefined, more: Uint8Array, round: number): void {
      const old = socket;
      socket = given;
      seal = sealed;
      unfinished = new Map();
      silent = 0;
      lapsed = false;
      old?.destroy();
      clearTimeout(timer);
      given.once("end", () => given.destroy());
      given.once("close", () => {
        if (socket !== given) return;
        socket = undefined;
        until = performance.now() + patience;
        on.onLost(lapsed);
      });
      const listen = (chunk: Uint8Array): void => {
        silent = 0;
        if (chunk.every((byte) => byte === 0)) return;
        on.onRefused("garbage");
        given.destroy();
      };
      given.on("data", listen);
      listen(more);
      for (const { letter, done } of waiting.splice(0)) {
        const busy = write(given, letter);
        if (busy === undefined) done();
        else busy.then(done);
      }
      sendBeat(given, round);
    },

    post(letter: Letter): Promise<void> | undefined {
      if (socket !== undefined) {
        const few = unfinished.size < unfinishedLimit || unfinished.has(letter.round);
        if (few || socket.writableLength < unfinishedBytes) return write(socket, letter);
        socket.destroy();
        on.onUnsent();
        return undefined;
      }
      until ??= performance.now() + startPatience();
      const left = until - performance.now();
      if (left <= 0 || absent() || waiting.length >= waitingLimit) {
        on.onUnsent();
        return undefined;
      }
      return new Promise((done) => {
        waiting.push({ letter, done });
        clearTimeout(timer);
        timer = setTimeout(() => drop(() => true), left);
        timer.unref();
      });
    },

    /** Called at every tick of the lane's clock: a peer that was silent for more than `limit` of them is gone. */
    tick(limit: number, round: number): void {
      if (socket === undefined || ++silent <= limit) {
        beat(round);
        return;
      }
      lapsed = true;
      socket.destroy();
    },

    close(): void {
      clearTimeout(timer);
      drop(() => true);
      socket?.destroy();
    },
  };
}
