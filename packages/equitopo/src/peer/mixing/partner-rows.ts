/** The rows that came from the partners of an exchange, and how long each partner is waited for. */

import type { Rows } from "../../round/round.ts";
import type { Vector } from "../exchange/transport.ts";

/** A partner's rows, one for each vector; undefined where they did not all come. */
export type Found = readonly Rows[] | undefined;

/**
 * What came of each partner, who were to send `count` vectors each in that order; entries that were torn while they were
 * read did not come.
 */
export function byPartner<T extends Vector = Rows>(
  partners: readonly number[],
  count: number,
  arrived: readonly (Vector | undefined)[],
  torn: readonly number[] = [],
): Map<number, readonly T[] | undefined> {
  const intact = arrived.map((data, entry) => (torn.includes(entry) ? undefined : data));
  const rowsOf = (j: number) => intact.slice(j * count, (j + 1) * count);
  return new Map(partners.map((peer, j) => [peer, rowsOf(j).includes(undefined) ? undefined : (rowsOf(j) as T[])]));
}

/**
 * The share of a timeout that a partner is waited for: all of it at its 1st, 2nd, 4th, 8th, ... encounter since it was last
 * heard, an eighth at the others. So a dead peer costs little time, and one that comes back soon gets the full timeout.
 */
export class Patience {
  /** Encounters in a row that a partner missed; nothing of those that were heard. */
  readonly #misses = new Map<number, number>();

  share(peer: number): number {
    const misses = this.#misses.get(peer) ?? 0;
    return (misses & (misses - 1)) === 0 ? 1 : 1 / 8;
  }

  note(found: ReadonlyMap<number, unknown>): void {
    for (const [peer, rows] of found) {
      if (rows === undefined) this.#misses.set(peer, (this.#misses.get(peer) ?? 0) + 1);
      else this.#misses.delete(peer);
    }
  }
}
