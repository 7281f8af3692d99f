/**
 * How a late yes is made good. Peers i and j exchange x_i and x_j with weight w; j's yes comes after i's deadline, so i has
 * kept the weight at home and j has applied the exchange, or will: the sum of all rows has shifted by w (x_i - x_j). When the
 * yes comes, i adds
 *
 *     w (x_j - x_i),   as both were in that exchange,
 *
 * to what the next exchange of the same kind gives it: mixing is linear, so from then on the sum is what it would have
 * been. With several vectors in an exchange each has its own. (For trackers that is the invariant sum y = sum g; models
 * were off for as long as the vote was late, and gradients taken meanwhile are not corrected.) Where only j has voted late both
 * sides end alike: each applies once it holds the other's yes, however late.
 *
 * Memory is bounded: 64 MiB (and always room for one), for the 1024 exchanges that follow.
 */

import type { Rows } from "../../round/round.ts";

export interface Correction {
  /** The exchange on the transport, and the partner in it. */
  readonly number: number;
  readonly partner: number;
  /** Exchanges of one kind carry the same vectors in every iteration. */
  readonly kind: string;
  /** w (x_j - x_i) of each vector. */
  readonly vectors: readonly Rows[];
  /** Hashes of the x_j, where a history is kept. */
  readonly received: readonly string[];
}

const mostBytes = 64 * 1024 * 1024;
const mostExchanges = 1024;

const bytesOf = ({ vectors }: Correction) => vectors.reduce((sum, { byteLength }) => sum + byteLength, 0);
const nameOf = (number: number, partner: number) => `${number} ${partner}`;

export class Corrections {
  readonly #kept = new Map<string, Correction>();
  /** Votes that were quicker than the end of their exchange here. */
  readonly #voted = new Set<string>();
  #due: Correction[] = [];

  keep(correction: Correction): void {
    const name = nameOf(correction.number, correction.partner);
    if (this.#voted.delete(name)) {
      this.#due.push(correction);
      return;
    }
    this.#kept.set(name, correction);
    let bytes = [...this.#kept.values()].reduce((sum, one) => sum + bytesOf(one), 0);
    // A map goes through its entries in the order they came.
    for (const [old, one] of this.#kept) {
      if (old === name || (bytes <= mostBytes && correction.number - one.number <= mostExchanges)) break;
      this.#kept.delete(old);
      bytes -= bytesOf(one);
    }
  }

  /** A partner's yes to an exchange has come late. */
  vote(number: number, partner: number): void {
    const name = nameOf(number, partner);
    const correction = this.#kept.get(name);
    if (correction !== undefined) {
      this.#kept.delete(name);
      this.#due.push(correction);
      return;
    }
    this.#voted.add(name);
    for (const old of this.#voted) if (this.#voted.size > mostExchanges) this.#voted.delete(old);
  }

  /** Those that an exchange of this kind can take up; they are given away. */
  take(kind: string): readonly Correction[] {
    if (this.#due.length === 0) return this.#due;
    const ready = this.#due.filter((one) => one.kind === kind);
    this.#due = this.#due.filter((one) => one.kind !== kind);
    return ready;
  }
}

/** w (theirs - own), in the vectors' type. */
export function correctionOf(weight: number, own: Rows, theirs: Rows): Rows {
  return own.map((value, k) => weight * (theirs[k] - value)) as Rows;
}

/** Adds a correction to what came of an exchange; a vector that this one has not is left out. */
export function correct(mixed: readonly Rows[], { vectors }: Correction): void {
  vectors.forEach((correction, v) => {
    const row = mixed[v];
    if (row?.length !== correction.length) return;
    for (let k = 0; k < row.length; k++) row[k] += correction[k];
  });
}
