/**
 * The receiving end of a connection. A peer dials those it receives from: only a dialled socket can read into memory of
 * our choice (`onread`), so that a large payload lands in its vector at once. A lost connection is dialled again, after
 * 50 ms, then twice as long each time up to 5 s.
 */

import { randomBytes } from "node:crypto";
import net from "node:net";
import tls from "node:tls";
import { isLoopbackHost } from "@equitopo/web";
import { sameBytes } from "equitopo/number";
import {
  checkHello,
  type ElementType,
  encodeHello,
  FrameError,
  FrameReader,
  type Header,
  type Hello,
  helloBytes,
  nonceBytes,
  proof,
  proofBytes,
  type Vector,
} from "equitopo/peer";
import { Seal } from "./seal.ts";

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface TlsFiles {
  /** PEM: the private CA that signed every peer's certificate, and this peer's own. */
  readonly ca: string | Buffer;
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
  /** The name (CN) that a peer's certificate must carry; without it any certificate of the CA may be any peer. */
  readonly nameOf?: (rank: number) => string;
}

export interface InletOptions {
  readonly peer: number;
  readonly address: () => Address;
  readonly self: Omit<Hello, "to">;
  readonly key: Uint8Array | undefined;
  readonly tls: TlsFiles | undefined;
  readonly maxBytes: number;
  readonly handshakeTimeout: number;
  readonly memory: (type: ElementType, length: number) => Vector;
  /** False: stop reading until resume(). */
  readonly onFrame: (header: Header, data: Vector | undefined) => boolean;
  readonly onRefused: (reason: string) => void;
  readonly onLost: () => void;
}

export class Inlet {
  readonly #options: InletOptions;
  readonly #staging = new Uint8Array(65536);
  #socket: net.Socket | undefined;
  #retry: NodeJS.Timeout | undefined;
  #failures = 0;
  #closed = false;

  constructor(options: InletOptions) {
    this.#options = options;
    this.#dial();
  }

  resume(): void {
    this.#socket?.resume();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#socket?.destroy();
  }

  #dial(): void {
    const { peer, self, key, onRefused } = this.#options;
    const a = encodeHello({ ...self, to: peer }, randomBytes(nonceBytes));
    const answer = Buffer.alloc(helloBytes + proofBytes);
    let answered = 0;
    let reader: FrameReader | undefined;
    let goOn = true;

    const receive = (count: number): void => {
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
      const from = checkHello(b, self);
      if (typeof from === "string") throw new Refused(from);
      if (from !== peer) throw new Refused("rank");
      if (!sameBytes(answer.subarray(helloBytes), proof(key, "listener", a, b))) throw new Refused("key");
      socket.write(proof(key, "dialler", a, b));
      socket.setTimeout(0);
      this.#failures = 0;
      const seal = key === undefined ? undefined : new Seal(key, a, b);
      reader = new FrameReader(
        {
          spec: self.spec,
          maxBytes: this.#options.maxBytes,
          sender: peer,
          memory: this.#options.memory,
          local: isLoopback(socket.remoteAddress),
          onFrame: (header, data) => {
            goOn = this.#options.onFrame(header, data);
          },
          ...(seal === undefined ? {} : { open: (head, payload, tag) => seal.open(head, payload, tag) }),
        },
        this.#staging,
      );
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
          socket.destroy();
          return false;
        }
        return goOn;
      },
    };
    const socket = this.#connect(onread);
    this.#socket = socket;
    socket.setNoDelay(true);
    // A dialled host may accept and never answer, or never accept.
    socket.setTimeout(this.#options.handshakeTimeout, () => {
      if (answered > 0) onRefused("handshake");
      socket.destroy();
    });
    socket.once(this.#options.tls === undefined ? "connect" : "secureConnect", () => {
      if (!this.#nameFits(socket)) {
        onRefused("name");
        socket.destroy();
      } else socket.write(a);
    });
    socket.on("error", () => {});
    socket.once("end", () => socket.destroy());
    socket.once("close", () => this.#lost(reader !== undefined));
  }

  #connect(onread: net.OnReadOpts): net.Socket {
    const { tls: files } = this.#options;
    const { host, port } = this.#options.address();
    if (files === undefined) return net.connect({ host, port, onread });
    const { ca, cert, key } = files;
    // Who the other side is, is settled by the CA and nameOf: hosts may be bare addresses.
    const options = { host, port, ca, cert, key, onread, checkServerIdentity: () => undefined };
    return tls.connect(options);
  }

  #nameFits(socket: net.Socket): boolean {
    const { tls: files, peer } = this.#options;
    return files === undefined || certificateFits(socket as tls.TLSSocket, files, peer);
  }

  #lost(wasOpen: boolean): void {
    this.#socket = undefined;
    if (this.#closed) return;
    if (wasOpen) this.#options.onLost();
    const wait = Math.min(5000, 50 * 2 ** this.#failures++);
    // Spread over half the time, so that peers cut off together do not all come back together.
    this.#retry = setTimeout(() => this.#dial(), wait * (0.5 + 0.5 * Math.random()));
    this.#retry.unref();
  }
}

class Refused extends Error {}

/** Whether an address is this very machine. */
export function isLoopback(host: string | undefined): boolean {
  return host !== undefined && isLoopbackHost(host.replace(/^::ffff:/, ""));
}

export function certificateFits(socket: tls.TLSSocket, files: TlsFiles, rank: number): boolean {
  return files.nameOf === undefined || socket.getPeerCertificate().subject?.CN === files.nameOf(rank);
}
