/**
 * Gradient tracking is repaired after a fault (repair.ts says how), at an iteration that all peers agree on without a
 * coordinator. Repairs may begin at iterations every, 2 every, 3 every, ... A peer that knows of a damaged sum chooses the
 * first of them that is more than `lag` iterations ahead, and says so to its partners of each iteration until that repair is
 * over; a peer that hears of it does the same. So the news travels as fast as vectors do, and after `lag` iterations all
 * know it, however far apart they are. A run without faults says nothing and sends nothing more.
 *
 * Faults are: a peer begins without the tracker that the others count on (it is new, or comes back), it skips iterations, or
 * an awaited vector does not come. In undirected rounds what is missed is void on both sides and damages no sum, so there only
 * the first time counts, when the partner may be gone for good; in directed rounds every time does.
 *
 * If peers disagree on a repair all the same, their exchanges in it fail, which is a fault: another repair follows.
 */

import { usualLag } from "../exchange/claims.ts";
import type { Notices } from "../exchange/transport.ts";
import type { RoundReport } from "../mixing/mixing.ts";
import type { RepairPhase } from "./repair.ts";

export interface FaultRepairOptions {
  readonly n: number;
  readonly symmetric: boolean;
  /** The iteration that this peer begins with, and the number of all. */
  readonly first: number;
  readonly end: number;
  readonly isOfRun: (round: number) => boolean;
  readonly onTrouble: (text: string) => void;
}

export type FaultRepair = ReturnType<typeof faultRepair>;

export function faultRepair({ n, symmetric, first, end, isOfRun, onTrouble }: FaultRepairOptions) {
  const lag = usualLag(n);
  const every = lag;
  /** Iterations of a repair: fewer than lie between two. */
  const length = every / 2;
  /** The numbers of the repairs that are agreed on and not over; number k begins at iteration k every. */
  const due = new Set<number>();
  const silent = new Set<number>();
  /** The iteration under way, and when a person was last informed. */
  let [now, said] = [first, Number.NEGATIVE_INFINITY];

  const isOver = (number: number) => now >= number * every + length;

  /** Once where one fault follows another. */
  function tell(text: string): void {
    const quiet = now - said > 4 * every;
    said = now;
    if (quiet) onTrouble(text);
  }

  /** The sum of the trackers may be damaged: chooses an iteration for its repair, unless one is to come. */
  function fault(why: string): void {
    for (const number of due) if (number * every > now) return;
    const number = Math.floor((now + lag) / every) + 1;
    const begin = number * every;
    const late = begin >= end;
    if (!late) due.add(number);
    const then = late ? "and the run ends before a repair: its result may be off" : `repaired at iteration ${begin}`;
    tell(`${why}: the sum of the trackers may be wrong, ${then}`);
  }

  return {
    fault,

    get pending(): boolean {
      return due.size > 0;
    },

    done({ round, partners, missing, lost }: Pick<RoundReport, "round" | "partners" | "missing" | "lost">): void {
      const skipped = round - now;
      now = round + 1;
      for (const number of due) if (isOver(number)) due.delete(number);
      const missed = missing.filter((peer) => !lost.includes(peer));
      const news = symmetric ? missed.filter((peer) => !silent.has(peer)) : missed;
      for (const peer of partners) if (!missing.includes(peer)) silent.delete(peer);
      for (const peer of missed) silent.add(peer);
      if (skipped > 0) fault(`${skipped} iterations were skipped`);
      else if (news.length > 0) fault(`peer ${news[0]} was missed in iteration ${round}`);
    },

    /** What an iteration is in the repairs. */
    phaseOf(t: number): RepairPhase | undefined {
      const number = Math.floor(t / every);
      const begin = number * every;
      const phase = t - begin;
      if (!due.has(number) || phase >= length) return undefined;
      return { begin, phase, last: phase === length - 1 || t === end - 1 };
    },

    say: (): readonly number[] => [...due],

    hear(peer: number, round: number, number: number): void {
      const begin = number * every;
      // The sender may be as far ahead as peers can be apart, and has chosen an iteration ahead of itself.
      const near = begin < Math.min(end, now + 2 * lag + 2 * every);
      if (due.has(number) || !near || isOver(number) || !isOfRun(round)) return;
      due.add(number);
      // What this peer holds of the sum was not in the beginning of that repair.
      if (begin <= now) fault(`the repair of iteration ${begin} was heard of too late`);
      else tell(`peer ${peer} reports a fault: all repair their trackers at iteration ${begin}`);
    },
  } satisfies Notices & Record<string, unknown>;
}
