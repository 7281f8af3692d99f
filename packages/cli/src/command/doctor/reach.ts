/**
 * Whether a peer can be reached, and which step fails if not: its name, its port, its certificate, its spec and key. Each
 * step is tried as a worker would, but for the last: a hello is sent (equitopo/peer, hello.ts) and answered, but never the
 * proof that comes from a peer, so that a running network is not disturbed.
 */

import { randomBytes } from "node:crypto";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import net from "node:net";
import tls from "node:tls";
import type { Address, TlsFiles } from "@equitopo/node";
import { sameBytes } from "equitopo/internal/number";
import { checkHello, encodeHello, helloBytes, nonceBytes, proof, proofBytes } from "equitopo/internal/peer";
import { certificateTrouble, connectTrouble, handshakeTrouble, nameTrouble, Trouble } from "./reach-trouble.ts";

export interface ReachOptions {
  readonly address: Address;
  /** Its number, and the one that is asked as. */
  readonly peer: number;
  readonly from: number;
  readonly size: number;
  /** SHA-256 of what all peers agree on, where it is known. */
  readonly spec?: Uint8Array | undefined;
  readonly key?: Uint8Array | undefined;
  readonly tls?: TlsFiles | undefined;
  /** Milliseconds for each step. */
  readonly timeout?: number;
}

export interface Reached {
  readonly ok: boolean;
  readonly detail: string;
  readonly remedy?: string;
}

/** Tries one peer; never rejects. */
export async function reach(options: ReachOptions): Promise<Reached> {
  const { address, timeout = 3000 } = options;
  const begun = performance.now();
  let socket: net.Socket | undefined;
  try {
    await within(timeout, "name", lookup(address.host)).catch((error) => {
      throw nameTrouble(address.host, error);
    });
    socket = net.connect(address);
    await within(timeout, "connection", once(socket, "connect")).catch((error) => {
      throw connectTrouble(error, timeout);
    });
    const shown: string[] = [];
    if (options.tls !== undefined) {
      socket = await secured(socket, options.tls, options, timeout);
      shown.push("its certificate fits");
    }
    if (options.spec !== undefined && options.from !== options.peer) {
      await greeted(socket, options.spec, options, timeout);
      shown.push(options.key === undefined ? "same spec" : "same spec, same key");
    }
    const took = `${Math.round(performance.now() - begun)} ms`;
    return { ok: true, detail: [`accepts connections (${took})`, ...shown].join(", ") };
  } catch (error) {
    if (error instanceof Trouble) return { ok: false, detail: error.message, remedy: error.remedy };
    return { ok: false, detail: (error as Error).message, remedy: "try again" };
  } finally {
    socket?.destroy();
  }
}

async function secured(raw: net.Socket, files: TlsFiles, { peer }: ReachOptions, timeout: number): Promise<net.Socket> {
  const { nameOf, ...pem } = files;
  const socket = tls.connect({
    ...(pem as tls.SecureContextOptions),
    socket: raw,
    // Checked afterwards, so that the error can give the reason. The name in the certificate counts, not the address.
    rejectUnauthorized: false,
    checkServerIdentity: () => undefined,
  });
  await within(timeout, "TLS", once(socket, "secureConnect")).catch((error) => {
    raw.destroy();
    throw handshakeTrouble(error);
  });
  const trouble = certificateTrouble({
    ...{ reason: socket.authorized ? undefined : String(socket.authorizationError) },
    ...{ certificate: socket.getPeerCertificate(), name: nameOf?.(peer) },
  });
  if (trouble !== undefined) {
    socket.destroy();
    throw trouble;
  }
  return socket;
}

async function greeted(socket: net.Socket, spec: Uint8Array, options: ReachOptions, timeout: number): Promise<void> {
  const { peer, from, size, key } = options;
  const self = { mode: options.tls ? "tls" : key ? "key" : "plain", spec, from, size } as const;
  const a = encodeHello({ ...self, to: peer }, randomBytes(nonceBytes));
  const answer = await within(timeout, "hello", answerTo(socket, a)).catch((error) => {
    if (error instanceof Late) throw new Trouble("accepts, but does not answer a hello", "is that port a peer's?");
    throw handshakeTrouble(error);
  });
  const other = "its spec (--drop and --only included), --audit, number of peers, protection or version is another";
  if (answer.length === 0) {
    const remedy = "give all peers the same spec and flags; its own log names the reason";
    throw new Trouble(`refuses this hello: ${other}`, remedy);
  }
  const b = answer.subarray(0, helloBytes);
  const known = answer.length < helloBytes + proofBytes ? "garbage" : checkHello(b, self);
  if (known !== peer) {
    const reason = typeof known === "string" ? known : `it is peer ${known}`;
    throw new Trouble(`answers another hello (${reason})`, "is that port that peer's, and of the same version?");
  }
  if (!sameBytes(answer.subarray(helloBytes), proof(key, "listener", a, b))) {
    throw new Trouble("has another key", "copy the key that cluster init made to every host");
  }
}

/** What comes back before the other side closes or has said all; nothing where it closes at once. */
async function answerTo(socket: net.Socket, hello: Uint8Array): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    const done = () => resolve(Buffer.concat(chunks));
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= helloBytes + proofBytes) done();
    });
    socket.once("close", done);
    socket.once("end", done);
    socket.once("error", (error: NodeJS.ErrnoException) => (error.code === "ECONNRESET" ? done() : reject(error)));
    socket.write(hello);
  });
}

export class Late extends Error {}

async function within<T>(milliseconds: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Late(what)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {});
  }
}
