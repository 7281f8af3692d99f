/**
 * Who this process is among the peers: what it says of itself in a hello, and what it concludes from another's once that
 * has been proved, which may be that it is itself the older of two processes with one number (incarnation.ts).
 */

import { checkHello, encodeHello, type Hello, Incarnations, incarnationsIn, type Mode } from "equitopo/peer";

export interface IdentityOptions {
  readonly mode: Mode;
  /** SHA-256 of the spec. */
  readonly spec: Uint8Array;
  readonly rank: number;
  readonly size: number;
  readonly incarnation: number;
  /** A newer incarnation of this process's number is known to others. */
  readonly onFenced: () => void;
  /** A peer has been started again. */
  readonly onNewer: (peer: number) => void;
}

export class Identity {
  readonly #options: IdentityOptions;
  readonly #self: Omit<Hello, "to">;
  readonly #incarnations: Incarnations;

  constructor(options: IdentityOptions) {
    const { mode, spec, rank, size, incarnation } = options;
    this.#options = options;
    this.#self = { mode, spec, from: rank, size };
    this.#incarnations = new Incarnations(incarnation, size);
  }

  get spec(): Uint8Array {
    return this.#options.spec;
  }

  /** What this process says to a peer; `random` are bytes that were never used before. */
  hello(to: number, random: Uint8Array): Uint8Array<ArrayBuffer> {
    const { own } = this.#incarnations;
    return encodeHello({ ...this.#self, to, incarnation: own, known: this.#incarnations.known(to) }, random);
  }

  /** Whose hello it is, or why it is refused. */
  check(hello: Uint8Array): number | string {
    return checkHello(hello, this.#self);
  }

  /** The hello of that peer has been proved. False where one of the two processes is not the newest of its number. */
  conclude(peer: number, hello: Uint8Array): boolean {
    const { incarnation, known } = incarnationsIn(hello);
    const now = performance.now();
    const heard = this.#incarnations.heard(known, now);
    if (heard === "fenced") this.#options.onFenced();
    const met = this.#incarnations.meet(peer, incarnation);
    if (met === "newer") this.#options.onNewer(peer);
    if (heard !== "ours" || met === "stale") return false;
    this.#incarnations.settle(now);
    return true;
  }
}
