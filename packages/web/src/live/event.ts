/**
 * What a run tells a studio that watches it, a line of JSON each:
 *
 *     {"version":1,"source":"<who tells>","kind":"round","rank":3,"run":0,"round":17,"partners":[5],"bytes":640,"lag":0}
 *
 * Facts about progress only: no models, no data. Edges are not told either, since whoever has the spec computes them.
 * Lines may come from anywhere, so each is taken apart field by field; what is not known is left behind.
 */

import { InputError, type RunSpec } from "equitopo";

export type LiveEvent =
  /** The runs that are about to be done, by number from 0; peers of one network all tell the same. */
  | { readonly kind: "begin"; readonly title: string; readonly how: string; readonly runs: readonly LiveSpec[] }
  | ({ readonly kind: "round" } & LiveRound)
  /** What went wrong for a peer so far. */
  | { readonly kind: "faults"; readonly rank: number; readonly run: number; readonly faults: LiveFaults }
  /** How much of a simulated run is done, from 0 to 1. */
  | { readonly kind: "share"; readonly run: number; readonly share: number }
  /** A point of the run's curves. */
  | { readonly kind: "metrics"; readonly run: number; readonly updates: number; readonly metrics: Metrics }
  | { readonly kind: "result"; readonly run: number; readonly stateHash: string }
  /** Nothing is heard of that peer any more; it may come back. */
  | { readonly kind: "gone"; readonly rank: number }
  | { readonly kind: "end"; readonly rank: number }
  /** The whole source has ended. */
  | { readonly kind: "over" };

/** What of a run's spec a picture needs. */
export type LiveSpec = Pick<RunSpec, "label" | "topology" | "rounds" | "seed">;

export interface LiveRound {
  readonly rank: number;
  readonly run: number;
  readonly round: number;
  readonly partners: readonly number[];
  /** Sent so far. */
  readonly bytes: number;
  /** Iterations that others are ahead of it; negative where it is itself ahead. */
  readonly lag: number;
}

export interface LiveFaults {
  readonly missed: number;
  readonly voided: number;
  readonly late: number;
  readonly reconnects: number;
  readonly refused: number;
  /** Milliseconds. */
  readonly longestWait: number;
}

type Metrics = Readonly<Record<string, number>>;

/** A line of the stream: which run or network, and what of it. */
export interface LiveLine {
  readonly source: string;
  readonly event: LiveEvent;
}

const version = 1;

/** Letters that a source, a label or a name may have. */
const longest = 200;
/** More peers than this are no network that a page could show. */
const mostPeers = 100_000;

type Check = (value: unknown) => unknown;

const refuse = (value: unknown): never => {
  throw new InputError("a line of the live stream must be as written", value, "use one version of equitopo");
};
const whole: Check = (value) => (Number.isSafeInteger(value) && (value as number) >= 0 ? value : refuse(value));
const rank: Check = (value) => ((whole(value) as number) < mostPeers ? value : refuse(value));
const amount: Check = (value) => (Number.isFinite(value) && (value as number) >= 0 ? value : refuse(value));
/** JSON has null for what is no finite number: a run that diverged. */
const number: Check = (value) => (value === null ? Number.NaN : typeof value === "number" ? value : refuse(value));
const finite: Check = (value) => (Number.isFinite(value) ? value : refuse(value));
const text: Check = (value) => (typeof value === "string" && value.length <= longest ? value : refuse(value));
const list =
  (check: Check, most: number): Check =>
  (value) =>
    Array.isArray(value) && value.length <= most ? value.map(check) : refuse(value);
const objectOf = (value: unknown) =>
  value !== null && typeof value === "object" && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : refuse(value);
const fields =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) => {
    const given = objectOf(value);
    return Object.fromEntries(Object.entries(checks).map(([name, check]) => [name, check(given[name])]));
  };
const metrics: Check = (value) => {
  const entries = Object.entries(objectOf(value));
  return entries.length <= 20 ? Object.fromEntries(entries.map(([name, one]) => [text(name), number(one)])) : refuse(0);
};
/** A topology by name; its own check comes with whoever makes it. */
const topology: Check = (value) => {
  text(objectOf(value)["name"]);
  whole(objectOf(value)["n"]);
  return JSON.stringify(value).length <= 100_000 ? value : refuse("a longer one");
};
const faults = fields({ missed: whole, voided: whole, late: whole, reconnects: whole, refused: whole, longestWait: amount }); // biome-ignore format: a list
const spec = fields({ label: text, topology, rounds: whole, seed: whole });

const shapes: { readonly [K in LiveEvent["kind"]]: Check } = {
  begin: fields({ title: text, how: text, runs: list(spec, 1000) }),
  round: fields({ rank, run: whole, round: whole, partners: list(rank, 1000), bytes: amount, lag: finite }),
  faults: fields({ rank, run: whole, faults }),
  share: fields({ run: whole, share: amount }),
  metrics: fields({ run: whole, updates: whole, metrics }),
  result: fields({ run: whole, stateHash: text }),
  gone: fields({ rank }),
  end: fields({ rank }),
  over: fields({}),
};

/** One line, its end included. */
export function encodeLive({ source, event }: LiveLine): string {
  return `${JSON.stringify({ version, source, ...event })}\n`;
}

/**
 * What a line says. Anything but a line of `encodeLive` is an InputError. O(length).
 *
 * @example
 * ```ts
 * import { decodeLive, encodeLive } from "@equitopo/web";
 * decodeLive(encodeLive({ source: "a", event: { kind: "gone", rank: 3 } })).event // => { kind: "gone", rank: 3 }
 * ```
 */
export function decodeLive(line: string): LiveLine {
  let told: unknown;
  try {
    told = JSON.parse(line);
  } catch {
    refuse(line);
  }
  const { version: said, source, kind } = objectOf(told);
  if (said !== version) refuse(`version ${said}`);
  if (typeof kind !== "string" || !Object.hasOwn(shapes, kind)) refuse(kind);
  const event = { kind, ...(shapes[kind as LiveEvent["kind"]](told) as object) } as LiveEvent;
  return { source: text(source) as string, event };
}
