/**
 * A training run on the disk, so that it goes on bit for bit:
 *
 *     "equitopo" | length of the header, 4 bytes | header, JSON | float32 rows | SHA-256 of all before
 *
 * Written beside its place, synced and renamed: there is always a whole one, the old or the new.
 */

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { InputError } from "equitopo";
import type { TrainingState } from "equitopo/training";
import { writeAtomically } from "../output.ts";
import { decode, encode } from "../report/journal.ts";

import type { EpochRecord } from "./run-training.ts";

export interface Checkpoint {
  /** What was asked for, as plain JSON: a run goes on only with the same. */
  readonly settings: unknown;
  readonly history: readonly EpochRecord[];
  /** Of work so far. */
  readonly seconds: number;
  readonly state: TrainingState;
}

const magic = Buffer.from("equitopo");
const [lengthAt, headerAt, sumBytes] = [8, 12, 32];

interface Header {
  readonly settings: unknown;
  readonly history: readonly EpochRecord[];
  readonly seconds: number;
  readonly t: number;
  readonly sent: Float64Array;
  readonly lossSums: Readonly<Record<string, number>>;
  /** Name and length of each array of numbers that follows, the statistics first. */
  readonly arrays: readonly { readonly name: string; readonly length: number }[];
}

export function writeCheckpoint(path: string, { settings, history, seconds, state }: Checkpoint): void {
  const { t, sent, lossSums, rows, statistics } = state;
  const named = [["", statistics] as const, ...Object.entries(rows)];
  const arrays = named.map(([name, { length }]) => ({ name, length }));
  const header: Header = { settings, history, seconds, t, sent, lossSums, arrays };
  const text = Buffer.from(JSON.stringify(encode(header, "checkpoint")));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  const numbers = named.map(([, data]) => Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  const body = Buffer.concat([magic, length, text, ...numbers]);
  writeAtomically(path, [body, createHash("sha256").update(body).digest()]);
}

/** The checkpoint at `path`; undefined where there is none, an error where it is not as it was written. */
export function readCheckpoint(path: string): Checkpoint | undefined {
  if (!existsSync(path)) return undefined;
  const bytes = readFileSync(path);
  const body = bytes.subarray(0, Math.max(0, bytes.length - sumBytes));
  const sound =
    bytes.subarray(0, lengthAt).equals(magic) &&
    createHash("sha256").update(body).digest().equals(bytes.subarray(body.length));
  if (!sound) {
    throw new InputError("a checkpoint must be as it was written (its checksum fails)", path, "begin anew elsewhere");
  }
  let at = headerAt + body.readUInt32LE(lengthAt);
  const header = decode(JSON.parse(body.subarray(headerAt, at).toString())) as Header;
  const read = header.arrays.map(({ name, length }) => {
    const data = new Float32Array(new Uint8Array(body.subarray(at, at + 4 * length)).buffer);
    at += 4 * length;
    return [name, data] as const;
  });
  const [[, statistics], ...rows] = read;
  const { settings, history, seconds, t, sent, lossSums } = header;
  return { settings, history, seconds, state: { t, sent, lossSums, statistics, rows: Object.fromEntries(rows) } };
}
