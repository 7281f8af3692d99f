/**
 * What a newcomer is given: the models of a member after so many updates, and what the problem keeps beside them. Momenta,
 * trackers and other states are not handed on: those of a newcomer begin anew from the models. A peer also saves these bytes for
 * itself, for the case that all peers are started again.
 */

import { InputError } from "../../input/input.ts";
import type { Rows } from "../../round/round.ts";
import { decodeCheckpoint, encodeCheckpoint } from "../../run/checkpoint.ts";
import { joinParts, splitParts } from "../../run/course/parts.ts";

export interface Handed {
  readonly updates: number;
  readonly x: Rows;
  /** As Problem.state. */
  readonly problem: Readonly<Record<string, Rows>>;
  /** As Checkpoint.course. */
  readonly course?: Readonly<Record<string, Rows>> | undefined;
}

const kind = "models";

/** The bytes of it, sealed by a checksum. O(bytes). */
export function encodeHanded({ updates, x, problem, course }: Handed): Uint8Array {
  return encodeCheckpoint({ kind, header: { updates }, vectors: { x, ...joinParts({ problem, course }) } });
}

/** What the bytes hold; refuses what is damaged or does not have d numbers. */
export function decodeHanded(bytes: Uint8Array, d: number): Handed {
  const { header, vectors } = decodeCheckpoint(bytes, kind, "handed models");
  const { updates } = header as { updates: number };
  if (vectors["x"]?.length !== d || !Number.isSafeInteger(updates) || updates < 0) {
    throw new InputError(`handed models must have ${d} numbers`, vectors["x"]?.length, "run the same spec everywhere");
  }
  const { problem, course } = splitParts(vectors);
  return { updates, x: vectors["x"], problem, course };
}

/** The most bytes that it takes, for lanes that refuse more. */
export function handedBytes(d: number, size: number, problem: Readonly<Record<string, Rows>> = {}): number {
  const rows = Object.values(problem).reduce((sum, one) => sum + one.byteLength, d * size);
  return rows + 4096 + 128 * Object.keys(problem).length;
}
