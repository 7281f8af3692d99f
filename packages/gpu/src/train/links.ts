/**
 * Rounds as tables for the mixing kernel: for each slot of steps and each replica a stretch of `links`, (row, weight as
 * bits), in the order of additions that rounds define. A round that comes again (static graphs, means) is written once.
 */

import { forEachEdgeInto, type Round, selfWeight } from "equitopo/round";

export class Links {
  readonly #replicas: number;
  #span: Uint32Array;
  #links = new Uint32Array(1024);
  readonly #weights = new Float32Array(1);
  readonly #bits = new Uint32Array(this.#weights.buffer);
  #used = 0;
  readonly #known = new Map<string, Map<Round, number>>();

  constructor(replicas: number, slots: number) {
    this.#replicas = replicas;
    this.#span = new Uint32Array(2 * replicas * slots);
  }

  clear(): void {
    this.#used = 0;
    this.#known.clear();
  }

  /** In this slot the replicas from `first` on mix by this round. */
  add(slot: number, first: number, round: Round): void {
    const known = this.#known.get(String(first)) ?? new Map<Round, number>();
    this.#known.set(String(first), known);
    const before = known.get(round);
    const at = 2 * (slot * this.#replicas + first);
    if (before !== undefined) {
      const from = 2 * (before * this.#replicas + first);
      this.#span.copyWithin(at, from, from + 2 * round.n);
      return;
    }
    known.set(round, slot);
    for (let i = 0; i < round.n; i++) {
      const start = this.#used;
      // All nodes add a mean up in the same order, so that they agree to the last bit.
      if (round.kind === "mean") {
        if (round.keep > 0) this.#push(first + i, round.keep);
        for (let j = 0; j < round.n; j++) this.#push(first + j, (1 - round.keep) / round.n);
      } else {
        this.#push(first + i, selfWeight(round, i));
        forEachEdgeInto(round, i, (j, _to, weight) => this.#push(first + j, weight));
      }
      this.#span[at + 2 * i] = start;
      this.#span[at + 2 * i + 1] = this.#used - start;
    }
  }

  get span(): Uint32Array {
    return this.#span;
  }

  /** What is written so far. */
  get links(): Uint32Array {
    return this.#links.subarray(0, 2 * this.#used);
  }

  #push(row: number, weight: number): void {
    if (2 * this.#used === this.#links.length) {
      const more = new Uint32Array(2 * this.#links.length);
      more.set(this.#links);
      this.#links = more;
    }
    this.#weights[0] = weight;
    this.#links[2 * this.#used] = row;
    this.#links[2 * this.#used + 1] = this.#bits[0];
    this.#used++;
  }
}

/** Links that a round of this kind has at most, for n nodes of so large a degree. */
export const mostLinks = (n: number, degree: number) => n * (degree + 2);
