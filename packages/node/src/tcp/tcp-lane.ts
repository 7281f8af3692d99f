/**
 * The lane of a TcpTransport: for every peer an inlet and an outlet, and whether the peer is known to be there.
 *
 * A peer whose connection has ended is missed at once in the round under way; one that could not be dialled again
 * (inlet.ts), in every later one until it can. One that was started again (a newer incarnation) must first find out where
 * the others are: it is missed until a beat or a letter of about now has come from it. Only at the start is everybody
 * waited for: for as many rounds as it takes until all have heard of all, at most `startGrace`.
 */

import { createHash, randomInt } from "node:crypto";
import { once } from "node:events";
import net from "node:net";
import type tls from "node:tls";
import { InputError } from "equitopo";
import type { Ears, Lane, Letter, Vector } from "equitopo/internal/peer";
import {
  defaultTimeout,
  gatherSteps,
  newIncarnation,
  ReplacedError,
  runtimeClock,
  Spare,
  usualLag,
  wordRounds,
} from "equitopo/internal/peer";
import { isLoopback, listening } from "../server/listen.ts";
import { addressOf, openDoor, refusalLog, remedies } from "./door.ts";
import { greet, type Identity, identityOf } from "./handshake.ts";
import { type Inlet, openInlet } from "./inlet.ts";
import { newOutlet, type Outlet } from "./outlet.ts";
import { certificateFits, contextOf, type SecureDialler, secureDialler, secureServer } from "./secure.ts";
import type { TcpOptions } from "./tcp.ts";
import { takingTurns } from "./turns.ts";

interface PeerState {
  readonly outlet: Outlet;
  readonly secure: SecureDialler | undefined;
  inlet: Inlet | undefined;
  /** Whether it was started again, and nothing of the rounds around ours has come from it yet; and how often it was. */
  returning: boolean;
  starts: number;
}

/** Milliseconds, and bytes of the longest vector, where the options do not say otherwise. */
const usual = {
  ...{ timeout: defaultTimeout, handshakeTimeout: 10_000, startGrace: 30_000, lostGrace: 1000 },
  maxBytes: 64 * 2 ** 20,
};

/** For a peer that has other lanes beside it; `listen()` before the first exchange. */
export class TcpLane implements Lane {
  readonly name = "tcp";
  readonly ordered = true;
  readonly now = runtimeClock.now;
  readonly after = runtimeClock.after;
  readonly #options: TcpOptions & typeof usual;
  readonly #identity: Identity;
  readonly #server: net.Server;
  readonly #door: ReturnType<typeof openDoor>;
  readonly #peers: readonly PeerState[];
  readonly #turns = takingTurns(3);
  readonly #logRefusal: ReturnType<typeof refusalLog>;
  readonly #spare = new Spare();
  #ears: Ears | undefined;
  #clock: NodeJS.Timeout | undefined;
  /** Those that the exchange under way waits for. */
  #expected: number[] = [];
  /** The first round that was ever begun; rounds below the floor are over. */
  #first: number | undefined;
  #floor = 0;
  #begun = false;
  #started = performance.now();

  constructor(options: TcpOptions) {
    const { rank, size, tls: files, key } = options;
    this.#options = { ...usual, ...options };
    const mode = files !== undefined ? "tls" : key !== undefined ? "key" : "plain";
    if (mode !== "tls") checkSafety(options);
    const log = options.log ?? ((text: string) => process.stderr.write(`${text}\n`));
    this.#logRefusal = refusalLog(`peer ${rank}`, log);
    this.#identity = identityOf({
      ...{ mode, key, rank, size, spec: createHash("sha256").update(options.spec).digest() },
      incarnation: options.incarnation ?? newIncarnation(Date.now(), randomInt(1024)),
      onFenced: () => this.#fenced(),
      onNewer: (peer) => this.#startedAgain(peer),
    });
    this.#door = openDoor({
      ...{ limit: 2 * size + 32, patience: this.#options.handshakeTimeout },
      onRefused: (reason, address) => this.#refused(reason, address),
    });
    const context = files === undefined ? undefined : contextOf(files);
    this.#peers = Array.from({ length: size }, (_, peer) => ({
      outlet: this.#newOutlet(peer),
      secure: files === undefined || context === undefined ? undefined : secureDialler(files, context, peer),
      inlet: undefined,
      returning: false,
      starts: 0,
    }));
    this.#server = files === undefined ? net.createServer({ noDelay: true }) : secureServer(files);
    this.#server.on("connection", (socket: net.Socket) => {
      this.#door.enter(socket);
      if (files === undefined) this.#greet(socket);
    });
    this.#server.on("secureConnection", (socket: tls.TLSSocket) => {
      if (socket.authorized) this.#greet(socket);
      else this.#sendAway(socket, "certificate");
    });
    this.#server.on("tlsClientError", (error: NodeJS.ErrnoException, socket: tls.TLSSocket) => {
      // Who hangs up, or has been sent away, is not refused (again).
      if (error.code === "ECONNRESET") socket.destroy();
      else this.#sendAway(socket, "tls");
    });
  }

  open(ears: Ears): void {
    this.#ears = ears;
  }

  async listen(): Promise<void> {
    const { rank, size, addresses, timeout } = this.#options;
    // Every peer beats to every other: of several hundred on one machine, once a second would be most of what they do.
    const { beat = 1000 * Math.max(1, size / 64) } = this.#options;
    await listening(this.#server, this.#options.listen ?? addresses[rank]);
    this.#server.on("error", () => this.#refused("listen", "the listening socket"));
    this.#started = performance.now();
    const { silence = Math.max(4000, timeout / 2) } = this.#options;
    const limit = Math.max(2, Math.ceil(silence / beat));
    // Ticks are counted, not time: while this process itself stood still, nobody was silent.
    this.#clock = setInterval(() => {
      for (const { inlet, outlet } of this.#peers) {
        inlet?.tick(limit);
        outlet.tick(limit, this.#floor);
      }
    }, beat);
    this.#clock.unref();
  }

  get port(): number {
    return (this.#server.address() as net.AddressInfo).port;
  }

  prepare(peers: readonly number[]): void {
    for (const peer of peers) this.#inlet(peer, false);
  }

  overhear(): void {
    const { rank, size } = this.#options;
    this.prepare(Array.from({ length: size - 1 }, (_, j) => (rank + 1 + j) % size));
  }

  expects(peer: number): void {
    this.#expected.push(peer);
    this.#inlet(peer, true).resume();
  }

  /** Not in `expects`: what a peer sent for this round before it went is used first. */
  wait(): void {
    for (const peer of this.#expected.splice(0)) if (this.#isAbsent(peer)) this.#ears?.gone(peer);
  }

  /** That peer is not reached by TCP any more: it is not dialled again. */
  forget(peer: number): void {
    const state = this.#peers[peer];
    state.inlet?.close();
    state.inlet = undefined;
    state.returning = false;
  }

  send(peer: number, letter: Letter): Promise<void> | undefined {
    const { maxBytes } = this.#options;
    if (letter.data !== undefined && letter.data.byteLength > maxBytes) {
      throw new InputError(`a vector has at most maxBytes = ${maxBytes} bytes`, letter.data.byteLength, "raise it");
    }
    const { outlet, inlet } = this.#peers[peer];
    // Whether somebody is there is found out by dialling, also where nothing is expected from it.
    if (!outlet.isConnected() && inlet === undefined && !this.#isStarting()) this.#inlet(peer, true);
    return outlet.post(letter);
  }

  gone(peer: number): boolean {
    return this.#isAbsent(peer);
  }

  starts(peer: number): number {
    return this.#peers[peer].starts;
  }

  abandon(round: number): void {
    for (const { outlet } of this.#peers) outlet.drop((letter) => letter.round === round);
  }

  leave(round: number): readonly Vector[] {
    this.#expected = [];
    this.#first ??= round;
    const ahead = round - this.#floor;
    this.#floor = Math.max(this.#floor, round);
    // A peer that was dialled before it listened is most likely there by the end of the meeting.
    if (!this.#begun && !this.#isStarting()) {
      this.#begun = true;
      if (this.#options.startRounds !== 0) for (const { inlet } of this.#peers) inlet?.forgive();
    }
    // Others wait for this peer from the time they know that it is where they are.
    if (ahead > usualLag(this.#options.size)) for (const { outlet } of this.#peers) outlet.beat(round);
    return [];
  }

  recycle(data: Vector): void {
    this.#spare.give(data);
  }

  refused(peer: number, reason: string): void {
    this.#logRefusal(reason, `a letter of peer ${peer}`);
  }

  async close(): Promise<void> {
    clearInterval(this.#clock);
    for (const { inlet, outlet } of this.#peers) {
      inlet?.close();
      outlet.close();
    }
    const closed = once(this.#server.close(), "close");
    this.#door.close();
    await closed;
  }

  /** Milliseconds that peers which have not come yet are still waited for. */
  #startPatience(): number {
    const { startGrace, size, startRounds = gatherSteps(size) } = this.#options;
    const over = this.#first !== undefined && this.#floor - this.#first >= startRounds;
    return over ? 0 : this.#started + startGrace - performance.now();
  }

  #isStarting(): boolean {
    return this.#startPatience() > 0;
  }

  #isAbsent(peer: number): boolean {
    const { inlet, returning } = this.#peers[peer];
    return (returning || inlet?.isAbsent() === true) && !this.#isStarting();
  }

  #inlet(peer: number, urgent: boolean): Inlet {
    const state = this.#peers[peer];
    const { addresses, refresh, maxBytes, handshakeTimeout, lostGrace } = this.#options;
    const { answerGrace = handshakeTimeout } = this.#options;
    state.inlet ??= openInlet(
      {
        peer,
        address: () => {
          if (state.inlet?.isAbsent()) refresh?.();
          return addresses[peer];
        },
        ...{ identity: this.#identity, turns: this.#turns, secure: state.secure },
        ...{ maxBytes, handshakeTimeout, lostGrace, answerGrace },
        memory: (type, length) => this.#spare.take(type, length),
        onFrame: ({ kind, round, sequence }, data) => {
          this.#isAt(peer, round);
          this.#ears?.deliver(peer, { kind, round, sequence, data });
          // What comes early mostly stays in the socket: it costs no memory here, and a sender far ahead is slowed down.
          return this.#ears?.awaits(peer) === true;
        },
        onBeat: (round) => {
          this.#isAt(peer, round);
          this.#ears?.at(peer, round);
        },
        onRefused: (reason) => this.#refused(reason, `peer ${peer}`),
        onAgain: () => this.#count("reconnects"),
        onLost: () => {
          if (!this.#isStarting()) this.#ears?.gone(peer);
        },
        onAbsent: () => this.#absent(peer),
      },
      urgent,
    );
    return state.inlet;
  }

  #newOutlet(peer: number): Outlet {
    const { rank, handshakeTimeout: patience } = this.#options;
    return newOutlet({
      ...{ rank, spec: this.#identity.spec, patience },
      startPatience: () => Math.max(patience, this.#startPatience()),
      absent: () => this.#isAbsent(peer),
      onUnsent: () => this.#count("unsent"),
      // A sender sees the end of a connection, too; whether the peer is gone is found out by dialling it.
      onLost: (silent) => {
        // A peer that has moved to another lane has no address here any more.
        if (!this.#isStarting() && this.#options.addresses[peer] !== undefined) this.#inlet(peer, true);
        if (silent) this.#peers[peer].inlet?.suspect();
      },
      onRefused: (reason) => this.#refused(reason, `peer ${peer}`),
    });
  }

  #count(what: "unsent" | "reconnects"): void {
    if (this.#ears !== undefined) this.#ears.counts[what]++;
  }

  #absent(peer: number): void {
    if (this.#isStarting()) return;
    this.#ears?.gone(peer);
    this.#peers[peer].outlet.drop(() => true);
  }

  #isAt(peer: number, round: number): void {
    const near = round > this.#floor - usualLag(this.#options.size) && round < wordRounds;
    if (near) this.#peers[peer].returning = false;
  }

  #startedAgain(peer: number): void {
    const state = this.#peers[peer];
    state.returning = true;
    state.starts++;
    if (!this.#isStarting()) this.#ears?.gone(peer);
    state.inlet?.renew();
  }

  #fenced(): void {
    this.#ears?.end(new ReplacedError(this.#options.rank));
    void this.close();
  }

  #greet(socket: net.Socket): void {
    const { tls: files } = this.#options;
    socket.on("error", () => {});
    socket.setKeepAlive(true, 5000);
    greet(socket, {
      identity: this.#identity,
      fits: (peer) => files === undefined || certificateFits(socket as tls.TLSSocket, files, peer),
      isThere: (peer) => {
        this.#options.refresh?.();
        return this.#peers[peer].inlet?.isThere() === true;
      },
      onRefused: (reason, claimed) => this.#sendAway(socket, reason, claimed),
      onKnown: (peer, seal, more) => {
        if (!this.#door.admit(socket)) return;
        const { outlet, inlet } = this.#peers[peer];
        outlet.attach(socket, seal, more, this.#floor);
        inlet?.hurry();
      },
    });
  }

  /** The message says what a stranger claims to be, for the person who has to find it. */
  #sendAway(socket: net.Socket, reason: string, claimed?: number): void {
    const named = claimed !== undefined && claimed < this.#options.size;
    this.#refused(reason, named ? `peer ${claimed} at ${addressOf(socket)}` : addressOf(socket));
    socket.destroy();
  }

  #refused(reason: string, source: string): void {
    this.#ears?.refuse(reason, { source, remedy: remedies[reason] });
    this.#logRefusal(reason, source);
  }
}

function checkSafety({ key, insecure = false, addresses, rank, listen }: TcpOptions): void {
  if (key !== undefined && key.length < 16) {
    throw new InputError("a pre-shared key has at least 16 bytes", key.length, "make one with crypto.randomBytes(32)");
  }
  if (key !== undefined || insecure) return;
  const { host } = listen ?? addresses[rank];
  if (isLoopback(host)) return;
  const remedy = "give a key or certificates, or say insecure: true on a network where everyone may read and write";
  throw new InputError("plain TCP is for loopback addresses", host, remedy);
}
