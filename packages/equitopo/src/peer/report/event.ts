/**
 * What a peer reports to the program that launched it: its progress, its row at the recorded updates, how it ended. Only
 * people and reports need it: no peer waits for an answer, and none is given.
 */

import { defined, InputError } from "../../input/input.ts";
import * as shape from "../../input/shape.ts";
import { fromBase64, toBase64 } from "../../number/base64.ts";
import type { PeerRecord } from "../../run/course/row-course.ts";
import type { PeerSummary, SpecPeerOptions } from "../course/options.ts";
import { runSpecPeer } from "../course/spec-peer.ts";
import { runtimeClock } from "../exchange/runtime.ts";
import type { Transport } from "../exchange/transport.ts";
import { FaultWatch, faultKinds, type PeerFault } from "./fault.ts";
import { presenceOf, type Seen } from "./presence.ts";
import { type PeerFaults, runFaults } from "./run-faults.ts";

const { byWord, fields, object, oneOf, optional, text, when } = shape;

export type PeerEvent = RoundEvent | RecordEvent | FaultEvent | EndEvent;

const whole = shape.whole(0, Number.MAX_SAFE_INTEGER);
const wholes = shape.list(whole, Number.MAX_SAFE_INTEGER);
const where = { rank: whole, run: whole };
const round = fields({
  ...where,
  round: whole,
  partners: wholes,
  bytes: whole,
  /** Iterations that others are ahead of it; negative where it is itself ahead. */
  lag: when<number>(Number.isFinite),
});
export type RoundEvent = shape.Of<typeof round> & { readonly kind: "round" };

export type RecordEvent = PeerRecord & { readonly kind: "record"; readonly rank: number; readonly faults: PeerFaults };

/** One thing that went wrong, or several of one kind in one iteration; reported at a bounded rate. */
export type FaultEvent = PeerFault & { readonly kind: "fault"; readonly rank: number };

export type EndEvent = { readonly kind: "end"; readonly rank: number; readonly summary: PeerSummary };

/** Milliseconds between two events about rounds. */
const pause = 100;

/** Runs the peer and reports its events, in addition to the listeners of the options. */
export async function reportingPeer(options: SpecPeerOptions, tell: (event: PeerEvent) => void): Promise<PeerSummary> {
  const { rank, counts, clock = runtimeClock } = options.transport;
  const watch = new FaultWatch(counts);
  const inRun = runFaults(counts);
  let [next, nextLook] = [0, 0];
  const look = presenceOf(options.transport.size, (peer) => seen(options.transport, peer));
  const faulty = (faults: readonly PeerFault[]) => {
    for (const fault of faults) tell({ kind: "fault", rank, ...fault });
  };
  const summary = await runSpecPeer({
    ...options,
    onRound(run, report) {
      options.onRound?.(run, report);
      inRun.note(run, report);
      const now = clock.now();
      const { round, partners, missing, lost, lag } = report;
      const [awaited, failed] = [partners, missing].map((peers) => peers.filter((peer) => !lost.includes(peer)));
      // A peer that waited in vain looks at once; else it is done now and then, because it costs a look at all peers.
      const looks = failed.length > 0 || now >= nextLook;
      if (looks) nextLook = now + pause;
      const presence = looks ? look(awaited, failed) : [];
      faulty(watch.since({ run, iteration: round, missing, lost }, now, presence));
      if (now < next) return;
      next = now + pause;
      tell({ kind: "round", rank, run, round, partners, bytes: counts.sentBytes, lag });
    },
    onStart(start) {
      options.onStart?.(start);
      const { from, run, round } = start;
      const rejoined = { what: "rejoined", run, iteration: round, count: 1, partners: [rank] } as const;
      if (from === "network") faulty([rejoined]);
    },
    onTrouble(text) {
      options.onTrouble?.(text);
      faulty(watch.trouble(text, clock.now()));
    },
    onRecord(whole) {
      options.onRecord?.(whole);
      const { x, state, ...record } = whole;
      const kept = state && Object.fromEntries(Object.entries(state).map(([name, rows]) => [name, rows.slice()]));
      const faults = inRun.in(record.run);
      tell({ kind: "record", rank, ...record, x: x.slice(), ...defined({ state: kept }), faults });
    },
  });
  faulty(watch.rest());
  tell({ kind: "end", rank, summary });
  return summary;
}

const seen = (transport: Transport, peer: number): Seen => transport.seen?.(peer) ?? { gone: undefined, starts: 0 };

const version = 1;

/** A line of text for an event: rows as base64 of their bytes. */
export function encodeEvent(event: PeerEvent): string {
  const text = (_: string, value: unknown) => {
    if (!(value instanceof Float32Array || value instanceof Float64Array)) return value;
    const { buffer, byteOffset, byteLength, BYTES_PER_ELEMENT: size } = value;
    return { size, bytes: toBase64(new Uint8Array(buffer, byteOffset, byteLength)) };
  };
  return `${JSON.stringify({ version, ...event }, text)}\n`;
}

/** The event in a line; undefined for half a line, the last one of a peer that was killed while it wrote. */
export function decodeEvent(line: string): PeerEvent | undefined {
  const rows = (_: string, value: { bytes?: unknown; size?: unknown } | null) => {
    if (typeof value?.bytes !== "string") return value;
    const size = value.size === 4 ? 4 : 8;
    const bytes = fromBase64(value.bytes);
    if (bytes === undefined || bytes.length % size !== 0) return null;
    return size === 4 ? new Float32Array(bytes.buffer) : new Float64Array(bytes.buffer);
  };
  let parsed: (PeerEvent & { readonly version: number }) | null;
  try {
    parsed = JSON.parse(line, rows);
  } catch {
    return undefined;
  }
  if (typeof parsed !== "object" || parsed === null) return undefined;
  const { version: said, ...event } = parsed;
  if (said === version) return event;
  const rule = `what peers tell must be of version ${version}, this is ${said > version ? "a newer" : "an older"} one`;
  throw new InputError(rule, said, "use one version of equitopo for the launcher and all peers");
}

const amount = when((value: number) => Number.isFinite(value) && value >= 0);
const numbers = (value: unknown) => Object.values(object(value)).map(when((one) => typeof one === "number"));
const faults = fields({
  ...{ missed: whole, voided: whole, late: whole, unsent: whole, reconnects: whole, refused: whole },
  ...{ waited: amount, longestWait: amount },
});
const row = when((value: unknown) => value instanceof Float64Array || value instanceof Float32Array);
const rows = (value: unknown) => Object.values(object(value)).map(row);

const sound = byWord("kind", {
  round,
  record: fields({
    ...{ ...where, updates: whole, x: row, state: optional(rows), tally: optional(numbers), faults },
    ...{ bytes: amount, messages: amount, seconds: amount, between: optional(amount) },
  }),
  fault: fields({
    ...{ ...where, what: oneOf(...faultKinds), iteration: shape.whole(-1, Number.MAX_SAFE_INTEGER), count: whole },
    ...{ partners: optional(wholes), reason: optional(text(10_000)) },
    ...{ source: optional(text(1000)), remedy: optional(text(1000)) },
  }),
  end: fields({ rank: whole, summary: (value) => summary(object(value)) }),
});

function summary({ exchanges, neverHeard, start, ...counts }: Readonly<Record<string, unknown>>): void {
  Object.values(counts).map(amount);
  fields({ planned: whole, done: whole, void: whole })(exchanges);
  wholes(neverHeard);
  fields({ from: text(10_000), run: whole, round: whole, absent: wholes })(start);
}

/**
 * The event in a line about one of so many runs, which may come from anybody: whole and sound, or undefined. O(length).
 */
export function readEvent(line: string, runs: number): PeerEvent | undefined {
  try {
    const event = decodeEvent(line);
    const checked = sound(event);
    return checked.kind === "end" || checked.run < runs ? event : undefined;
  } catch {
    return undefined;
  }
}
