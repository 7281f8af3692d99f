/**
 * A peer's checkpoint: everything its algorithm needs to go on, in one file that is whole or is not there.
 *
 *     "EQTPCKP1", length of the header (uint32), header (JSON), the vectors' bytes, SHA-256 of all before it
 *
 * Written beside its place, synced and renamed: a crash while it is written leaves the one before. The one before is
 * kept as FILE.previous: peers that all stop have saved the same iteration, or one interval apart, and so share one.
 */

import { createHash } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { State } from "../algorithm/algorithm.ts";
import { InputError } from "../input/input.ts";
import { allocate, typeOf, type Vector } from "./transport.ts";

export interface Checkpoint {
  /** What all peers agreed on; a checkpoint of another spec is refused. */
  readonly spec: string;
  readonly rank: number;
  /** Which of the spec's runs, and the iteration that comes next in it. */
  readonly run: number;
  readonly round: number;
  readonly state: Readonly<State>;
}

const magic = Buffer.from("EQTPCKP1", "latin1");
const digestBytes = 32;

export async function writeCheckpoint(path: string, { spec, rank, run, round, state }: Checkpoint): Promise<void> {
  const entries = Object.entries(state);
  const vectors = entries.map(([name, rows]) => ({ name, type: typeOf(rows), length: rows.length }));
  const header = Buffer.from(JSON.stringify({ spec: specDigest(spec), rank, run, round, vectors }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(header.length);
  const parts: Uint8Array[] = [magic, length, header];
  for (const [, rows] of entries) parts.push(new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength).slice());
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  parts.push(hash.digest());
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const file = await open(temporary, "w");
    try {
      for (const part of parts) await file.writeFile(part);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(path, previousOf(path)).catch(() => {});
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(`the checkpoint must be writable (${code})`, path, `check the folder ${dirname(path)}`);
  }
}

/** The checkpoint in a file; undefined where there is none. A damaged one, or one of another spec or peer, is refused. */
export async function readCheckpoint(path: string, spec: string, rank: number): Promise<Checkpoint | undefined> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const refuse = (what: string): never => {
    throw new InputError(`${path} must be ${what}`, `${bytes.length} bytes`, "remove it to begin without a checkpoint");
  };
  const body = bytes.subarray(0, Math.max(0, bytes.length - digestBytes));
  const digest = createHash("sha256").update(body).digest();
  if (body.length < 12 || !magic.equals(body.subarray(0, 8)) || !digest.equals(bytes.subarray(body.length))) {
    refuse("an undamaged checkpoint");
  }
  const headerEnd = 12 + body.readUInt32LE(8);
  const header = JSON.parse(body.toString("utf8", 12, headerEnd));
  if (header.spec !== specDigest(spec)) refuse("a checkpoint of this very spec");
  if (header.rank !== rank) refuse(`the checkpoint of peer ${rank}, not of peer ${header.rank}`);
  const state: Record<string, Vector> = {};
  let at = headerEnd;
  for (const { name, type, length } of header.vectors) {
    const rows = allocate(type, length);
    new Uint8Array(rows.buffer).set(body.subarray(at, at + rows.byteLength));
    at += rows.byteLength;
    state[name] = rows;
  }
  return { spec, rank, run: header.run, round: header.round, state: state as State };
}

/** All that a peer has saved, the newest first: none, one or two. */
export async function readCheckpoints(path: string, spec: string, rank: number): Promise<Checkpoint[]> {
  const found = [await readCheckpoint(path, spec, rank), await readCheckpoint(previousOf(path), spec, rank)];
  return found.filter((checkpoint) => checkpoint !== undefined);
}

function previousOf(path: string): string {
  return `${path}.previous`;
}

function specDigest(spec: string): string {
  return createHash("sha256").update(spec).digest("hex");
}
