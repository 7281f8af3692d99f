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
 * vectors, and uses them only when j's yes came too. So if a vector is dropped or late (it must come within 3/4 of the
 * timeout), both sides void the exchange. If a yes comes after its receiver's deadline, `late` is called, so that the exchange
 * can be completed (corrections.ts). What is not guaranteed: if exactly one of the two yes votes never comes, its sender has
 * applied the exchange and the other side has not (no protocol over a channel that drops messages can close that window).
 */

import type { Rows } from "../../round/round.ts";
import type { Historian } from "../history/history.ts";
import type { Clock } from "./runtime.ts";
import type { Streaming } from "./streams.ts";

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
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** All or nothing with every peer that is in both lists. */
  readonly mutual?: boolean;
  /** Whether what comes is for a row of W x, which the caller writes into the history. */
  readonly mixes?: boolean;
  /**
   * Called when the last vector has come, with all of them: a caller that computes with them may do so now, while they are in the
   * cache, and says true if they were all seen to be finite. They may still be voided.
   */
  readonly ready?: (arrived: readonly (Vector | undefined)[]) => boolean;
  /** Called once if the yes of a peer comes after its deadline: that peer has used the exchange, or will. */
  readonly late?: ((peer: number) => void) | undefined;
}

export interface ExchangeOutcome {
  /** The vector of receive[k], or undefined where it did not come or was voided. Read only, and only until release(). */
  readonly arrived: readonly (Vector | undefined)[];
  /**
   * The same for vectors that came and must not be used, because their sender's yes has not come. It may still come, and then
   * `late` of the request is called. Left out if there are none.
   */
  readonly undecided?: readonly (Vector | undefined)[];
  /** Vectors of the send list that are still being sent: they belong to the transport from now on. */
  readonly kept: readonly Vector[];
  /**
   * Ends the reading of `arrived` and `undecided` and gives the memory back. The answer names the entries that changed while they were
   * read (threads only, after the sender gave up waiting for this reader): what was computed from them is worthless.
   */
  release(): readonly number[];
}

export interface Refusal {
  readonly source: string;
  readonly remedy?: string | undefined;
}

/** What a transport has counted so far. */
export class Counts {
  sentMessages = 0;
  sentBytes = 0;
  /** Bytes among them that went to peers of other groups, if the topology has groups: between machines. */
  sentBetween = 0;
  receivedMessages = 0;
  receivedBytes = 0;
  /** Messages of rounds that were already over, dropped. */
  late = 0;
  /** Expected messages that did not come in time. */
  missed = 0;
  /** Mutual exchanges given up. */
  voided = 0;
  /** Those of them that were completed afterwards: the other side's yes came late. */
  mended = 0;
  /** Messages that could not be sent: no connection, or too many unfinished ones before them. */
  unsent = 0;
  /** Connections that had to be made again. */
  reconnects = 0;
  /** How many were refused, by reason: garbage, oversize, spec, future, length, checksum, ... */
  readonly refused = new Map<string, number>();
  /** By reason where the last came from, and what to do about it, as far as the lane can say. */
  readonly refusals = new Map<string, Refusal>();
}

/** Which claims of others can be true. What is left out stays as it was. */
export interface Belief {
  /** The first round that shows progress: meetings before it do not. Default 0. */
  readonly first?: number;
  /** The last round that there will ever be. Default: none. */
  readonly last?: number;
  /** How many must claim a round: 1 where the topology gives this peer one neighbour only. Default 2. */
  readonly witnesses?: 1 | 2;
}

/**
 * Word of repairs that peers agree on after a fault (course/fault-repair.ts). It goes ahead of the vectors of an exchange to
 * their receivers, in letters that carry nothing else, so that what one knows in an iteration its partners know by its end.
 * Without a fault there is none.
 */
export interface Notices {
  /** The numbers of the repairs that others are to know of now. */
  say(): readonly number[];
  /** A peer, in that round then, has named a repair. */
  hear(peer: number, round: number, repair: number): void;
}

export interface Transport {
  readonly name: string;
  readonly rank: number;
  readonly size: number;
  readonly counts: Counts;
  /** The time that its deadlines go by; the machine's own where it is left out. */
  readonly clock?: Clock;
  /** A round that others have reached, as far as they are believed (claims.ts): where a peer that fell behind may rejoin. */
  readonly reached: number;
  /** What is known beforehand about the rounds to come, and so about the claims of others. */
  believe?(belief: Belief): void;
  /** Called with every exchange before its outcome is used (history.ts). Costs nothing if left out. */
  history?: Historian | undefined;
  exchange(request: Request): Promise<ExchangeOutcome>;
  /** What is known of a peer: whether it is gone, if the lane can say, and how often it was started again. */
  seen?(peer: number): { readonly gone: boolean | undefined; readonly starts: number };
  /** What peers say of repairs beside the vectors; nothing if left out. */
  notices?: Notices | undefined;
  /**
   * Memory to write the next vector number `index` into, so that sending it costs no copy (threads). `taken` says which
   * of the transport's memory somebody still uses. Undefined where there is none free.
   */
  lend?(index: number, type: ElementType, length: number, taken: (memory: Vector) => boolean): Vector | undefined;
  /** Letters of rounds in which nobody waits. */
  readonly streams?: Streaming;
  /** Peers of the next exchanges: a transport with connections opens them now. */
  prepare?(peers: readonly number[]): void;
  /** Reads letters of all peers from now on, awaited or not: `reached` then knows the whole network. */
  overhear?(): void;
  /** Whether a peer is known to be gone for good, if the engine notices and can go on without it (MPI with ULFM). */
  readonly lost?: boolean;
  /** Goes on among the survivors, with new ranks, a smaller size, and rounds from 0 again. All of them call it. */
  shrink?(): Promise<void>;
  /** Refuses further exchanges and frees everything. Peers see silence. */
  close(): Promise<void>;
}

export const defaultTimeout = 10_000;

export const newCounts = (): Counts => new Counts();

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

/** Whether a vector is what was expected. */
export function fits(incoming: Incoming, data: Vector): boolean {
  return data.length === incoming.length && typeOf(data) === incoming.type;
}

/**
 * The refusal of a vector with a number that is not finite; bytes are never refused. Such a number has an exponent of all
 * ones: one more overflows into the sign. Words are read rather than numbers, so that one loop serves both types and stays
 * fast with both. O(length).
 */
export function notFinite(data: Vector): string | undefined {
  if (data instanceof Uint8Array) return undefined;
  const words = new Int32Array(data.buffer, data.byteOffset, data.byteLength / 4);
  const [step, exponent, one] = data instanceof Float32Array ? [1, 0x7f800000, 0x800000] : [2, 0x7ff00000, 0x100000];
  let found = 0;
  // Little-endian: the exponent of a double is in its second word.
  for (let k = step - 1; k < words.length; k += step) found |= (words[k] & exponent) + one;
  return found < 0 ? "not finite" : undefined;
}
