/**
 * The first three messages on a link: A, B and C of hello.ts. After them both sides know that the other runs the same spec,
 * knows the key and is at the other end of this very link, and frames may follow:
 *
 *   rtc     proofs bound to the fingerprints of both DTLS certificates; frames as they are: DTLS protects them
 *   socket  proofs bound to the address that was dialled; frames as they are: TLS protects them, or this machine
 *   key     proofs; everything after them is sealed (seal.ts): a relay
 *   plain   no proofs: two workers of one program
 *
 * Without the fingerprints a man in the middle who ends DTLS at himself on both sides could pass the proofs on and then
 * read and write all frames; without the address, a server could name an address of its own in place of the peer's, and do
 * the same.
 */

import { InputError } from "equitopo/internal/input";
import { sameBytes, sha256Bytes } from "equitopo/internal/number";
import {
  checkHello,
  encodeHello,
  helloBytes,
  nonceBytes,
  proof,
  proofBytes,
  type Role,
  saltOf,
} from "equitopo/internal/peer";
import { addressBinding, type Fingerprints, fingerprintBinding } from "./binding.ts";
import { type Link, LinkRefused } from "./link.ts";
import { canSeal, sealedLink } from "./seal.ts";

/** What represents a spec in hellos and frames: the SHA-256 of its text. */
export function specHash(text: string): Uint8Array<ArrayBuffer> {
  return sha256Bytes(new TextEncoder().encode(text));
}

export interface IntroduceOptions {
  readonly mode: "rtc" | "socket" | "key" | "plain";
  /** The dialler speaks first. Over WebRTC that is who made the offer: the one of the lower rank. */
  readonly role: Role;
  readonly rank: number;
  readonly size: number;
  /** specHash of the text that all peers agree on. */
  readonly spec: Uint8Array;
  /** Who must be at the other end. A listener may leave it out, and learns it. */
  readonly peer?: number;
  /** At least 16 secret bytes that all peers know. */
  readonly key?: Uint8Array | undefined;
  /** Of both ends; with "rtc" only, and always there. */
  readonly fingerprints?: Fingerprints;
  /** What the dialler has dialled, as a URL; with "socket" only, and always there. */
  readonly address?: string;
  /** Milliseconds for all of it. Default 5 s. */
  readonly timeout?: number;
  /** Called when a sealed message does not open, later. */
  readonly onBroken?: () => void;
}

export interface Introduced {
  readonly peer: number;
  /** What frames go over: the link, or the sealed link over it. */
  readonly link: Link;
}

/**
 * Finds out who is at the other end of a link that has just been opened. Rejects with a `LinkRefused` and closes the link
 * where it is not who it must be.
 *
 * @example
 * ```ts
 * import { introduce, portLink } from "@equitopo/web";
 * const { port1, port2 } = new MessageChannel();
 * const same = { mode: "key", size: 2, spec: new Uint8Array(32), key: crypto.getRandomValues(new Uint8Array(32)) } as const;
 * const [, listener] = await Promise.all([
 *   introduce(portLink(port1), { ...same, role: "dialler", rank: 0, peer: 1 }),
 *   introduce(portLink(port2), { ...same, role: "listener", rank: 1 }),
 * ]);
 * listener.peer // => 0
 * listener.link.close();
 * ```
 */
export async function introduce(link: Link, options: IntroduceOptions): Promise<Introduced> {
  const { mode, role, key, onBroken = () => {} } = options;
  checkOptions(options);
  const { peer, a, b } = await greet(link, options);
  if (mode !== "key" || key === undefined) return { peer, link };
  return { peer, link: await sealedLink(link, { key, salt: saltOf(a, b), role, onBroken }) };
}

function checkOptions({ mode, key, fingerprints, address }: IntroduceOptions): void {
  const require = (holds: boolean, rule: string, value: unknown, remedy: string) => {
    if (!holds) throw new InputError(rule, value, remedy);
  };
  const long = mode === "plain" || (key !== undefined && key.length >= 16);
  require(long, "peers know each other by a key of at least 16 bytes", key?.length ?? "none", "give a key");
  const known = (mode === "rtc") === (fingerprints !== undefined);
  require(known, "WebRTC links, and no others, have fingerprints", mode, "give those of both descriptions");
  const dialled = (mode === "socket") === (address !== undefined);
  require(dialled, "WebSocket links, and no others, have an address", mode, "give the URL that was dialled");
  const remedy = "open the page through TLS (https), or from this machine";
  require(mode !== "key" || canSeal(), "sealing needs crypto.subtle", "missing on this page", remedy);
}

/**
 * The exchange itself: who is there, and the hellos of the dialler and the listener. Whatever is not the next thing that the
 * other side may say ends the link.
 */
async function greet(link: Link, options: IntroduceOptions) {
  const { mode, role, rank, size, spec, key, fingerprints, address, timeout = 5000 } = options;
  const self = { mode, spec, from: rank, size };
  const binding = address === undefined ? fingerprints && fingerprintBinding(fingerprints) : addressBinding(address);
  const hello = (to: number) =>
    encodeHello({ ...self, to }, globalThis.crypto.getRandomValues(new Uint8Array(nonceBytes)));
  /** Who says so in a hello, where it may be that one. */
  const peerIn = (bytes: Uint8Array): number => {
    const from = checkHello(bytes, self);
    if (typeof from === "string") throw new LinkRefused(from);
    if (options.peer !== undefined && from !== options.peer) throw new LinkRefused("rank");
    return from;
  };
  const mustProve = (bytes: Uint8Array, who: Role, a: Uint8Array, b: Uint8Array): void => {
    if (!sameBytes(bytes, proof(key, who, a, b, binding))) throw new LinkRefused("key");
  };
  let give = (_: LinkRefused): void => {};
  /** The next message: nothing that follows it is taken from the link. */
  const next = () =>
    new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
      give = reject;
      const message = (bytes: Uint8Array<ArrayBuffer>): void => {
        link.listen(undefined);
        resolve(bytes);
      };
      link.listen({ message, drained: () => {}, closed: () => reject(new LinkRefused("closed")) });
    });
  const timer = setTimeout(() => give(new LinkRefused("handshake")), timeout);
  try {
    if (role === "dialler") {
      const a = hello(options.peer ?? 0);
      link.send(a.slice());
      const answer = await next();
      if (answer.length !== helloBytes + proofBytes) throw new LinkRefused("garbage");
      const b = answer.subarray(0, helloBytes);
      const peer = peerIn(b);
      mustProve(answer.subarray(helloBytes), "listener", a, b);
      link.send(proof(key, "dialler", a, b, binding));
      return { peer, a, b };
    }
    const a = await next();
    const peer = peerIn(a);
    const b = hello(peer);
    link.send(Uint8Array.of(...b, ...proof(key, "listener", a, b, binding)));
    mustProve(await next(), "dialler", a, b);
    return { peer, a, b };
  } catch (error) {
    link.listen(undefined);
    link.close();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
