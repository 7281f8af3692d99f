/**
 * What went wrong for one peer in its present run. A transport counts over all runs of a spec, so the counts at the end of
 * the previous run are subtracted; the meeting between two runs belongs to the second. Pure.
 */

import { Counts } from "../exchange/transport.ts";
import type { RoundReport } from "../mixing/mixing.ts";

function sumsOf({ missed, voided, late, unsent, reconnects, refused }: Counts) {
  return {
    missed,
    voided,
    late,
    unsent,
    reconnects,
    refused: [...refused.values()].reduce((sum, one) => sum + one, 0),
  };
}

type Sums = Readonly<ReturnType<typeof sumsOf>>;

/** What went wrong for one peer so far in a run, and how long it waited, in milliseconds. */
export type PeerFaults = Sums & { readonly waited: number; readonly longestWait: number };

export function runFaults(counts: Counts) {
  let current: number | undefined;
  /** When the run before ended, and at the last look; all that came before the first run is counted to it. */
  let [before, last]: Sums[] = [sumsOf(new Counts()), sumsOf(new Counts())];
  let [waited, longestWait] = [0, 0];

  function enter(run: number): void {
    if (run !== current) [current, before, waited, longestWait] = [run, last, 0, 0];
  }

  return {
    note(run: number, report: Pick<RoundReport, "waited">): void {
      enter(run);
      waited += report.waited;
      longestWait = Math.max(longestWait, report.waited);
    },

    in(run: number): PeerFaults {
      enter(run);
      last = sumsOf(counts);
      const since = Object.entries(last).map(([name, sum]) => [name, sum - before[name as keyof Sums]]);
      return { ...(Object.fromEntries(since) as Sums), waited, longestWait };
    },
  };
}
