/**
 * What the page of a seat shows, as plain data, and how each event changes it. Pure: the page draws it, the
 * tests read it.
 */

import type { NeededFiles } from "@equitopo/nn";
import type { LinkKind, Occupant } from "@equitopo/web";
import type { Standing } from "./digest.ts";
import { type Point, thinned } from "./points.ts";
import type { Result, Training } from "./training.ts";

export type Phase = "invited" | "joining" | "files" | "connecting" | "training" | "ended" | "left" | "failed";

/** Something that went wrong, in words for a person: what it is, and what to do. */
export interface Trouble {
  readonly what: string;
  readonly remedy: string;
}

export interface Accuracy {
  readonly updates: number;
  /** A fraction. */
  readonly value: number;
  readonly what: string;
}

export interface Shown {
  readonly phase: Phase;
  readonly rank: number;
  readonly size: number;
  readonly runs: Training["facts"];
  readonly here: readonly Pick<Occupant, "rank" | "runtime">[];
  readonly needed: NeededFiles;
  readonly wanted: number;
  readonly open: ReadonlyMap<number, LinkKind>;
  /** Every link that was ever open, by its last kind: the ending shows these, as partners that end first close their links. */
  readonly used: ReadonlyMap<number, LinkKind>;
  readonly server: boolean;
  readonly standing: Standing | undefined;
  readonly points: readonly Point[];
  readonly accuracy: Accuracy | undefined;
  readonly result: Result | undefined;
  readonly trouble: Trouble | undefined;
}

/** Something that happened, as the entries of `Shown` that it changes. */
export type SeatEvent = Partial<Omit<Shown, "used" | "points" | "accuracy">>;

export const nothingShown: Shown = {
  ...{ phase: "joining", rank: -1, size: 0, runs: [], here: [], needed: { kind: "none" }, wanted: 0, server: true },
  ...{ open: new Map(), used: new Map(), points: [] },
  ...{ standing: undefined, accuracy: undefined, result: undefined, trouble: undefined },
};

const mostPoints = 400;

/** In these phases nothing later is shown: a person need not see that others leave, or that the server goes. */
export const over: readonly Phase[] = ["ended", "left", "failed"];

export function after(shown: Shown, event: SeatEvent): Shown {
  if (over.includes(shown.phase)) return shown;
  const { phase = shown.phase } = event;
  const next = { ...shown, ...event, phase: phase === "joining" && event.rank !== undefined ? "connecting" : phase };
  if (event.open !== undefined) return { ...next, used: new Map([...shown.used, ...event.open]) };
  if (event.result !== undefined) return { ...next, open: shown.used };
  if (event.standing === undefined) return next;
  const { run, points, accuracy = shown.accuracy } = event.standing;
  const begun = shown.standing !== undefined && shown.standing.run !== run ? [] : shown.points;
  return { ...next, points: thinned([...begun, ...points], mostPoints), accuracy };
}

export const failed = (trouble: Trouble): SeatEvent => ({ phase: "failed", trouble });

export function countLinks(open: ReadonlyMap<number, LinkKind>): Readonly<Record<LinkKind, number>> {
  const counts: Record<LinkKind, number> = { rtc: 0, websocket: 0, relay: 0, port: 0 };
  for (const kind of open.values()) counts[kind]++;
  return counts;
}
