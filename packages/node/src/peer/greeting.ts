/**
 * The listener's side of a hello (hello.ts): somebody has dialled; who is it, and may it have this peer's messages? After
 * its hello and its proof a dialler sends nothing but beats of one byte.
 */

import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { sameBytes } from "equitopo/number";
import { checkOpening, helloBytes, nonceBytes, openingBytes, proof, proofBytes } from "equitopo/peer";
import type { Identity } from "./identity.ts";
import { Seal } from "./seal.ts";

export interface GreetingOptions {
  readonly identity: Identity;
  readonly key: Uint8Array | undefined;
  /** Whether what the connection itself has shown fits that peer. */
  readonly fits: (peer: number) => boolean;
  readonly onRefused: (reason: string) => void;
  /** It is that peer. `more` is what came after its proof. */
  readonly onKnown: (peer: number, seal: Seal | undefined, more: Uint8Array) => void;
}

/** Greets whoever is at the other end of an accepted connection. */
export function greet(socket: Socket, { identity, key, fits, onRefused, onKnown }: GreetingOptions): void {
  const said = Buffer.alloc(helloBytes + proofBytes);
  const a = said.subarray(0, helloBytes);
  let heard = 0;
  let from = -1;
  let b: Uint8Array | undefined;

  const answer = (): string | undefined => {
    const known = identity.check(a);
    if (typeof known === "string") return known;
    if (!fits(known)) return "name";
    from = known;
    b = identity.hello(from, randomBytes(nonceBytes));
    socket.write(Buffer.concat([b, proof(key, "listener", a, b)]));
    return undefined;
  };
  const listen = (chunk: Buffer): void => {
    const take = Math.min(said.length - heard, chunk.length);
    said.set(chunk.subarray(0, take), heard);
    heard += take;
    // Another version may have a hello of another length: it is told at once, not when its time is over.
    const wrong = heard < openingBytes ? undefined : checkOpening(said);
    const refusal = wrong ?? (heard >= helloBytes && b === undefined ? answer() : undefined);
    if (refusal !== undefined) {
      socket.off("data", listen);
      onRefused(refusal);
      return;
    }
    if (heard < said.length || b === undefined) return;
    socket.off("data", listen);
    if (!sameBytes(said.subarray(helloBytes), proof(key, "dialler", a, b))) onRefused("key");
    else if (!identity.conclude(from, a)) onRefused("incarnation");
    else onKnown(from, key === undefined ? undefined : new Seal(key, a, b), chunk.subarray(take));
  };
  socket.on("data", listen);
}
