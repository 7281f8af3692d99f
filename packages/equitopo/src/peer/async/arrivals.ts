/** The vectors of one round of a peer, put together as they come one by one. */

import type { Rows } from "../../round/round.ts";
import { fits, typeOf, type Vector } from "../transport.ts";

export class Arrivals {
  readonly #kinds: readonly { readonly length: number; readonly type: "float32" | "float64" }[];
  readonly #found: (peer: number, round: number, vectors: readonly Rows[]) => void;
  /** Of each peer, what has come of the round that is not complete. */
  readonly #parts = new Map<number, { readonly round: number; readonly vectors: Rows[] }>();

  /** All peers send vectors like these. */
  constructor(like: readonly Rows[], found: (peer: number, round: number, vectors: readonly Rows[]) => void) {
    this.#kinds = like.map((row) => ({ length: row.length, type: typeOf(row) }));
    this.#found = found;
  }

  /** A vector has come. A word where it is not one that could. */
  take(peer: number, round: number, sequence: number, data: Vector): string | undefined {
    const kind = this.#kinds[sequence];
    if (kind === undefined) return "unexpected";
    if (!fits({ peer, ...kind }, data)) return "length";
    const before = this.#parts.get(peer);
    const part = before?.round === round ? before : { round, vectors: [] };
    // They are sent in order: one that is missing was lost, and the others are worth nothing without it.
    if (part.vectors.length !== sequence) return "unexpected";
    part.vectors.push(data as Rows);
    if (part.vectors.length < this.#kinds.length) this.#parts.set(peer, part);
    else {
      this.#parts.delete(peer);
      this.#found(peer, round, part.vectors);
    }
    return undefined;
  }
}
