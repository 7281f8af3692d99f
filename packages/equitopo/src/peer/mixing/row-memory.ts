/**
 * Memory of rows that is used again and again: rows that an algorithm gives up are given to it later. If the transport lends
 * memory that peers read in place, rows are there and are never copied.
 */

import { giveRow, takeRow } from "../../kernel/space.ts";
import type { Rows } from "../../round/round.ts";
import { allocate, type Transport, typeOf, type Vector } from "../exchange/transport.ts";

/** Of several over one transport at the same time only one may borrow. */
export function rowMemory(transport: Transport, borrow: boolean) {
  /** The transport's memory in the algorithm's hands, by number of vector: nobody else's until it is given up. */
  const lent = new Map<number, Rows>();
  const spare: Rows[] = [];

  function ordinary(type: "float32" | "float64", length: number): Rows {
    const row = takeRow(type, length);
    if (row !== undefined) return row;
    const at = spare.findIndex((row) => row.length === length && typeOf(row) === type);
    return at >= 0 ? spare.splice(at, 1)[0] : allocate(type, length);
  }

  return {
    ordinary,

    /** Where the mixed vectors go. The old ones are still read, so it is other memory. */
    instead(old: readonly Rows[]): Rows[] {
      const now = new Map<number, Rows>();
      const taken = ({ buffer, byteOffset }: Vector) =>
        [...lent.values(), ...now.values()].some((v) => v.buffer === buffer && v.byteOffset === byteOffset);
      const fresh = old.map((like, index) => {
        const type = typeOf(like);
        // An algorithm that keeps what it got gets no more of that kind: at most one is ever out for each vector.
        const before = lent.get(index);
        const lends = borrow && (before === undefined || old.includes(before));
        const memory = lends ? (transport.lend?.(index, type, like.length, taken) as Rows | undefined) : undefined;
        if (memory !== undefined) now.set(index, memory);
        return memory ?? ordinary(type, like.length);
      });
      for (const [index, vector] of lent) if (old.includes(vector)) lent.delete(index);
      for (const [index, vector] of now) lent.set(index, vector);
      return fresh;
    },

    recycle(vector: Rows): void {
      // Lent memory is shared, and goes back by being lent again; a few others are kept for the next rounds.
      if (!(vector.buffer instanceof ArrayBuffer) || spare.includes(vector) || giveRow(vector)) return;
      spare.push(vector);
      if (spare.length > 8) spare.shift();
    },
  };
}
