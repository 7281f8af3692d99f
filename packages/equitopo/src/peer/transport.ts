/**
 * What a transport is: in a given round it takes vectors to given peers and brings vectors from given peers, each side
 * with a deadline. Everything a peer knows of the network goes through here; one conformance suite holds for all.
 *
 * What holds on every transport:
 * - Messages to one peer in one round are numbered 0, 1, ... in the order of the send list, and are matched by number.
 * - A vector handed to `exchange` belongs to the transport until the promise settles, and is never read after that,
 *   except those named in `kept`: never write to these again.
 * - A message of a later round waits its turn in bounded memory; one of a round already left is counted and dropped.
 * - Every wait ends: by arrival, at its deadline, by the signal, or because the peer is known to have gone on.
 *
 * A mutual exchange (undirected rounds) is all or nothing for each pair i, j: i votes yes to j once it holds all of j's
 * vectors, and uses them only when j's yes came too. So if a vector is lost or late (it must come within 3/4 of the
 * timeout), both sides void the exchange. What is not guaranteed: when exactly one of the two yes votes is lost, or
 * arrives after its receiver's deadline, the other side has applied the exchange and this side has not (no protocol
 * over a channel that loses messages can close that window).
 */

import type { Rows } from "../round/round.ts";
import type { Streaming } from "./async/streams.ts";
import type { Historian } from "./history.ts";

/** Numbers, or the bytes that a codec has made of them. */
export type Vector = Rows | Uint8Array;
export type ElementType = "float32" | "float64" | "uint8";

export interface Outgoing {
  readonly peer: number;
  readonly data: Vector;
}

export interface Incoming {
  readonly peer: number;
  /** Numbers in the vector; another length is refused. */
  readonly length: number;
  readonly type: ElementType;
  /** Milliseconds to wait for this peer, where it differs from the request's. */
  readonly timeout?: number;
}

/** One peer's part in one round. Rounds only go up; one exchange at a time. */
export interface Request {
  readonly round: number;
  readonly send: readonly Outgoing[];
  readonly receive: readonly Incoming[];
  /** Milliseconds until what has not come is given up; the transport's own default where it is left out. */
  readonly timeout?: number;
  readonly signal?: AbortSignal | undefined;
  /** All or nothing with every peer that stands in both lists. */
  readonly mutual?: boolean;
}

export interface Outcome {
  /** The vector of receive[k], or undefined where it did not come or was voided. Read only, and only until release(). */
  readonly arrived: readonly (Vector | undefined)[];
  /** Vectors of the send list that are still being sent: they are the transport's for ever. */
  readonly kept: readonly Vector[];
  /**
   * Ends the reading of `arrived` and gives its memory back. The answer names the entries that changed while they were
   * read (threads only, after the sender gave up waiting for this reader): what was computed from them is worthless.
   */
  release(): readonly number[];
}

export interface Counts {
  sentMessages: number;
  sentBytes: number;
  receivedMessages: number;
  receivedBytes: number;
  /** Messages of rounds already left, dropped. */
  late: number;
  /** Expected messages that did not come in time. */
  missed: number;
  /** Mutual exchanges given up. */
  voided: number;
  /** Messages that could not be handed over: no connection, or too many before it are unfinished. */
  unsent: number;
  /** Connections that had to be made again. */
  reconnects: number;
  /** What was refused, by reason: garbage, oversize, spec, future, length, checksum, ... */
  readonly refused: Map<string, number>;
}

export interface Transport {
  readonly name: string;
  readonly rank: number;
  readonly size: number;
  readonly counts: Counts;
  /** A round that at least two peers (or the only other one) have reached: where a peer that fell behind may rejoin. */
  readonly reached: number;
  /** Told of every exchange before its outcome is used (history.ts). Free where nobody listens. */
  history?: Historian | undefined;
  exchange(request: Request): Promise<Outcome>;
  /**
   * Memory to write the next vector number `index` into, so that sending it costs no copy (threads). `taken` says which
   * of the transport's memory somebody still uses. Undefined where there is none free.
   */
  lend?(index: number, type: ElementType, length: number, taken: (memory: Vector) => boolean): Vector | undefined;
  /** Letters of rounds in which nobody waits. */
  readonly streams?: Streaming;
  /** Peers that will be talked to soon: a transport with connections opens them now. */
  prepare?(peers: readonly number[]): void;
  /** Hears of everybody from now on, also of those that no exchange waits for: `reached` then knows the whole network. */
  overhear?(): void;
  /** Whether a peer is known to be gone for good, where the engine can tell and go on without it (MPI with ULFM). */
  readonly lost?: boolean;
  /** Goes on among the survivors, with new ranks, a smaller size, and rounds from 0 again. All of them call it. */
  shrink?(): Promise<void>;
  /** Refuses further exchanges and frees everything. Peers see silence. */
  close(): Promise<void>;
}

export const defaultTimeout = 10_000;

export function newCounts(): Counts {
  return {
    sentMessages: 0,
    sentBytes: 0,
    receivedMessages: 0,
    receivedBytes: 0,
    late: 0,
    missed: 0,
    voided: 0,
    unsent: 0,
    reconnects: 0,
    refused: new Map(),
  };
}

export const elementBytes = { float32: 4, float64: 8, uint8: 1 } as const;

export function typeOf(vector: Rows): "float32" | "float64";
export function typeOf(vector: Vector): ElementType;
export function typeOf(vector: Vector): ElementType {
  return vector instanceof Float32Array ? "float32" : vector instanceof Float64Array ? "float64" : "uint8";
}

export function allocate(type: "float32" | "float64", length: number): Rows;
export function allocate(type: ElementType, length: number): Vector;
export function allocate(type: ElementType, length: number): Vector {
  if (type === "uint8") return new Uint8Array(length);
  return type === "float32" ? new Float32Array(length) : new Float64Array(length);
}

/** The largest round that at least two peers (one, where there is only one other) have reached; -1 before any. */
export function reachedByTwo(reached: ArrayLike<number>): number {
  let first = -1;
  let second = -1;
  for (let i = 0; i < reached.length; i++) {
    if (reached[i] > first) {
      second = first;
      first = reached[i];
    } else if (reached[i] > second) second = reached[i];
  }
  return reached.length <= 2 ? first : second;
}

/** Whether a vector is what was expected. */
export function fits(incoming: Incoming, data: Vector): boolean {
  return data.length === incoming.length && typeOf(data) === incoming.type;
}

/** The refusal of a vector with a number that is not finite. */
export function notFinite(data: Vector): string | undefined {
  for (let k = 0; k < data.length; k++) if (!Number.isFinite(data[k])) return "not finite";
  return undefined;
}
