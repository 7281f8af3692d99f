/**
 * Peers on machines: node:net, or node:tls with a shared private CA, or plain TCP with a pre-shared key (seal.ts).
 * Each peer listens; each dials those it receives from (inlet.ts) and answers those it sends to (outlet.ts). Frames as in
 * frame.ts. Without TLS or key only loopback addresses are served, unless `insecure` is said.
 */

import { createHash, randomBytes } from "node:crypto";
import net from "node:net";
import tls from "node:tls";
import { InputError } from "equitopo";
import { sameBytes } from "equitopo/number";
import {
  checkHello,
  type Ears,
  Exchange,
  type ExchangeOptions,
  encodeHello,
  helloBytes,
  type Lane,
  type Letter,
  type Mode,
  nonceBytes,
  proof,
  proofBytes,
  Spare,
  type Vector,
} from "equitopo/peer";
import { type Address, certificateFits, Inlet, isLoopback, type TlsFiles } from "./inlet.ts";
import { Outlet } from "./outlet.ts";
import { Seal } from "./seal.ts";

export interface TcpOptions extends ExchangeOptions {
  /** Where every peer listens, this one included; read when a peer is dialled, so that it may be filled in later. */
  readonly addresses: readonly Address[];
  /** Where to listen, where that is not addresses[rank] (port 0: any free one). */
  readonly listen?: Address;
  /** What all peers must agree on: any text. Peers of another are refused. */
  readonly spec: string;
  /** At least 16 secret bytes that all peers know. Authenticates and encrypts. */
  readonly key?: Uint8Array;
  readonly tls?: TlsFiles;
  /** Allows plain TCP off this machine. */
  readonly insecure?: boolean;
  /** The largest payload taken from a peer. Default 1 GiB. */
  readonly maxBytes?: number;
  /** Milliseconds. Default 5 s. */
  readonly handshakeTimeout?: number;
  /** Milliseconds that a message waits for its receiver to dial: at the start (default: 30 s), after a break (1 s). */
  readonly startGrace?: number;
  readonly lostGrace?: number;
  /** Told once of each kind of refusal from each source. Default: a line on standard error. */
  readonly log?: (line: string) => void;
}

export class TcpTransport extends Exchange {
  readonly #lane: TcpLane;

  /**
   * A peer that listens. It dials the others by itself, when it first needs them or when it is told to prepare.
   *
   * @example
   * ```ts
   * import { TcpTransport } from "@equitopo/node";
   * const listen = { host: "127.0.0.1", port: 0 };
   * const addresses = [listen, listen];
   * const open = (rank: number) => TcpTransport.listen({ rank, size: 2, addresses, listen, spec: "any text" });
   * const peers = [await open(0), await open(1)];
   * for (const { rank, port } of peers) addresses[rank] = { host: "127.0.0.1", port };
   * const [, outcome] = await Promise.all([
   *   peers[0].exchange({ round: 0, send: [{ peer: 1, data: Float64Array.of(7) }], receive: [] }),
   *   peers[1].exchange({ round: 0, send: [], receive: [{ peer: 0, length: 1, type: "float64" }] }),
   * ]);
   * outcome.arrived[0]?.[0] // => 7
   * await Promise.all(peers.map((peer) => peer.close()));
   * ```
   */
  static async listen(options: TcpOptions): Promise<TcpTransport> {
    const lane = new TcpLane(options);
    const transport = new TcpTransport(lane, options);
    await lane.listen();
    return transport;
  }

  private constructor(lane: TcpLane, options: TcpOptions) {
    super(lane, options);
    this.#lane = lane;
  }

  /** The port it listens at. */
  get port(): number {
    return this.#lane.port;
  }
}

/** The lane of a TcpTransport, for a peer that has other lanes beside it; `listen()` before the first exchange. */
export class TcpLane implements Lane {
  readonly name = "tcp";
  readonly ordered = true;
  readonly #rank: number;
  readonly #size: number;
  readonly #options: TcpOptions;
  readonly #mode: Mode;
  readonly #spec: Uint8Array;
  readonly #server: net.Server;
  readonly #inlets = new Map<number, Inlet>();
  readonly #outlets: readonly Outlet[];
  readonly #strangers = new Set<net.Socket>();
  readonly #logged = new Set<string>();
  readonly #spare = new Spare();
  #ears: Ears | undefined;

  constructor(options: TcpOptions) {
    this.#rank = options.rank;
    this.#size = options.size;
    this.#options = options;
    this.#mode = options.tls !== undefined ? "tls" : options.key !== undefined ? "key" : "plain";
    checkSafety(options, this.#mode);
    this.#spec = createHash("sha256").update(options.spec).digest();
    const { startGrace = 30_000, lostGrace = 1000 } = options;
    const onUnsent = () => {
      if (this.#ears !== undefined) this.#ears.counts.unsent++;
    };
    this.#outlets = Array.from(
      { length: this.#size },
      () => new Outlet({ rank: this.#rank, spec: this.#spec, startGrace, lostGrace, onUnsent }),
    );
    const greet = (socket: net.Socket) => this.#greet(socket);
    if (options.tls === undefined) this.#server = net.createServer({ noDelay: true }, greet);
    else {
      const { ca, cert, key } = options.tls;
      const { handshakeTimeout = 5000 } = options;
      this.#server = tls.createServer(
        { ca, cert, key, requestCert: true, rejectUnauthorized: true, noDelay: true, handshakeTimeout },
        greet,
      );
      this.#server.on("tlsClientError", (_, socket) => this.#refused("tls", remote(socket)));
    }
    this.#server.maxConnections = 4 * this.#size + 64;
  }

  open(ears: Ears): void {
    this.#ears = ears;
  }

  async listen(): Promise<void> {
    const { host, port } = this.#options.listen ?? this.#options.addresses[this.#rank];
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen({ host, port }, () => {
        this.#server.off("error", reject);
        this.#server.on("error", () => this.#refused("listen", "the listening socket"));
        resolve();
      });
    });
  }

  get port(): number {
    return (this.#server.address() as net.AddressInfo).port;
  }

  prepare(peers: readonly number[]): void {
    for (const peer of peers) this.expects(peer);
  }

  overhear(): void {
    this.prepare(Array.from({ length: this.#size - 1 }, (_, j) => (this.#rank + 1 + j) % this.#size));
  }

  expects(peer: number): void {
    const known = this.#inlets.get(peer);
    if (known !== undefined) {
      known.resume();
      return;
    }
    const { addresses, key, tls: files, maxBytes = 2 ** 30, handshakeTimeout = 5000 } = this.#options;
    const inlet = new Inlet({
      peer,
      address: () => addresses[peer],
      self: { mode: this.#mode, spec: this.#spec, from: this.#rank, size: this.#size },
      key,
      tls: files,
      maxBytes,
      handshakeTimeout,
      memory: (type, length) => this.#spare.take(type, length),
      onFrame: ({ kind, round, sequence }, data) => {
        this.#ears?.deliver(peer, { kind, round, sequence, data });
        // What comes early mostly stays in the socket: it costs no memory here, and a sender far ahead is slowed down.
        return this.#ears?.awaits(peer) === true;
      },
      onRefused: (reason) => this.#refused(reason, `peer ${peer}`),
      onLost: () => {
        if (this.#ears !== undefined) this.#ears.counts.reconnects++;
      },
    });
    this.#inlets.set(peer, inlet);
  }

  /** That peer is not reached by TCP any more: it is not dialled again. */
  forget(peer: number): void {
    this.#inlets.get(peer)?.close();
    this.#inlets.delete(peer);
  }

  send(peer: number, letter: Letter): Promise<void> | undefined {
    return this.#outlets[peer].post(letter);
  }

  abandon(round: number): void {
    for (const outlet of this.#outlets) outlet.drop((letter) => letter.round === round);
  }

  now(): number {
    return performance.now();
  }

  after(milliseconds: number, run: () => void): () => void {
    const timer = setTimeout(run, Math.ceil(milliseconds));
    return () => clearTimeout(timer);
  }

  recycle(data: Vector): void {
    this.#spare.give(data);
  }

  /** Somebody has dialled us: who is it, and may it have our messages? */
  #greet(socket: net.Socket): void {
    const { key, handshakeTimeout = 5000 } = this.#options;
    socket.on("error", () => {});
    const refuse = (reason: string) => {
      this.#refused(reason, remote(socket));
      socket.destroy();
    };
    if (this.#strangers.size >= 2 * this.#size + 32) {
      refuse("crowd");
      return;
    }
    this.#strangers.add(socket);
    const timer = setTimeout(() => refuse("handshake"), handshakeTimeout);
    const forget = () => {
      clearTimeout(timer);
      this.#strangers.delete(socket);
    };
    socket.once("close", forget);
    const said = Buffer.alloc(helloBytes + proofBytes);
    let heard = 0;
    let from = -1;
    let b: Uint8Array | undefined;

    socket.on("data", (chunk: Buffer) => {
      // A dialler says its hello and its proof and then only listens.
      if (heard + chunk.length > said.length) {
        refuse("garbage");
        return;
      }
      said.set(chunk, heard);
      heard += chunk.length;
      const a = said.subarray(0, helloBytes);
      if (heard >= helloBytes && b === undefined) {
        const self = { mode: this.#mode, spec: this.#spec, from: this.#rank, size: this.#size };
        const known = checkHello(a, self);
        if (typeof known === "string") {
          refuse(known);
          return;
        }
        const files = this.#options.tls;
        if (files !== undefined && !certificateFits(socket as tls.TLSSocket, files, known)) {
          refuse("name");
          return;
        }
        from = known;
        b = encodeHello({ ...self, to: from }, randomBytes(nonceBytes));
        socket.write(Buffer.concat([b, proof(key, "listener", a, b)]));
      }
      if (heard < said.length || b === undefined) return;
      if (!sameBytes(said.subarray(helloBytes), proof(key, "dialler", a, b))) {
        refuse("key");
        return;
      }
      forget();
      socket.once("end", () => socket.destroy());
      this.#outlets[from].attach(socket, key === undefined ? undefined : new Seal(key, a, b));
    });
  }

  #refused(reason: string, source: string): void {
    this.#ears?.refuse(reason);
    const line = `peer ${this.#rank}: refused ${source}: ${reason}`;
    if (this.#logged.has(line) || this.#logged.size > 1000) return;
    this.#logged.add(line);
    const { log = (text: string) => process.stderr.write(`${text}\n`) } = this.#options;
    log(line);
  }

  async close(): Promise<void> {
    for (const inlet of this.#inlets.values()) inlet.close();
    for (const outlet of this.#outlets) outlet.close();
    for (const socket of this.#strangers) socket.destroy();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }
}

function remote(socket: net.Socket): string {
  return socket.remoteAddress ?? "a connection";
}

function checkSafety({ key, insecure = false, addresses, rank, listen }: TcpOptions, mode: Mode): void {
  if (key !== undefined && key.length < 16) {
    throw new InputError("a pre-shared key has at least 16 bytes", key.length, "make one with crypto.randomBytes(32)");
  }
  if (mode !== "plain" || insecure) return;
  const { host } = listen ?? addresses[rank];
  if (!isLoopback(host)) {
    throw new InputError(
      "plain TCP is for loopback addresses",
      host,
      "give a key or certificates, or say insecure: true on a network where everyone may read and write",
    );
  }
}
