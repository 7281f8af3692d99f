/**
 * Which execution of a spec a checkpoint belongs to: 128 random bits, drawn by whoever opens the runs and agreed on where the
 * peers meet (opening.ts). The same spec may be started twice, and what is left of one start must not be taken for the other.
 */

/** As 32 hexadecimal digits; "" is what checkpoints without one are of. */
export type RunId = string;

export const runIdBytes = 16;

/** A new one. Not from a seed: two starts of one spec must differ. */
export function newRunId(): RunId {
  const bytes = new Uint8Array(runIdBytes);
  const { crypto } = globalThis as { crypto?: { getRandomValues(bytes: Uint8Array): Uint8Array } };
  if (crypto === undefined) for (let k = 0; k < runIdBytes; k++) bytes[k] = Math.floor(256 * Math.random());
  else crypto.getRandomValues(bytes);
  return readRunId(bytes);
}

/** All zeros stand for "". */
export function readRunId(bytes: Uint8Array): RunId {
  if (bytes.every((byte) => byte === 0)) return "";
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** 16 bytes; anything that is no run id counts as "". */
export function writeRunId(id: RunId): Uint8Array {
  const bytes = new Uint8Array(runIdBytes);
  if (/^[0-9a-f]{32}$/.test(id))
    for (let k = 0; k < runIdBytes; k++) bytes[k] = Number.parseInt(id.slice(2 * k, 2 * k + 2), 16);
  return bytes;
}
