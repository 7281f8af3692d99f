/**
 * What went wrong for one peer, one by one, for a program that keeps a log. The transport only counts, so faults are found
 * by comparing its counts before and after each iteration: at most one fault of each kind an iteration. The first of a kind
 * is reported at once; what follows is added up and reported as one after 10 s, then after 20 s, ... up to 10 minutes, until
 * there was none for as long.
 *
 * Pure: the time is handed in.
 */

import { defined } from "../../input/input.ts";
import type { Counts } from "../exchange/transport.ts";
import type { Presence } from "./presence.ts";

/**
 * missed: partners whose vectors were awaited and did not come; voided: undirected exchanges that neither side used; late: vectors of
 * rounds that were over; unsent: vectors that could not be handed over; reconnect: connections made again; refused: frames
 * that were not believed; skipped: iterations left out to catch up; trouble: anything else a person should know; gone, back,
 * rejoined: what became of a peer (presence.ts), or of this one.
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
  "gone",
  "back",
  "rejoined",
] as const;
export type PeerFaultKind = (typeof faultKinds)[number];

export interface PeerFault {
  readonly what: PeerFaultKind;
  /** Which of the runs, and after how many iterations of it; -1 before the first. */
  readonly run: number;
  readonly iteration: number;
  readonly count: number;
  readonly partners?: readonly number[];
  /** Why something was refused, or what the trouble is; where it came from, and what to do. */
  readonly reason?: string;
  readonly source?: string;
  readonly remedy?: string;
}

/** What an iteration was like, as far as faults need it. */
export interface Outline {
  readonly run: number;
  readonly iteration: number;
  readonly missing: readonly number[];
  /** Those of the missing whose vectors were dropped on purpose, which is no fault. */
  readonly lost: readonly number[];
}

/** Milliseconds between two reports of one kind, at least and at most. */
const [shortest, longest] = [10_000, 600_000];
/** Kinds, by their reasons and partners, of which the last report is remembered. */
const mostKinds = 1024;

/** The faults of one kind that are still to be reported, added up, and when. */
interface Repeated {
  sum: PeerFault | undefined;
  due: number;
  pause: number;
}

export class FaultWatch {
  readonly #counts: Counts;
  readonly #repeated = new Map<string, Repeated>();
  #known: Record<string, number>;
  #next: { readonly run: number; readonly iteration: number } | undefined;

  constructor(counts: Counts) {
    this.#counts = counts;
    this.#known = numbersOf(counts);
  }

  /** The faults since the last call, as many as are to be reported at that time (milliseconds). O(kinds of refusals). */
  since({ run, iteration, missing, lost }: Outline, now: number, presence: readonly Presence[] = []): PeerFault[] {
    const counted = numbersOf(this.#counts);
    const at = { run, iteration };
    const partners = missing.filter((peer) => !lost.includes(peer));
    for (const { what, peer } of presence) this.#add({ what, ...at, count: 1, partners: [peer] }, now);
    for (const [name, count] of Object.entries(counted)) {
      const more = count - (this.#known[name] ?? 0);
      const [what, reason] = name.split(":") as [PeerFaultKind, string | undefined];
      // Missed partners are known by name; other misses (in meetings and evaluations) are only counted.
      const reported =
        what === "missed" && missing.length > 0 ? partners.length : what === "voided" ? more - lost.length : more;
      if (reported <= 0) continue;
      const whom = what === "missed" && partners.length > 0 ? { partners } : {};
      const origin = what === "refused" ? this.#counts.refusals.get(reason as string) : undefined;
      this.#add({ what, ...at, count: reported, ...whom, ...defined({ reason, ...origin }) }, now);
    }
    this.#known = counted;
    const skipped = this.#next?.run === run ? iteration - this.#next.iteration : 0;
    if (skipped > 0) this.#add({ what: "skipped", ...at, count: skipped }, now);
    this.#next = { run, iteration: iteration + 1 };
    return this.#due(now);
  }

  trouble(reason: string, now: number): PeerFault[] {
    const { run, iteration } = this.#next ?? { run: 0, iteration: 0 };
    this.#add({ what: "trouble", run, iteration: iteration - 1, count: 1, reason }, now);
    return this.#due(now);
  }

  /** What is still to be reported, at the end. */
  rest(): PeerFault[] {
    const rest = [...this.#repeated.values()].flatMap(({ sum }) => sum ?? []);
    this.#repeated.clear();
    return rest;
  }

  #add(fault: PeerFault, now: number): void {
    const { what, reason = "", partners = [] } = fault;
    const name = `${what} ${reason} ${what === "missed" ? "" : partners}`;
    const known = this.#repeated.get(name) ?? { sum: undefined, due: now, pause: shortest / 2 };
    const { sum } = known;
    const whom = sum?.partners && { partners: [...new Set([...sum.partners, ...partners])].sort((a, b) => a - b) };
    known.sum = { ...fault, count: fault.count + (sum?.count ?? 0), ...whom };
    this.#repeated.set(name, known);
  }

  #due(now: number): PeerFault[] {
    const faults: PeerFault[] = [];
    for (const [name, known] of this.#repeated) {
      const { sum, due, pause } = known;
      if (now < due) continue;
      if (sum === undefined) {
        if (now - due > longest || this.#repeated.size > mostKinds) this.#repeated.delete(name);
        continue;
      }
      faults.push(sum);
      known.sum = undefined;
      known.pause = now - due > pause ? shortest : Math.min(2 * pause, longest);
      known.due = now + known.pause;
    }
    return faults;
  }
}

/** Counts by kind, those of refusals by reason too. */
function numbersOf({ missed, voided, late, unsent, reconnects, refused }: Counts): Record<string, number> {
  const reasons = Array.from(refused, ([reason, count]) => [`refused:${reason}`, count] as const);
  return { missed, voided, late, unsent, reconnect: reconnects, ...Object.fromEntries(reasons) };
}
