/**
 * What a peer tells whoever launched it: where it stands, its row at the recorded updates, how it ended. Only for people
 * and reports: no peer waits for an answer, and none is given.
 */

import { InputError } from "../input/input.ts";
import { fromBase64, toBase64 } from "../number/base64.ts";
import { type Fault, FaultWatch } from "./fault.ts";
import { type PeerRecord, type PeerSummary, runSpecPeer, type SpecPeerOptions } from "./spec-peer.ts";
import type { Counts } from "./transport.ts";

export type PeerEvent = RoundEvent | RecordEvent | FaultEvent | EndEvent;

export interface RoundEvent {
  readonly kind: "round";
  readonly rank: number;
  readonly run: number;
  readonly round: number;
  readonly partners: readonly number[];
  readonly bytes: number;
  readonly lag: number;
}

export interface RecordEvent extends PeerRecord {
  readonly kind: "record";
  readonly rank: number;
  readonly faults: PeerFaults;
}

/** One thing that went wrong, or several of one kind in one iteration; told at a bounded rate. */
export interface FaultEvent extends Fault {
  readonly kind: "fault";
  readonly rank: number;
}

export interface EndEvent {
  readonly kind: "end";
  readonly rank: number;
  readonly summary: PeerSummary;
}

/** What went wrong for one peer so far, and what it waited for, in milliseconds. */
export interface PeerFaults {
  readonly missed: number;
  readonly voided: number;
  readonly late: number;
  readonly unsent: number;
  readonly reconnects: number;
  readonly refused: number;
  readonly waited: number;
  readonly longestWait: number;
}

/** Milliseconds between two events about rounds. */
const pause = 100;

/** Runs the peer and tells of it, beside what the options themselves listen to. */
export async function reportingPeer(options: SpecPeerOptions, tell: (event: PeerEvent) => void): Promise<PeerSummary> {
  const { rank, counts } = options.transport;
  const watch = new FaultWatch(counts);
  let next = 0;
  let waited = 0;
  let longestWait = 0;
  const faulty = (faults: readonly Fault[]) => {
    for (const fault of faults) tell({ kind: "fault", rank, ...fault });
  };
  const summary = await runSpecPeer({
    ...options,
    onRound(run, report) {
      options.onRound?.(run, report);
      waited += report.waited;
      longestWait = Math.max(longestWait, report.waited);
      const now = performance.now();
      const { round, partners, missing, lost, lag } = report;
      faulty(watch.since({ run, iteration: round, missing, lost }, now));
      if (now < next) return;
      next = now + pause;
      tell({ kind: "round", rank, run, round, partners, bytes: counts.sentBytes, lag });
    },
    onTrouble(text) {
      options.onTrouble?.(text);
      faulty(watch.trouble(text, performance.now()));
    },
    onRecord(told) {
      options.onRecord?.(told);
      const { x, state, ...record } = told;
      const kept = state && Object.fromEntries(Object.entries(state).map(([name, rows]) => [name, rows.slice()]));
      tell({
        ...{ kind: "record", rank, ...record, x: x.slice(), ...(kept === undefined ? {} : { state: kept }) },
        faults: { ...faultsOf(counts), waited, longestWait },
      });
    },
  });
  tell({ kind: "end", rank, summary });
  return summary;
}

function faultsOf({ missed, voided, late, unsent, reconnects, refused }: Counts) {
  const sum = [...refused.values()].reduce((total, count) => total + count, 0);
  return { missed, voided, late, unsent, reconnects, refused: sum };
}

/** The format of the lines below. */
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

/** Undefined for half a line: the last words of a peer that was killed in the middle of them. */
export function decodeEvent(line: string): PeerEvent | undefined {
  const rows = (_: string, value: { bytes?: unknown; size?: unknown } | null) => {
    if (typeof value?.bytes !== "string") return value;
    const size = value.size === 4 ? 4 : 8;
    const bytes = fromBase64(value.bytes);
    if (bytes === undefined || bytes.length % size !== 0) return null;
    return size === 4 ? new Float32Array(bytes.buffer) : new Float64Array(bytes.buffer);
  };
  let told: (PeerEvent & { readonly version: number }) | null;
  try {
    told = JSON.parse(line, rows);
  } catch {
    return undefined;
  }
  if (typeof told !== "object" || told === null) return undefined;
  const { version: said, ...event } = told;
  if (said === version) return event;
  throw new InputError(
    `what peers tell must be of version ${version}, this is ${said > version ? "a newer" : "an older"} one`,
    said,
    "use one version of equitopo for the launcher and all peers",
  );
}
