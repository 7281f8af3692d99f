/**
 * What was refused, said once for each kind and source: a stranger that tries again and again, or a peer whose every frame
 * is wrong, is counted each time and logged the first time. Memory is bounded, whoever comes: after `limit` lines one
 * says that there is more, and nothing more is said.
 */

const limit = 256;

export class Refusals {
  readonly #said = new Set<string>();
  readonly #log: (line: string) => void;
  readonly #who: string;

  /** `who` begins every line: the peer that refuses. */
  constructor(who: string, log: (line: string) => void) {
    this.#who = who;
    this.#log = log;
  }

  note(reason: string, source: string): void {
    const line = `${this.#who}: refused ${source}: ${reason}`;
    if (this.#said.size > limit || this.#said.has(line)) return;
    this.#said.add(line);
    const last = this.#said.size > limit;
    this.#log(last ? `${this.#who}: refused more; further refusals are counted, not logged` : line);
  }
}
