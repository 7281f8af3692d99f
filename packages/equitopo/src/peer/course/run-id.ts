/**
 * Which execution of a spec a checkpoint belongs to: 128 random bits, drawn at the start and agreed on when the peers
 * meet (opening.ts). One spec may be started twice, and what one start has left must not be taken for the other's.
 */

import { randomBytes } from "../exchange/runtime.ts";

/** As 32 hexadecimal digits; "" for checkpoints without one. */
export type RunId = string;

export const runIdBytes = 16;

/** A new one. Not from a seed: two starts of one spec must differ. */
export function newRunId(random: (count: number) => Uint8Array = randomBytes): RunId {
  return readRunId(random(runIdBytes));
}

/** All zeros stand for "". */
export function readRunId(bytes: Uint8Array): RunId {
  if (bytes.every((byte) => byte === 0)) return "";
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** 16 bytes; anything that is no run id counts as "". */
export function writeRunId(id: RunId): Uint8Array {
  if (!/^[0-9a-f]{32}$/.test(id)) return new Uint8Array(runIdBytes);
  return Uint8Array.from({ length: runIdBytes }, (_, k) => Number.parseInt(id.slice(2 * k, 2 * k + 2), 16));
}
