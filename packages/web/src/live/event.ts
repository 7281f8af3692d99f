/**
 * What a run reports to a studio that watches it, each a line of JSON:
 *
 *     {"version":1,"source":"<run or network>","kind":"round","rank":3,"run":0,"round":17,"partners":[5],"bytes":640,"lag":0}
 *
 * Facts about progress only: no models, no data, and no edges, since these can be computed from the spec.
 * Lines may come from anywhere, so each is checked field by field, and unknown fields are ignored.
 */

import { InputError, type RunSpec } from "equitopo";
import { Malformed, type Shape, shape } from "equitopo/internal/input";
import type { PeerFaults, RoundEvent } from "equitopo/peer";

const { byWord, fields, list, object, oneOf, text, when, whole } = shape;

/** What of a run's spec a picture needs. */
export type LiveSpec = Pick<RunSpec, "label" | "topology" | "rounds" | "seed">;

export type LiveRound = Omit<RoundEvent, "kind">;

export type LiveFaults = Omit<PeerFaults, "unsent" | "waited">;

type Metrics = Readonly<Record<string, number>>;

/** A line of the stream: which run or network, and what happened in it. */
export interface LiveLine {
  readonly source: string;
  readonly event: LiveEvent;
}

const version = 1;

/** The most letters of a source, a label or a name. */
const longest = 200;
/** The most peers of a network that a page could show. */
const mostPeers = 100_000;

const count = whole(0, Number.MAX_SAFE_INTEGER);
const rank = whole(0, mostPeers - 1);
const amount: Shape<number> = when((value: number) => Number.isFinite(value) && value >= 0);
const finite: Shape<number> = when(Number.isFinite);
const name = text(longest);
/** JSON has null in place of numbers that are not finite, as in a run that diverged. */
const number: Shape<number> = (value) =>
  value === null ? Number.NaN : when<number>((one) => typeof one === "number")(value);
const metrics: Shape<Metrics> = (value) => {
  const entries = list((one) => one as [string, unknown], 20)(Object.entries(object(value)));
  return Object.fromEntries(entries.map(([key, one]) => [name(key), number(one)]));
};
/** Whether objects and lists are in each other so many times at most: deeper ones would end who walks through them. */
const isShallow = (value: unknown, most = 16): boolean =>
  typeof value !== "object" ||
  value === null ||
  (most > 0 && Object.values(value).every((one) => isShallow(one, most - 1)));
/** A topology by name; its options are checked when it is made. */
const topology: Shape<LiveSpec["topology"]> = (value) => {
  fields({ name, n: count })(value);
  return when<LiveSpec["topology"]>((whole) => isShallow(whole) && JSON.stringify(whole).length <= 100_000)(value);
};
const faults: Shape<LiveFaults> = fields({
  ...{ missed: count, voided: count, late: count, reconnects: count, refused: count, longestWait: amount },
});
const spec: Shape<LiveSpec> = fields({ label: name, topology, rounds: count, seed: count });
const round: Shape<LiveRound> = fields({
  ...{ rank, run: count, round: count, partners: list(rank, 1000), bytes: amount, lag: finite },
});

export type LiveEvent = shape.Of<typeof event>;
const event = byWord("kind", {
  /** The runs that are about to be done, by number from 0; peers of one network all tell the same. */
  begin: fields({ title: name, how: name, runs: list(spec, 1000) }),
  round,
  /** What went wrong for a peer so far. */
  faults: fields({ rank, run: count, faults }),
  /** How much of a simulated run is done, from 0 to 1. */
  share: fields({ run: count, share: amount }),
  /** A point of the run's curves. */
  metrics: fields({ run: count, updates: count, metrics }),
  result: fields({ run: count, stateHash: name }),
  /** Nothing is heard of that peer any more; it may come back. */
  gone: fields({ rank }),
  end: fields({ rank }),
  /** The whole source has ended. */
  over: fields({}),
});

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
  try {
    const parsed: unknown = JSON.parse(line);
    const { source } = fields({ version: oneOf(version), source: name })(parsed);
    return { source, event: event(parsed) };
  } catch (error) {
    if (!(error instanceof Malformed || error instanceof SyntaxError)) throw error;
    const found = error instanceof Malformed ? error.value : line;
    throw new InputError("a line of the live stream must be as written", found, "use one version of equitopo");
  }
}
