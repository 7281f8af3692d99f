/**
 * Gradient tracking is repaired after a fault (repair.ts says how), at an iteration that all peers agree on without a
 * coordinator. Repairs may begin at iterations every, 2 every, 3 every, ... A peer that knows of a damaged sum chooses the
 * first of them that is more than `lag` iterations ahead, and says so to its partners of each iteration until that repair is
 * over; who hears of it does the same. So word goes as far in an iteration as vectors do, and `lag` iterations are enough for
 * all to know, however far apart they are. A run without faults says nothing and sends nothing more.
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
  /** Whether the topology's rounds are undirected. */
  readonly symmetric: boolean;
  /** The iteration that this peer begins with, and the number of all. */
  readonly first: number;
  readonly end: number;
  /** Whether a round of the transport is one of this run. */
  readonly isOfRun: (round: number) => boolean;
  readonly onTrouble: (text: string) => void;
}

export class FaultRepair implements Notices {
  readonly #options: FaultRepairOptions;
  readonly #lag: number;
  readonly #every: number;
  /** The numbers of the repairs that are agreed on and not over; number k begins at iteration k every. */
  readonly #due = new Set<number>();
  readonly #silent = new Set<number>();
  /** The iteration under way, and when a person was last informed. */
  #t: number;
  #said = Number.NEGATIVE_INFINITY;

  constructor(options: FaultRepairOptions) {
    this.#options = options;
    this.#lag = usualLag(options.n);
    this.#every = this.#lag;
    this.#t = options.first;
  }

  /** Whether a repair is to come, or under way. */
  get pending(): boolean {
    return this.#due.size > 0;
  }

  /** The sum of the trackers may be damaged: chooses an iteration for its repair, unless one is to come. */
  fault(why: string): void {
    for (const number of this.#due) if (number * this.#every > this.#t) return;
    const number = Math.floor((this.#t + this.#lag) / this.#every) + 1;
    const begin = number * this.#every;
    const late = begin >= this.#options.end;
    if (!late) this.#due.add(number);
    const then = late ? "and the run ends before a repair: its result may be off" : `repaired at iteration ${begin}`;
    this.#say(`${why}: the sum of the trackers may be wrong, ${then}`);
  }

  /** An iteration is done. */
  done({ round, partners, missing, lost }: Pick<RoundReport, "round" | "partners" | "missing" | "lost">): void {
    const skipped = round - this.#t;
    this.#t = round + 1;
    for (const number of this.#due) if (this.#isOver(number)) this.#due.delete(number);
    const missed = missing.filter((peer) => !lost.includes(peer));
    const news = this.#options.symmetric ? missed.filter((peer) => !this.#silent.has(peer)) : missed;
    for (const peer of partners) if (!missing.includes(peer)) this.#silent.delete(peer);
    for (const peer of missed) this.#silent.add(peer);
    if (skipped > 0) this.fault(`${skipped} iterations were skipped`);
    else if (news.length > 0) this.fault(`peer ${news[0]} was missed in iteration ${round}`);
  }

  /** What an iteration is in the repairs. */
  phaseOf(t: number): RepairPhase | undefined {
    const number = Math.floor(t / this.#every);
    const begin = number * this.#every;
    const phase = t - begin;
    if (!this.#due.has(number) || phase >= this.#length) return undefined;
    return { begin, phase, last: phase === this.#length - 1 || t === this.#options.end - 1 };
  }

  say(): readonly number[] {
    return [...this.#due];
  }

  hear(peer: number, round: number, number: number): void {
    const begin = number * this.#every;
    // The sender may be as far ahead as peers can be apart, and has chosen an iteration ahead of itself.
    const near = begin < Math.min(this.#options.end, this.#t + 2 * this.#lag + 2 * this.#every);
    if (this.#due.has(number) || !near || this.#isOver(number) || !this.#options.isOfRun(round)) return;
    this.#due.add(number);
    // What this peer holds of the sum was not in the beginning of that repair.
    if (begin <= this.#t) this.fault(`the repair of iteration ${begin} was heard of too late`);
    else this.#say(`peer ${peer} reports a fault: all repair their trackers at iteration ${begin}`);
  }

  #isOver(number: number): boolean {
    return this.#t >= number * this.#every + this.#length;
  }

  /** Iterations of a repair: fewer than lie between two. */
  get #length(): number {
    return this.#every / 2;
  }

  /** Once where one fault follows another. */
  #say(text: string): void {
    const quiet = this.#t - this.#said > 4 * this.#every;
    this.#said = this.#t;
    if (quiet) this.#options.onTrouble(text);
  }
}
