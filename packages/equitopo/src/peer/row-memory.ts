/**
 * Memory of rows that goes in circles: what an algorithm gives up is what it later gets back, and where the transport lends
 * memory that peers read in place, rows live there and are never copied.
 */

import type { Rows } from "../round/round.ts";
import { allocate, type Transport, typeOf, type Vector } from "./transport.ts";

export class RowMemory {
  readonly #transport: Transport;
  readonly #borrow: boolean;
  /** The transport's memory in the algorithm's hands, by number of vector: nobody else's until it is given up. */
  readonly #lent = new Map<number, Rows>();
  readonly #spare: Rows[] = [];

  /** Of several over one transport at the same time only one may borrow. */
  constructor(transport: Transport, borrow: boolean) {
    this.#transport = transport;
    this.#borrow = borrow;
  }

  /** Where the mixed vectors go. The old ones are still read, so it is other memory. */
  instead(old: readonly Rows[]): Rows[] {
    const fresh: Rows[] = [];
    const lent = new Map<number, Rows>();
    const taken = ({ buffer, byteOffset }: Vector) =>
      [...this.#lent.values(), ...lent.values()].some((v) => v.buffer === buffer && v.byteOffset === byteOffset);
    old.forEach((like, index) => {
      const type = typeOf(like);
      // An algorithm that keeps what it got gets no more of that kind: at most one is ever out for each vector.
      const before = this.#lent.get(index);
      const returned = before === undefined || old.includes(before);
      const memory =
        this.#borrow && returned
          ? (this.#transport.lend?.(index, type, like.length, taken) as Rows | undefined)
          : undefined;
      if (memory !== undefined) lent.set(index, memory);
      fresh.push(memory ?? this.ordinary(type, like.length));
    });
    for (const [index, vector] of this.#lent) if (old.includes(vector)) this.#lent.delete(index);
    for (const [index, vector] of lent) this.#lent.set(index, vector);
    return fresh;
  }

  ordinary(type: "float32" | "float64", length: number): Rows {
    const at = this.#spare.findIndex((spare) => spare.length === length && typeOf(spare) === type);
    return at >= 0 ? this.#spare.splice(at, 1)[0] : allocate(type, length);
  }

  recycle(vector: Rows): void {
    // Lent memory is shared, and goes back by being lent again; a few others are kept for the next rounds.
    if (!(vector.buffer instanceof ArrayBuffer) || this.#spare.includes(vector)) return;
    this.#spare.push(vector);
    if (this.#spare.length > 8) this.#spare.shift();
  }
}
