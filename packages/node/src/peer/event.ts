/**
 * What a peer tells whoever launched it: where it stands, its row at the recorded updates, how it ended. Only for people
 * and reports: no peer waits for an answer, and none is given.
 */

import { InputError, type RunSpec, type Tally } from "equitopo";
import { type Counts, type PeerSummary, runSpecPeer, type SpecPeerOptions } from "equitopo/peer";

export type PeerEvent = RoundEvent | RecordEvent | EndEvent;

export interface RoundEvent {
  readonly kind: "round";
  readonly rank: number;
  readonly run: number;
  readonly round: number;
  readonly partners: readonly number[];
  readonly bytes: number;
  readonly lag: number;
}

export interface RecordEvent {
  readonly kind: "record";
  readonly rank: number;
  readonly run: number;
  readonly updates: number;
  readonly x: Float64Array | Float32Array;
  /** What the peer contributes to the evaluation after these updates, where there is one. */
  readonly tally?: Tally;
  readonly bytes: number;
  readonly messages: number;
  readonly seconds: number;
  readonly faults: PeerFaults;
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

/** Runs the peer and tells of it. */
export async function reportingPeer(
  options: Omit<SpecPeerOptions, "onRound" | "onRecord"> & { readonly runs: readonly RunSpec[] },
  tell: (event: PeerEvent) => void,
): Promise<PeerSummary> {
  const { rank, counts } = options.transport;
  let next = 0;
  let waited = 0;
  let longestWait = 0;
  const summary = await runSpecPeer({
    ...options,
    onRound(run, report) {
      waited += report.waited;
      longestWait = Math.max(longestWait, report.waited);
      const now = performance.now();
      if (now < next) return;
      next = now + pause;
      const { round, partners, lag } = report;
      tell({ kind: "round", rank, run, round, partners, bytes: counts.sentBytes, lag });
    },
    onRecord({ x, ...record }) {
      tell({ kind: "record", rank, ...record, x: x.slice(), faults: { ...faultsOf(counts), waited, longestWait } });
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

/** A line of text for an event, and back: rows as base64 of their bytes. */
export function encodeEvent(event: PeerEvent): string {
  if (event.kind !== "record") return `${JSON.stringify({ version, ...event })}\n`;
  const { x } = event;
  const bytes = Buffer.from(x.buffer, x.byteOffset, x.byteLength).toString("base64");
  return `${JSON.stringify({ version, ...event, x: bytes, single: x instanceof Float32Array })}\n`;
}

export function decodeEvent(line: string): PeerEvent {
  const { version: said, ...event } = JSON.parse(line);
  if (said !== version) {
    throw new InputError(
      `what peers tell must be of version ${version}, this is ${said > version ? "a newer" : "an older"} one`,
      said,
      "use one version of equitopo for the launcher and all peers",
    );
  }
  if (event.kind !== "record") return event;
  const { single, ...rest } = event;
  const bytes = new Uint8Array(Buffer.from(event.x, "base64")).buffer;
  return { ...rest, x: single ? new Float32Array(bytes) : new Float64Array(bytes) };
}
