/**
 * The introductions of peers over TCP (hello.ts in equitopo/peer): what this process says of itself, what it concludes from
 * another's hello once that has been proved (perhaps that it is itself the older of two processes with one number,
 * incarnation.ts), and the listener's side of the three messages.
 */

import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { sameBytes } from "equitopo/internal/number";
import type { Hello, Role } from "equitopo/internal/peer";
import {
  checkHello,
  checkOpening,
  claimedIn,
  encodeHello,
  helloBytes,
  Incarnations,
  incarnationsIn,
  nonceBytes,
  openingBytes,
  proof,
  proofBytes,
} from "equitopo/internal/peer";
import { Seal } from "./seal.ts";

/** A hello and its proof: the listener's answer. */
export const answerBytes = helloBytes + proofBytes;

export interface IdentityOptions extends Pick<Hello, "mode" | "spec" | "size"> {
  readonly key: Uint8Array | undefined;
  readonly rank: number;
  readonly incarnation: number;
  /** A newer incarnation of this process's number is known to others. */
  readonly onFenced: () => void;
  readonly onNewer: (peer: number) => void;
}

export type Identity = ReturnType<typeof identityOf>;

export function identityOf({ mode, spec, key, rank, size, incarnation, onFenced, onNewer }: IdentityOptions) {
  const self: Omit<Hello, "to"> = { mode, spec, from: rank, size };
  const incarnations = new Incarnations(incarnation, size);
  /** The proof of a side over the hellos of the dialler and the listener. */
  const proofOf = (role: Role, a: Uint8Array, b: Uint8Array) => proof(key, role, a, b);
  return {
    spec,

    /** What this process says to a peer, with fresh random bytes. */
    hello: (to: number) =>
      encodeHello(
        { ...self, to, incarnation: incarnations.own, known: incarnations.known(to) },
        randomBytes(nonceBytes),
      ),

    check: (hello: Uint8Array) => checkHello(hello, self),

    proof: proofOf,

    /** Whether some bytes are the proof of that side. */
    proves: (bytes: Uint8Array, role: Role, a: Uint8Array, b: Uint8Array) => sameBytes(bytes, proofOf(role, a, b)),

    /** What the frames after these hellos are sealed with, where there is a key. */
    seal: (a: Uint8Array, b: Uint8Array) => (key === undefined ? undefined : new Seal(key, a, b)),

    /** Whether the hello is of a process that was started after the one that is known as that peer. */
    isNewer: (peer: number, hello: Uint8Array) =>
      incarnations.known(peer) > 0 && incarnationsIn(hello).incarnation > incarnations.known(peer),

    /** The hello of that peer has been proved. False where one of the two processes is not the newest of its number. */
    conclude(peer: number, hello: Uint8Array): boolean {
      const said = incarnationsIn(hello);
      const now = performance.now();
      const heard = incarnations.heard(said.known, now);
      if (heard === "fenced") onFenced();
      const met = incarnations.meet(peer, said.incarnation);
      if (met === "newer") onNewer(peer);
      if (heard !== "ours" || met === "stale") return false;
      incarnations.settle(now);
      return true;
    },
  };
}

export interface GreetingOptions {
  readonly identity: Identity;
  /** Whether what the connection itself has shown fits that peer. */
  readonly fits: (peer: number) => boolean;
  /** Whether a living process has that number at the very address where the peer is to be. */
  readonly isThere: (peer: number) => boolean;
  /** `claimed` is the number that it says it has, if it came so far. */
  readonly onRefused: (reason: string, claimed?: number) => void;
  /** It is that peer. `more` is what came after its proof: a dialler sends nothing but beats of one byte from then on. */
  readonly onKnown: (peer: number, seal: Seal | undefined, more: Uint8Array) => void;
}

/** Greets the peer that has dialled: which one is it, and may it have this peer's messages? */
export function greet(socket: Socket, { identity, fits, isThere, onRefused, onKnown }: GreetingOptions): void {
  const said = Buffer.alloc(answerBytes);
  const a = said.subarray(0, helloBytes);
  let heard = 0;
  let from = -1;
  let b: Uint8Array | undefined;

  const answer = (): string | undefined => {
    const known = identity.check(a);
    if (typeof known === "string") return known;
    if (!fits(known)) return "name";
    from = known;
    b = identity.hello(from);
    socket.write(Buffer.concat([b, identity.proof("listener", a, b)]));
    return undefined;
  };
  const listen = (chunk: Buffer): void => {
    const take = Math.min(said.length - heard, chunk.length);
    said.set(chunk.subarray(0, take), heard);
    heard += take;
    // Another version may have a hello of another length: it is refused at once, not when its time is over.
    const wrong = heard < openingBytes ? undefined : checkOpening(said);
    const refusal = wrong ?? (heard >= helloBytes && b === undefined ? answer() : undefined);
    if (refusal === undefined && (heard < said.length || b === undefined)) return;
    socket.off("data", listen);
    if (refusal !== undefined || b === undefined) {
      onRefused(refusal ?? "garbage", wrong === undefined && heard >= helloBytes ? claimedIn(a) : undefined);
    } else if (!identity.proves(said.subarray(helloBytes), "dialler", a, b)) onRefused("key", from);
    else if (identity.isNewer(from, a) && isThere(from)) onRefused("address", from);
    else if (!identity.conclude(from, a)) onRefused("incarnation", from);
    else onKnown(from, identity.seal(a, b), chunk.subarray(take));
  };
  socket.on("data", listen);
}
