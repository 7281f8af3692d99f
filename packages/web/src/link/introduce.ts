/**
 * The first three messages on a link: A, B and C of hello.ts. After them both sides know that the other runs the same spec,
 * knows the key and is at the other end of this very link, and frames may follow:
 *
 *   rtc     proofs bound to the fingerprints of both DTLS certificates; frames as they are: DTLS protects them
 *   socket  proofs bound to the address that was dialled; frames as they are: TLS protects them, or this machine
 *   key     proofs; everything after them is sealed (sealed-link.ts): a relay
 *   plain   no proofs: two workers of one program
 *
 * Without the fingerprints a man in the middle who ends DTLS at himself on both sides could pass the proofs on and then
 * read and write all frames; without the address, a server could name an address of its own in place of the peer's, and do
 * the same.
 */

import { InputError } from "equitopo/input";
import { sameBytes, sha256Bytes } from "equitopo/number";
import { checkHello, encodeHello, helloBytes, nonceBytes, proof, proofBytes, type Role, saltOf } from "equitopo/peer";
import { addressBinding, type Fingerprints, fingerprintBinding } from "./binding.ts";
import type { Link } from "./link.ts";
import { LinkRefused } from "./refused.ts";
import { canSeal, sealedLink } from "./sealed-link.ts";

/** What stands for a spec in hellos and frames: the SHA-256 of its text. */
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
  /** Told when a sealed message does not open, later. */
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
  if (mode !== "plain" && (key === undefined || key.length < 16)) {
    throw new InputError("peers know each other by a key of at least 16 bytes", key?.length ?? "none", "give a key");
  }
  if ((mode === "rtc") !== (fingerprints !== undefined)) {
    throw new InputError("WebRTC links, and no others, have fingerprints", mode, "give those of both descriptions");
  }
  if ((mode === "socket") !== (address !== undefined)) {
    throw new InputError("WebSocket links, and no others, have an address", mode, "give the URL that was dialled");
  }
  if (mode === "key" && !canSeal()) {
    throw new InputError(
      "sealing needs crypto.subtle",
      "missing on this page",
      "open the page through TLS (https), or from this machine",
    );
  }
}

interface Greeted {
  readonly peer: number;
  /** The hellos of the dialler and the listener. */
  readonly a: Uint8Array;
  readonly b: Uint8Array;
}

/** The exchange itself: each message as it comes is either the next one or the end. */
function greet(link: Link, options: IntroduceOptions): Promise<Greeted> {
  const { mode, role, rank, size, spec, key, timeout = 5000 } = options;
  const self = { mode, spec, from: rank, size };
  const { fingerprints, address } = options;
  const binding =
    fingerprints !== undefined
      ? fingerprintBinding(fingerprints)
      : address !== undefined
        ? addressBinding(address)
        : undefined;
  const hello = (to: number) =>
    encodeHello({ ...self, to }, globalThis.crypto.getRandomValues(new Uint8Array(nonceBytes)));
  /** Who says so in a hello, where it may be that one. */
  const heard = (bytes: Uint8Array): number => {
    const from = checkHello(bytes, self);
    if (typeof from === "string") throw new LinkRefused(from);
    if (options.peer !== undefined && from !== options.peer) throw new LinkRefused("rank");
    return from;
  };
  const mustProve = (bytes: Uint8Array, who: Role, a: Uint8Array, b: Uint8Array): void => {
    if (!sameBytes(bytes, proof(key, who, a, b, binding))) throw new LinkRefused("key");
  };

  return new Promise((resolve, reject) => {
    const end = (error?: LinkRefused): void => {
      clearTimeout(timer);
      link.listen(undefined);
      if (error === undefined) return;
      link.close();
      reject(error);
    };
    const timer = setTimeout(() => end(new LinkRefused("handshake")), timeout);
    let ours: Uint8Array<ArrayBuffer> | undefined;
    let theirs: Uint8Array<ArrayBuffer> | undefined;
    let peer = -1;

    const asDialler = (bytes: Uint8Array<ArrayBuffer>): void => {
      const a = ours as Uint8Array<ArrayBuffer>;
      const b = bytes.subarray(0, helloBytes);
      if (bytes.length !== helloBytes + proofBytes) throw new LinkRefused("garbage");
      peer = heard(b);
      mustProve(bytes.subarray(helloBytes), "listener", a, b);
      end();
      link.send(proof(key, "dialler", a, b, binding));
      resolve({ peer, a, b });
    };
    const asListener = (bytes: Uint8Array<ArrayBuffer>): void => {
      if (ours === undefined || theirs === undefined) {
        peer = heard(bytes);
        theirs = bytes;
        ours = hello(peer);
        const answer = new Uint8Array(helloBytes + proofBytes);
        answer.set(ours);
        answer.set(proof(key, "listener", theirs, ours, binding), helloBytes);
        link.send(answer);
        return;
      }
      mustProve(bytes, "dialler", theirs, ours);
      end();
      resolve({ peer, a: theirs, b: ours });
    };

    link.listen({
      message: (bytes) => {
        try {
          (role === "dialler" ? asDialler : asListener)(bytes);
        } catch (error) {
          if (!(error instanceof LinkRefused)) throw error;
          end(error);
        }
      },
      drained: () => {},
      closed: () => end(new LinkRefused("closed")),
    });
    if (role === "dialler") {
      ours = hello(options.peer ?? 0);
      link.send(ours.slice());
    }
  });
}
