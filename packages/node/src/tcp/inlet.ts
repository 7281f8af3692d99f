/**
 * The receiving end of a connection. A peer dials those it receives from: only a dialled socket can read into memory of
 * our choice (`onread`), so that a large payload lands in its vector at once. A lost connection is dialled again at once,
 * and if that fails after 50 ms, then twice as long each time up to 5 s.
 *
 * The peer at the other end is absent from the time that it could not be dialled again, until it could. One that dies
 * refuses connections, so that takes a moment; one whose host is gone does not answer, and is given `lostGrace`.
 */

import net from "node:net";
import type tls from "node:tls";
import type { ElementType, Header, Vector } from "equitopo/internal/peer";
import { FrameError, FrameReader, helloBytes } from "equitopo/internal/peer";
import type { Address } from "../server/address.ts";
import { isLoopback } from "../server/listen.ts";
import { answerBytes, type Identity } from "./handshake.ts";
import type { SecureDialler } from "./secure.ts";
import type { Turns } from "./turns.ts";

export interface InletOptions {
  readonly peer: number;
  readonly address: () => Address;
  readonly identity: Identity;
  readonly turns: Turns;
  readonly secure: SecureDialler | undefined;
  readonly maxBytes: number;
  readonly handshakeTimeout: number;
  readonly lostGrace: number;
  readonly answerGrace: number;
  readonly memory: (type: ElementType, length: number) => Vector;
  /** False: stop reading until resume(). */
  readonly onFrame: (header: Header, data: Vector | undefined) => boolean;
  readonly onBeat: (round: number) => void;
  readonly onRefused: (reason: string) => void;
  /** It is connected once more, after a connection that was lost. */
  readonly onAgain: () => void;
  /** A connection over which frames came has ended. */
  readonly onLost: () => void;
  /** From now on the peer is absent. */
  readonly onAbsent: () => void;
}

/** What a connection must have lived for, in milliseconds, to be dialled again without a pause. */
const lived = 1000;
const beat = Uint8Array.of(0);
/** What is read before a header is known, and copied: many small frames at once, and little of a large one. */
const stagingBytes = 16384;

export type Inlet = ReturnType<typeof openInlet>;

/** `urgent`: a round waits for it already. */
export function openInlet(options: InletOptions, urgent: boolean) {
  const { peer, identity, turns, secure, maxBytes, memory, onFrame, onBeat, onRefused } = options;
  const staging = new Uint8Array(stagingBytes);
  let socket: net.Socket | undefined;
  let open = false;
  let paused = false;
  /** Ticks since the peer was last heard of. */
  let silent = 0;
  let since = 0;
  let dialledAt = "";
  let retry: NodeJS.Timeout | undefined;
  let grace: NodeJS.Timeout | undefined;
  let failures = 0;
  let absent = false;
  let isUrgent = urgent;
  let closed = false;

  /** The peer has just been heard of elsewhere: no pause before it is dialled again. */
  function hurry(): void {
    failures = 0;
    if (retry === undefined || closed) return;
    clearTimeout(retry);
    retry = undefined;
    ask();
  }

  /** The process at the other end is not the peer any more. */
  function renew(): void {
    failures = 0;
    if (open) socket?.destroy();
    else hurry();
  }

  function ask(): void {
    turns.ask(peer, isUrgent, dial);
  }

  function dial(done: () => void): void {
    isUrgent = false;
    const a = identity.hello(peer);
    const answer = Buffer.alloc(answerBytes);
    let answered = 0;
    let reader: FrameReader | undefined;
    let goOn = true;

    const receive = (count: number): void => {
      silent = 0;
      let chunk = staging.subarray(0, count);
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
      if (!identity.proves(answer.subarray(helloBytes), "listener", a, b)) throw new Refused("key");
      // Said even to a process that is not the peer any more: it learns so by this hello, once it is proved.
      dialled.write(identity.proof("dialler", a, b));
      if (!identity.conclude(peer, b)) {
        // Once the last words are out: nothing is read any more, so the other end's would not be noticed.
        dialled.destroySoon();
        throw new Refused("incarnation");
      }
      open = true;
      absent = false;
      if (since > 0) options.onAgain();
      since = performance.now();
      clearTimeout(grace);
      const seal = identity.seal(a, b);
      reader = new FrameReader(
        {
          ...{ spec: identity.spec, maxBytes, sender: peer, memory, onBeat, local: isLoopback(dialled.remoteAddress) },
          onFrame: (header, data) => {
            goOn = onFrame(header, data);
          },
          ...(seal === undefined ? {} : { open: (head, payload, tag) => seal.open(head, payload, tag) }),
        },
        staging,
      );
      clearTimeout(deadline);
      clearTimeout(unanswered);
      done();
      chunk = chunk.subarray(take);
      if (chunk.length > 0) reader.push(chunk.slice());
    };

    const onread = {
      buffer: () => reader?.space() ?? staging,
      callback: (count: number): boolean => {
        goOn = true;
        try {
          receive(count);
        } catch (error) {
          if (!(error instanceof FrameError || error instanceof Refused)) throw error;
          onRefused(error instanceof FrameError ? error.refusal : error.message);
          // Ended already where the last words are to be read.
          if (!dialled.writableEnded) dialled.destroy();
          return false;
        }
        paused = !goOn;
        return goOn;
      },
    };
    const { host, port } = options.address();
    dialledAt = `${host} ${port}`;
    const dialled = secure?.dial({ host, port }, onread) ?? net.connect({ host, port, onread });
    socket = dialled;
    dialled.setNoDelay(true);
    dialled.setKeepAlive(true, 5000);
    const unanswered = setTimeout(miss, options.answerGrace);
    // A dialled host may accept and never answer, or answer a byte at a time, or never accept.
    const deadline = setTimeout(() => {
      if (answered > 0) onRefused("handshake");
      dialled.destroy();
    }, options.handshakeTimeout);
    dialled.once(secure === undefined ? "connect" : "secureConnect", () => {
      if (secure === undefined || secure.fits(dialled as tls.TLSSocket)) {
        dialled.write(a);
        return;
      }
      onRefused("name");
      dialled.destroy();
    });
    dialled.on("error", (error: NodeJS.ErrnoException) => {
      // What the network says has a system call to its name; else it is TLS that will not have the other side.
      if (secure !== undefined && !open && error.syscall === undefined) onRefused("certificate");
    });
    dialled.once("end", () => dialled.destroy());
    dialled.once("close", () => {
      clearTimeout(deadline);
      clearTimeout(unanswered);
      done();
      lost();
    });
  }

  function lost(): void {
    const wasOpen = open;
    socket = undefined;
    open = false;
    paused = false;
    if (closed) return;
    if (wasOpen) {
      if (performance.now() - since >= lived) failures = 0;
      clearTimeout(grace);
      grace = setTimeout(miss, options.lostGrace);
      grace.unref();
      options.onLost();
    } else miss();
    const wait = failures === 0 ? 0 : Math.min(5000, 25 * 2 ** failures);
    failures++;
    // Spread over half the time, so that peers cut off together do not all come back together.
    retry = setTimeout(
      () => {
        retry = undefined;
        ask();
      },
      wait * (0.5 + 0.5 * Math.random()),
    );
    retry.unref();
  }

  function miss(): void {
    clearTimeout(grace);
    if (absent || open) return;
    absent = true;
    options.onAbsent();
  }

  ask();
  return {
    ...{ hurry, renew },

    /** Whether the peer could not be reached when it was last dialled. */
    isAbsent: () => absent,

    /** Whether it was heard just now, at the address that it has. */
    isThere(): boolean {
      const { host, port } = options.address();
      return open && silent <= 2 && dialledAt === `${host} ${port}`;
    },

    resume(): void {
      paused = false;
      if (socket !== undefined) {
        socket.resume();
        return;
      }
      if (isUrgent) return;
      isUrgent = true;
      if (retry === undefined) ask();
    },

    /** That it was not there before counts no longer: it is dialled at once, and absent only where that fails. */
    forgive(): void {
      absent = false;
      hurry();
    },

    /** The peer has fallen silent where it is always listened to; here it is not, unless a round waits for it. */
    suspect(): void {
      if (paused) renew();
    },

    /** Called at every tick of the lane's clock: a peer that was silent for more than `limit` of them is gone. */
    tick(limit: number): void {
      if (!open || socket === undefined) return;
      if (socket.writableLength === 0) socket.write(beat);
      // What is not read cannot be heard.
      if (!paused && ++silent > limit) socket.destroy();
    },

    close(): void {
      closed = true;
      clearTimeout(retry);
      clearTimeout(grace);
      turns.forget(peer);
      socket?.destroy();
    },
  };
}

class Refused extends Error {}
