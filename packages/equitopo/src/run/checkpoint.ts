/**
 * A checkpoint as bytes: its kind, its header, its vectors. It is read whole or refused:
 *
 *     "EQTPCKP", version (a digit), length of the header (uint32), header (JSON), the vectors' bytes, SHA-256 of all before
 *
 * Pure: the bytes may be kept in a file or in a browser's storage. Little-endian. O(bytes).
 */

import { InputError } from "../input/input.ts";
import { sha256Bytes } from "../number/hash.ts";
import type { Rows } from "../round/round.ts";

export const checkpointVersion = 2;

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

export interface CheckpointContent {
  /** One kind is not read as another. */
  readonly kind: string;
  /** Small values: places, counters, what a reader compares. */
  readonly header: Json;
  readonly vectors: Readonly<Record<string, Rows>>;
}

const magic = "EQTPCKP";
const start = magic.length + 1 + 4;
const digestBytes = 32;

/**
 * The checkpoint's bytes.
 *
 * @example
 * ```ts
 * import { decodeCheckpoint, encodeCheckpoint } from "equitopo/run";
 * const bytes = encodeCheckpoint({ kind: "run", header: { updates: 3 }, vectors: { x: Float64Array.of(1, -0) } });
 * decodeCheckpoint(bytes).vectors.x.join(" ") // => "1 0"
 * ```
 */
export function encodeCheckpoint({ kind, header, vectors }: CheckpointContent): Uint8Array {
  const entries = Object.entries(vectors);
  const list = entries.map(([name, { length, BYTES_PER_ELEMENT }]) => ({ name, length, size: BYTES_PER_ELEMENT }));
  const head = new TextEncoder().encode(JSON.stringify({ kind, header, vectors: list }));
  const body = entries.reduce((sum, [, rows]) => sum + rows.byteLength, 0);
  const bytes = new Uint8Array(start + head.length + body + digestBytes);
  bytes.set(new TextEncoder().encode(`${magic}${checkpointVersion}`));
  new DataView(bytes.buffer).setUint32(magic.length + 1, head.length, true);
  bytes.set(head, start);
  let at = start + head.length;
  for (const [, rows] of entries) {
    bytes.set(new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength), at);
    at += rows.byteLength;
  }
  bytes.set(sha256Bytes(bytes.subarray(0, at)), at);
  return bytes;
}

/** The contents of the bytes, in new memory. Damaged checkpoints, and those of another version or kind, are refused. */
export function decodeCheckpoint(bytes: Uint8Array, kind?: string, name = "a checkpoint"): CheckpointContent {
  const refuse = (what: string): never => {
    throw new InputError(`${name} must be ${what}`, `${bytes.length} bytes`, "remove it to begin without a checkpoint");
  };
  const body = bytes.subarray(0, Math.max(0, bytes.length - digestBytes));
  const sum = bytes.subarray(body.length);
  const known = new TextDecoder().decode(body.subarray(0, magic.length)) === magic;
  const sealed = body.length >= start && sha256Bytes(body).every((value, k) => value === sum[k]);
  if (!known || !sealed) refuse("an undamaged checkpoint (its checksum fails)");
  const version = body[magic.length] - 0x30;
  const age = version < checkpointVersion ? "the older" : "the newer";
  if (version !== checkpointVersion) refuse(`of version ${checkpointVersion}, not of ${age} ${version}`);
  const headerEnd = start + new DataView(body.buffer, body.byteOffset).getUint32(magic.length + 1, true);
  const head = JSON.parse(new TextDecoder().decode(body.subarray(start, headerEnd)));
  if (kind !== undefined && head.kind !== kind) refuse(`a checkpoint of a ${kind}, not of a ${head.kind}`);
  const vectors: Record<string, Rows> = {};
  let at = headerEnd;
  for (const { name: vector, length, size } of head.vectors) {
    const rows = size === 4 ? new Float32Array(length) : new Float64Array(length);
    new Uint8Array(rows.buffer).set(body.subarray(at, at + rows.byteLength));
    at += rows.byteLength;
    vectors[vector] = rows;
  }
  return { kind: head.kind, header: head.header, vectors };
}
