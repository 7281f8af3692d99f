/**
 * What went wrong for one peer, one by one, for a program that keeps a log. The transport only counts, so faults are found
 * by comparing its counts before and after each iteration: at most one fault of each kind an iteration. If they come
 * faster than a person can read, only the first are reported, and later how many were not: a bucket of `burst` faults
 * fills again at `perSecond`.
 *
 * Pure: the time is handed in.
 */

import type { Counts } from "../exchange/transport.ts";

/**
 * missed: partners whose vectors were awaited and did not come; voided: undirected exchanges that neither side used; late: vectors of
 * rounds that were over; unsent: vectors that could not be handed over; reconnect: connections made again; refused: frames
 * that were not believed; skipped: iterations left out to catch up; trouble: anything else a person should know;
 * untold: faults that came too fast to be reported one by one.
 */
export const faultKinds = [
  "missed",
  "voided",
  "late",
  "unsent",
  "reconnect",
  "refused",
  "skipped",
  "trouble",
  "untold",
] as const;
export type PeerFaultKind = (typeof faultKinds)[number];

export interface PeerFault {
  readonly what: PeerFaultKind;
  /** Which of the runs, and after how many iterations of it; -1 before the first. */
  readonly run: number;
  readonly iteration: number;
  readonly count: number;
  readonly partners?: readonly number[];
  /** Why something was refused, or what the trouble is. */
  readonly reason?: string;
}

/** What an iteration was like, as far as faults need it. */
export interface Outline {
  readonly run: number;
  readonly iteration: number;
  readonly missing: readonly number[];
  /** Those of the missing whose vectors were dropped on purpose, which is no fault. */
  readonly lost: readonly number[];
}

const [burst, perSecond] = [100, 10];

export class FaultWatch {
  readonly #counts: Counts;
  #known: Record<string, number>;
  #next: { readonly run: number; readonly iteration: number } | undefined;
  #room = burst;
  #time: number | undefined;
  #untold = 0;

  constructor(counts: Counts) {
    this.#counts = counts;
    this.#known = numbersOf(counts);
  }

  /** The faults since the last call, as many as may be reported at that time (milliseconds). O(kinds of refusals). */
  since({ run, iteration, missing, lost }: Outline, now: number): PeerFault[] {
    const counted = numbersOf(this.#counts);
    const at = { run, iteration };
    const partners = missing.filter((peer) => !lost.includes(peer));
    const faults: PeerFault[] = [];
    for (const [name, count] of Object.entries(counted)) {
      const more = count - (this.#known[name] ?? 0);
      const [what, reason] = name.split(":") as [PeerFaultKind, string | undefined];
      // Missed partners are known by name; other misses (in meetings and evaluations) are only counted.
      const reported =
        what === "missed" && missing.length > 0 ? partners.length : what === "voided" ? more - lost.length : more;
      if (reported <= 0) continue;
      const whom = what === "missed" && partners.length > 0 ? { partners } : {};
      faults.push({ what, ...at, count: reported, ...whom, ...(reason === undefined ? {} : { reason }) });
    }
    this.#known = counted;
    const skipped = this.#next?.run === run ? iteration - this.#next.iteration : 0;
    if (skipped > 0) faults.push({ what: "skipped", ...at, count: skipped });
    this.#next = { run, iteration: iteration + 1 };
    return this.#bounded(faults, now);
  }

  trouble(reason: string, now: number): PeerFault[] {
    const { run, iteration } = this.#next ?? { run: 0, iteration: 0 };
    return this.#bounded([{ what: "trouble", run, iteration: iteration - 1, count: 1, reason }], now);
  }

  #bounded(faults: readonly PeerFault[], now: number): PeerFault[] {
    this.#room = Math.min(burst, this.#room + (perSecond * (now - (this.#time ?? now))) / 1000);
    this.#time = now;
    const reported: PeerFault[] = [];
    for (const fault of faults) {
      if (this.#room < 1) {
        this.#untold++;
        continue;
      }
      if (this.#untold > 0) {
        const { run, iteration } = fault;
        reported.push({ what: "untold", run, iteration, count: this.#untold });
        this.#untold = 0;
      }
      this.#room--;
      reported.push(fault);
    }
    return reported;
  }
}

/** Counts by kind, those of refusals by reason too. */
function numbersOf({ missed, voided, late, unsent, reconnects, refused }: Counts): Record<string, number> {
  const reasons = Array.from(refused, ([reason, count]) => [`refused:${reason}`, count] as const);
  return { missed, voided, late, unsent, reconnect: reconnects, ...Object.fromEntries(reasons) };
}
