/**
 * What asynchronous nodes used of each other, and when: everything about their run that does not follow from the spec. With
 * it the run can be repeated to the last bit (replay.ts). Real peers write it with `--history` (peer/history, lines
 * "iterated").
 */

import { hashOf } from "../../number/quick-hash.ts";
import type { Rows } from "../../round/round.ts";

/**
 * Vectors that were used: their sender, and which of its rounds they belong to. Real peers add a hash of them, because a
 * program that was started again may send a round once more.
 */
export type Used = readonly [from: number, round: number, hash?: string];

/** A row as a peer wrote it down: whole, or nothing of a long one, and a hash of it (number/quick-hash.ts). */
export interface WrittenRow {
  readonly x?: readonly number[];
  readonly hash?: string;
}

/** Where a program began to be a node: its iterations and its last round so far, and its models then. */
export interface Begin extends WrittenRow {
  readonly iterations: number;
  readonly round: number;
  readonly hash: string;
}

export interface Step {
  /** The round of the schedule that it exchanged as; left out if it did not exchange. */
  readonly round?: number;
  /** What was used, in the order in which it was added. */
  readonly used: readonly Used[];
  /** Nodes that nothing was sent to, because they were gone or hardly any weight was left: their shares stayed here. */
  readonly kept?: readonly number[];
  /** What real peers add: the hash of what was to be exchanged, where a program began, and the models at the end. */
  readonly hash?: string;
  readonly begins?: Begin;
  readonly after?: WrittenRow;
}

/** The iterations of every node, in order. */
export type History = readonly (readonly Step[])[];

/** One word for the vectors of an exchange. */
export const hashesOf = (vectors: readonly Rows[]): string => vectors.map(hashOf).join(" ");

/** Whether a row is the one that was written down. Numbers that are not finite are null in JSON. */
export function isWritten(row: Rows, { x = [], hash }: WrittenRow): boolean {
  const isSame = (value: number, k: number) => (Number.isFinite(value) ? value === row[k] : !Number.isFinite(row[k]));
  const whole = x.length === 0 || (x.length === row.length && x.every(isSame));
  return whole && (hash === undefined || hash === hashOf(row));
}
