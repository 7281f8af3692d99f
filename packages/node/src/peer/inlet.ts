/**
 * The receiving end of a connection. A peer dials those it receives from: only a dialled socket can read into memory of
 * our choice (`onread`), so that a large payload lands in its vector at once. A lost connection is dialled again at once,
 * and if that fails after 50 ms, then twice as long each time up to 5 s.
 *
 * The peer at the other end is absent from the time that it could not be dialled again, until it could. One that dies
 * refuses connections, so that takes a moment; one whose host is gone does not answer, and is given `lostGrace`.
 */

import { randomBytes } from "node:crypto";
import net from "node:net";
import type tls from "node:tls";
import { isLoopbackHost } from "@equitopo/web";
import { sameBytes } from "equitopo/number";
import {
  type ElementType,
  FrameError,
  FrameReader,
  type Header,
  helloBytes,
  nonceBytes,
  proof,
  proofBytes,
  type Vector,
} from "equitopo/peer";
import type { Identity } from "./identity.ts";
import { Seal } from "./seal.ts";
import type { SecureDialler } from "./secure.ts";
import type { Turns } from "./turns.ts";

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface InletOptions {
  readonly peer: number;
  readonly address: () => Address;
  readonly identity: Identity;
  readonly turns: Turns;
  readonly key: Uint8Array | undefined;
  readonly secure: SecureDialler | undefined;
  readonly maxBytes: number;
  readonly handshakeTimeout: number;
  readonly lostGrace: number;
  readonly memory: (type: ElementType, length: number) => Vector;
  /** False: stop reading until resume(). */
  readonly onFrame: (header: Header, data: Vector | undefined) => boolean;
  readonly onBeat: (round: number) => void;
  readonly onRefused: (reason: string) => void;
  /** A connection over which frames came has ended. */
  readonly onLost: () => void;
  /** From now on the peer is absent. */
  readonly onAbsent: () => void;
}

/** What a connection must have lived for, in milliseconds, to be dialled again without a pause. */
const lived = 1000;
const beat = Uint8Array.of(0);

export class Inlet {
  readonly #options: InletOptions;
  readonly #staging = new Uint8Array(65536);
  #socket: net.Socket | undefined;
  #open = false;
  #paused = false;
  /** Ticks since the peer was last heard of. */
  #silent = 0;
  #since = 0;
  #retry: NodeJS.Timeout | undefined;
  #grace: NodeJS.Timeout | undefined;
  #failures = 0;
  #absent = false;
  #urgent: boolean;
  #closed = false;

  /** `urgent`: a round waits for it already. */
  constructor(options: InletOptions, urgent: boolean) {
    this.#options = options;
    this.#urgent = urgent;
    this.#ask();
  }

  /** Whether the peer could not be reached when it was last dialled. */
  get absent(): boolean {
    return this.#absent;
  }

  /** A round waits for this peer. */
  resume(): void {
    this.#paused = false;
    if (this.#socket !== undefined) {
      this.#socket.resume();
      return;
    }
    if (this.#urgent) return;
    this.#urgent = true;
    if (this.#retry === undefined) this.#ask();
  }

  /** The peer has just been heard of elsewhere: no pause before it is dialled again. */
  hurry(): void {
    this.#failures = 0;
    if (this.#retry === undefined || this.#closed) return;
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#ask();
  }

  /** That it was not there before counts no longer: it is dialled at once, and absent only where that fails. */
  forgive(): void {
    this.#absent = false;
    this.hurry();
  }

  /** The process at the other end is not the peer any more. */
  renew(): void {
    this.#failures = 0;
    if (this.#open) this.#socket?.destroy();
    else this.hurry();
  }

  /** The peer has fallen silent where it is always listened to; here it is not, unless a round waits for it. */
  suspect(): void {
    if (this.#paused) this.renew();
  }

  /** Called at every tick of the lane's clock: a peer that was silent for more than `limit` of them is gone. */
  tick(limit: number): void {
    const socket = this.#socket;
    if (!this.#open || socket === undefined) return;
    if (socket.writableLength === 0) socket.write(beat);
    // What is not read cannot be heard.
    if (!this.#paused && ++this.#silent > limit) socket.destroy();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#grace);
    this.#options.turns.forget(this.#options.peer);
    this.#socket?.destroy();
  }

  #ask(): void {
    const { turns, peer } = this.#options;
    turns.ask(peer, this.#urgent, (done) => this.#dial(done));
  }

  #dial(done: () => void): void {
    const { peer, identity, key, secure, onRefused } = this.#options;
    this.#urgent = false;
    const a = identity.hello(peer, randomBytes(nonceBytes));
    const answer = Buffer.alloc(helloBytes + proofBytes);
    let answered = 0;
    let reader: FrameReader | undefined;
    let goOn = true;

    const receive = (count: number): void => {
      this.#silent = 0;
      let chunk = this.#staging.subarray(0, count);
      if (reader !== undefined) {
        reader.advance(count);
        return;
      }
      const take = Math.min(answer.length - answered, count);
      answer.set(chunk.subarray(0, take), answered);
      answered += take;
      if (answered < answer.length) return;
      const b = answer.subarray(0, helloBytes);
      const from = identity.check(b);
      if (typeof from === "string") throw new Refused(from);
      if (from !== peer) throw new Refused("rank");
      if (!sameBytes(answer.subarray(helloBytes), proof(key, "listener", a, b))) throw new Refused("key");
      // Said even to a process that is not the peer any more: it learns so by this hello, once it is proved.
      socket.write(proof(key, "dialler", a, b));
      if (!identity.conclude(peer, b)) {
        socket.end();
        throw new Refused("incarnation");
      }
      this.#opened();
      const seal = key === undefined ? undefined : new Seal(key, a, b);
      reader = new FrameReader(
        {
          spec: identity.spec,
          maxBytes: this.#options.maxBytes,
          sender: peer,
          memory: this.#options.memory,
          local: isLoopback(socket.remoteAddress),
          onFrame: (header, data) => {
            goOn = this.#options.onFrame(header, data);
          },
          onBeat: (round) => this.#options.onBeat(round),
          ...(seal === undefined ? {} : { open: (head, payload, tag) => seal.open(head, payload, tag) }),
        },
        this.#staging,
      );
      clearTimeout(deadline);
      done();
      chunk = chunk.subarray(take);
      if (chunk.length > 0) reader.push(chunk.slice());
    };

    const onread = {
      buffer: () => reader?.space() ?? this.#staging,
      callback: (count: number): boolean => {
        goOn = true;
        try {
          receive(count);
        } catch (error) {
          if (!(error instanceof FrameError || error instanceof Refused)) throw error;
          onRefused(error instanceof FrameError ? error.refusal : error.message);
          // Ended already where the last words are to be read.
          if (!socket.writableEnded) socket.destroy();
          return false;
        }
        this.#paused = !goOn;
        return goOn;
      },
    };
    const socket = secure?.dial(this.#options.address(), onread) ?? net.connect({ ...this.#options.address(), onread });
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 5000);
    // A host that does not even accept costs nobody any work: others may have the turn.
    const unheard = setTimeout(() => {
      if (socket.connecting) done();
    }, 1000);
    // A dialled host may accept and never answer, or answer a byte at a time, or never accept.
    const deadline = setTimeout(() => {
      if (answered > 0) onRefused("handshake");
      socket.destroy();
    }, this.#options.handshakeTimeout);
    socket.once(secure === undefined ? "connect" : "secureConnect", () => {
      if (secure === undefined || secure.fits(socket as tls.TLSSocket)) {
        socket.write(a);
        return;
      }
      onRefused("name");
      socket.destroy();
    });
    socket.on("error", (error: NodeJS.ErrnoException) => {
      // What the network says has a system call to its name; else it is TLS that will not have the other side.
      if (secure !== undefined && !this.#open && error.syscall === undefined) onRefused("certificate");
    });
    socket.once("end", () => socket.destroy());
    socket.once("close", () => {
      clearTimeout(deadline);
      clearTimeout(unheard);
      done();
      this.#lost();
    });
  }

  #opened(): void {
    this.#open = true;
    this.#absent = false;
    this.#since = performance.now();
    clearTimeout(this.#grace);
  }

  #lost(): void {
    const { onLost, lostGrace } = this.#options;
    const wasOpen = this.#open;
    this.#socket = undefined;
    this.#open = false;
    this.#paused = false;
    if (this.#closed) return;
    if (wasOpen) {
      if (performance.now() - this.#since >= lived) this.#failures = 0;
      clearTimeout(this.#grace);
      this.#grace = setTimeout(() => this.#miss(), lostGrace);
      this.#grace.unref();
      onLost();
    } else this.#miss();
    const wait = this.#failures === 0 ? 0 : Math.min(5000, 25 * 2 ** this.#failures);
    this.#failures++;
    // Spread over half the time, so that peers cut off together do not all come back together.
    this.#retry = setTimeout(
      () => {
        this.#retry = undefined;
        this.#ask();
      },
      wait * (0.5 + 0.5 * Math.random()),
    );
    this.#retry.unref();
  }

  #miss(): void {
    clearTimeout(this.#grace);
    if (this.#absent || this.#open) return;
    this.#absent = true;
    this.#options.onAbsent();
  }
}

class Refused extends Error {}

/** Whether an address is this very machine. */
export function isLoopback(host: string | undefined): boolean {
  return host !== undefined && isLoopbackHost(host.replace(/^::ffff:/, ""));
}
