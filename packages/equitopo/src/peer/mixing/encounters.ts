/**
 * A peer's encounters with its partners: how many were planned, how many took place, and which partners were never heard.
 * Messages dropped on purpose (faults of the spec) do not count as planned.
 */

import type { MixReport } from "./mixing.ts";

export interface ExchangeTally {
  /** Encounters with single partners, by the topology and in exact means. */
  readonly planned: number;
  /** Those in which the partner's vectors were used, in time or after a late vote. */
  readonly done: number;
  /** Those in which they were not: they did not come in time, a defence left them out, or the two sides did not both vote yes. */
  readonly void: number;
}

export class Encounters {
  readonly #heard = new Set<number>();
  readonly #times = new Map<number, number>();
  #planned = 0;
  #void = 0;

  note({ partners, missing, lost, mended }: MixReport): void {
    for (const peer of mended) {
      this.#void--;
      this.#heard.add(peer);
    }
    const absent = new Set(missing);
    const spared = new Set(lost);
    for (const peer of partners) {
      if (spared.has(peer)) continue;
      this.#planned++;
      this.#times.set(peer, (this.#times.get(peer) ?? 0) + 1);
      if (absent.has(peer)) this.#void++;
      else this.#heard.add(peer);
    }
  }

  get tally(): ExchangeTally {
    return { planned: this.#planned, done: this.#planned - this.#void, void: this.#void };
  }

  /** Those never heard that were due at least so many times: more than a dropped message or two explain. */
  silent(times: number): readonly number[] {
    return this.neverHeard.filter((peer) => (this.#times.get(peer) ?? 0) >= times);
  }

  /** Partners of some round, none of whose vectors was ever used, ascending. */
  get neverHeard(): readonly number[] {
    return [...this.#times.keys()].filter((peer) => !this.#heard.has(peer)).sort((a, b) => a - b);
  }
}
