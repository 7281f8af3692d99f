/**
 * What went wrong for one peer in the run that it is in. A transport counts over all runs of a spec, so what it had counted
 * when the run before ended is subtracted; the meeting between two runs belongs to the second. Pure.
 */

import type { Counts } from "../exchange/transport.ts";
import type { RoundReport } from "../mixing/mixing.ts";

const names = ["missed", "voided", "late", "unsent", "reconnects", "refused"] as const;

type Sums = Readonly<Record<(typeof names)[number], number>>;

/** What went wrong for one peer so far in a run, and how long it waited, in milliseconds. */
export interface PeerFaults extends Sums {
  readonly waited: number;
  readonly longestWait: number;
}

const nothing: Sums = { missed: 0, voided: 0, late: 0, unsent: 0, reconnects: 0, refused: 0 };

export class RunFaults {
  readonly #counts: Counts;
  #run: number | undefined;
  /** Of the transport when the run before ended; all that came before the first run is counted to it. */
  #before = nothing;
  /** Of the transport at the last look. */
  #last = nothing;
  #waited = 0;
  #longestWait = 0;

  constructor(counts: Counts) {
    this.#counts = counts;
  }

  /** An iteration of that run is done. */
  note(run: number, { waited }: Pick<RoundReport, "waited">): void {
    this.#enter(run);
    this.#waited += waited;
    this.#longestWait = Math.max(this.#longestWait, waited);
  }

  /** Those of the run so far. */
  in(run: number): PeerFaults {
    this.#enter(run);
    this.#last = this.#sums();
    const since = names.map((name) => [name, this.#last[name] - this.#before[name]]);
    return { ...(Object.fromEntries(since) as Sums), waited: this.#waited, longestWait: this.#longestWait };
  }

  #enter(run: number): void {
    if (run === this.#run) return;
    this.#run = run;
    this.#before = this.#last;
    [this.#waited, this.#longestWait] = [0, 0];
  }

  #sums(): Sums {
    const { missed, voided, late, unsent, reconnects } = this.#counts;
    const refused = [...this.#counts.refused.values()].reduce((total, count) => total + count, 0);
    return { missed, voided, late, unsent, reconnects, refused };
  }
}
