/**
 * What is measured, at one peer: a one-peer round of 60,000 float32 over the transport, and the same over the bare channel,
 * without and with the averaging. All talk to the same partner in the same round; shifts are odd, so that in a network of
 * tabs and Node peers in turn a tab always meets a Node peer.
 */

import { type LinkTransport, pieceBytes } from "@equitopo/web/internal";
import { odEquiDyn, type Rows, type Topology } from "equitopo";
import { combine, Mixing } from "equitopo/internal/peer";

export const n = 4;
export const length = 60_000;
export const vectorBytes = 4 * length;

export type What = "bare" | "averaged" | "ours";

/** Round numbers from `first` on. */
export interface Block {
  readonly what: What;
  readonly first: number;
  readonly rounds: number;
}

/** A channel that only carries bytes. What comes early waits: it cannot be paused. */
export class Bare {
  readonly #send: (bytes: Uint8Array<ArrayBuffer>) => void;
  readonly #waiting: Uint8Array[] = [];
  #arrived: () => void = () => {};

  constructor(send: (bytes: Uint8Array<ArrayBuffer>) => void) {
    this.#send = send;
  }

  arrive(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#arrived();
  }

  send(vector: Float32Array<ArrayBuffer>): void {
    const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
    for (let at = 0; at < bytes.length; at += pieceBytes) this.#send(bytes.subarray(at, at + pieceBytes));
  }

  async receive(vector: Float32Array): Promise<void> {
    const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
    for (let at = 0; at < bytes.length; ) {
      const next = this.#waiting.shift();
      if (next === undefined) {
        await new Promise<void>((resolve) => {
          this.#arrived = resolve;
        });
      } else {
        bytes.set(next, at);
        at += next.length;
      }
    }
  }
}

/** One peer with both ways to its partners. */
export class Loops {
  readonly #rank: number;
  readonly #topology: Topology = odEquiDyn({ n, basis: [1, 3], seed: 1 });
  readonly #mixing: Mixing;
  readonly #bare: ReadonlyMap<number, Bare>;
  #row: Rows;
  #own: Float32Array<ArrayBuffer>;
  #next = new Float32Array(length);
  readonly #came = new Float32Array(length);

  constructor(rank: number, transport: LinkTransport, bare: ReadonlyMap<number, Bare>) {
    this.#rank = rank;
    this.#mixing = new Mixing({ transport, topology: this.#topology, timeout: 60_000 });
    this.#bare = bare;
    this.#row = new Float32Array(length).fill(rank);
    this.#own = new Float32Array(length).fill(rank);
  }

  /** Milliseconds a round. */
  async run({ what, first, rounds }: Block): Promise<number> {
    const start = performance.now();
    for (let t = first; t < first + rounds; t++) {
      if (what === "ours") await this.#ours(t);
      else await this.#over(t, what === "averaged");
    }
    return (performance.now() - start) / rounds;
  }

  async #ours(t: number): Promise<void> {
    const start = this.#mixing.start({ vectors: [this.#row] }, { round: t, exchange: t }, t);
    [this.#row] = await this.#mixing.finish(start);
  }

  async #over(t: number, averaged: boolean): Promise<void> {
    const { from, to } = this.#topology.peers(t, this.#rank);
    this.#way(to[0].node).send(this.#own);
    await this.#way(from[0].node).receive(this.#came);
    if (!averaged) return;
    combine(this.#next, 0.5, this.#own, [0.5], [this.#came]);
    [this.#own, this.#next] = [this.#next, this.#own];
  }

  #way(peer: number): Bare {
    const way = this.#bare.get(peer);
    if (way === undefined) throw new Error(`no bare channel to peer ${peer}`);
    return way;
  }
}
