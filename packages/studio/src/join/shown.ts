/**
 * What the page of a seat shows, as plain data, and how each thing that happens changes it. Pure: the page draws it, the
 * tests read it.
 */

import type { NeededFiles } from "@equitopo/nn";
import type { LinkKind } from "@equitopo/web";
import { type Point, thinned } from "./points.ts";

export type Phase = "joining" | "files" | "connecting" | "training" | "ended" | "left" | "failed";

/** Something that went wrong, for a person: what, and what to do. */
export interface Trouble {
  readonly what: string;
  readonly remedy: string;
}

/** Of one seat, as far as this one knows. */
export interface Neighbour {
  readonly rank: number;
  readonly runtime: "browser" | "node";
}

export interface Accuracy {
  readonly updates: number;
  /** A fraction. */
  readonly value: number;
  readonly what: string;
}

/** Where training stands, told ten times a second. */
export interface Standing {
  readonly run: number;
  /** Updates done in this run. */
  readonly updates: number;
  readonly partners: readonly number[];
  readonly missing: readonly number[];
  /** So far, over all runs. */
  readonly sentBytes: number;
  readonly receivedBytes: number;
  readonly missed: number;
  readonly lag: number;
  /** Since it was told last. */
  readonly points: readonly Point[];
  readonly accuracy?: Accuracy;
}

export interface Result {
  /** SHA-256 of this seat's last row, of each run. */
  readonly rowHashes: readonly string[];
  readonly done: number;
  readonly skipped: number;
  readonly rejoined?: number;
  readonly files: Readonly<Record<string, Uint8Array<ArrayBuffer>>>;
}

export type SeatEvent =
  | { readonly kind: "seated"; readonly rank: number; readonly size: number }
  | { readonly kind: "runs"; readonly runs: readonly RunFacts[] }
  | { readonly kind: "here"; readonly here: readonly Neighbour[] }
  | { readonly kind: "files"; readonly needed: NeededFiles }
  | { readonly kind: "links"; readonly wanted: number; readonly open: readonly (readonly [number, LinkKind])[] }
  | { readonly kind: "server"; readonly alive: boolean }
  | { readonly kind: "started" }
  | { readonly kind: "standing"; readonly standing: Standing }
  | { readonly kind: "ended"; readonly result: Result }
  | { readonly kind: "left" }
  | { readonly kind: "trouble"; readonly trouble: Trouble };

/** What a person is told of a run before it begins. */
export interface RunFacts {
  readonly label: string;
  readonly rounds: number;
  /** What the curve shows. */
  readonly measure: string;
}

export interface Shown {
  readonly phase: Phase;
  readonly rank: number;
  readonly size: number;
  readonly runs: readonly RunFacts[];
  readonly here: readonly Neighbour[];
  readonly needed: NeededFiles;
  readonly wanted: number;
  readonly open: ReadonlyMap<number, LinkKind>;
  /** Every link that was ever open, by its last kind: partners that end first close theirs, and the ending shows the run's. */
  readonly used: ReadonlyMap<number, LinkKind>;
  readonly server: boolean;
  readonly standing: Standing | undefined;
  readonly points: readonly Point[];
  readonly accuracy: Accuracy | undefined;
  readonly result: Result | undefined;
  readonly trouble: Trouble | undefined;
}

export const nothingShown: Shown = {
  ...{ phase: "joining", rank: -1, size: 0, runs: [], here: [], needed: { kind: "none" }, wanted: 0 },
  ...{
    open: new Map(),
    used: new Map(),
    server: true,
    standing: undefined,
    points: [],
    accuracy: undefined,
    result: undefined,
    trouble: undefined,
  },
};

/** Points that the curve is drawn from. */
const mostPoints = 400;

/** In these nothing follows that a person wants to see: others leaving, the server going. */
const over: readonly Phase[] = ["ended", "left", "failed"];

export function after(shown: Shown, event: SeatEvent): Shown {
  if (over.includes(shown.phase)) return shown;
  switch (event.kind) {
    case "seated":
      return {
        ...shown,
        phase: shown.phase === "joining" ? "connecting" : shown.phase,
        rank: event.rank,
        size: event.size,
      };
    case "runs":
      // With its data there, a seat is ready to be connected.
      return { ...shown, phase: "connecting", runs: event.runs };
    case "here":
      return { ...shown, here: event.here };
    case "files":
      return { ...shown, phase: "files", needed: event.needed };
    case "links":
      return {
        ...{ ...shown, wanted: event.wanted, open: new Map(event.open) },
        used: new Map([...shown.used, ...event.open]),
      };
    case "server":
      return { ...shown, server: event.alive };
    case "started":
      return { ...shown, phase: "training" };
    case "standing": {
      const { standing } = event;
      const begun = shown.standing !== undefined && shown.standing.run !== standing.run ? [] : shown.points;
      const points = thinned([...begun, ...standing.points], mostPoints);
      return { ...shown, phase: "training", standing, points, accuracy: standing.accuracy ?? shown.accuracy };
    }
    case "ended":
      return { ...shown, phase: "ended", result: event.result, open: shown.used };
    case "left":
      return { ...shown, phase: "left" };
    case "trouble":
      return { ...shown, phase: "failed", trouble: event.trouble };
  }
}

/** How many links of each kind are open. */
export function countLinks(open: ReadonlyMap<number, LinkKind>): Readonly<Record<LinkKind, number>> {
  const counts: Record<LinkKind, number> = { rtc: 0, websocket: 0, relay: 0, port: 0 };
  for (const kind of open.values()) counts[kind]++;
  return counts;
}
