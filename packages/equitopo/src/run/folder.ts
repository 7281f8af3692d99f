/**
 * The contents of a run's folder, from the bytes of its files:
 *
 *     spec.json      the units of work that were asked for    journal.ndjson  the results of the finished ones
 *     versions.json  what computed it                         files.json      SHA-256 of the files, once the run is complete
 *
 * Pure, so that a page reads a folder by the same rules as the command line that writes it. The lines of a journal are
 *
 *     {"sum":"<hash of salt and rest>","key":...,"value":...}
 *
 * The salt comes from the run's spec. A line whose hash does not match (torn, damaged, or of another spec) does not count.
 */

import { InputError } from "../input/input.ts";
import { sha256 } from "../number/hash.ts";
import { fromExactJson, toExactJson } from "./exact-json.ts";

/** The format of folders: the names and contents of their files. */
export const folderFormat = 2;

export interface FolderSpec {
  readonly format: number;
  readonly experiments: readonly string[];
  readonly scale: string;
  readonly units: readonly FolderUnit[];
}

/** A unit of work. Its kind determines its result ("learning" is a run of a spec, "gossip" the errors by round). */
export interface FolderUnit {
  readonly key: string;
  readonly unit: { readonly kind: string; readonly key: string } & Readonly<Record<string, unknown>>;
}

export interface FolderContent {
  readonly spec: FolderSpec;
  readonly versions: Readonly<Record<string, unknown>>;
  /** By key, for the units that are finished. */
  readonly results: ReadonlyMap<string, unknown>;
  /** Journal lines that are torn, damaged or of another spec. */
  readonly damagedLines: number;
  /** Whether the run is complete: files.json is the last file to be written. */
  readonly complete: boolean;
  /** Files of a complete run that are missing or have changed. */
  readonly damagedFiles: readonly string[];
}

/** JSON with sorted keys: equal specs give equal text. */
export function canonicalJson(spec: unknown): string {
  const sorted = (value: unknown): unknown => {
    if (value === null || typeof value !== "object") return value;
    if (Array.isArray(value)) return value.map(sorted);
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([name, item]) => [name, sorted(item)]));
  };
  return JSON.stringify(sorted(spec));
}

/** The salt of the journal's lines, from the contents of spec.json: lines of another spec do not count. */
export const journalSalt = (spec: unknown): string => textHash(canonicalJson(spec));

/**
 * Reads a folder from the bytes of its files by name, without those of subfolders. A folder of something else, or of another
 * format, is an InputError; torn lines and changed files are counted. O(bytes).
 */
export function readFolder(files: ReadonlyMap<string, Uint8Array>): FolderContent {
  const text = (name: string) => new TextDecoder().decode(files.get(name) ?? new Uint8Array());
  const json = (name: string) => (files.has(name) ? parsed(name, text(name)) : undefined);
  if (!files.has("spec.json")) {
    throw new InputError("the folder of a run has a spec.json and a journal.ndjson", "none named spec.json", notARun);
  }
  const spec = checkSpec(json("spec.json"));
  const { entries, damaged } = readJournal(text("journal.ndjson"), journalSalt(spec));
  const wanted = new Set(spec.units.map(({ key }) => key));
  const sums = json("files.json");
  return {
    spec,
    versions: objectOf(json("versions.json")),
    results: new Map([...entries].filter(([key]) => wanted.has(key))),
    damagedLines: damaged,
    complete: sums !== undefined,
    damagedFiles: Object.entries(objectOf(sums)).flatMap(([name, sum]) => {
      const bytes = files.get(name);
      return bytes !== undefined && sha256(bytes) === sum ? [] : [name];
    }),
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value);

const objectOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InputError(`${name} must be JSON`, text.slice(0, 40), "take the folder from where it was written, again");
  }
}

const notARun = "open a folder that equitopo run or reproduce wrote (runs/...)";

function checkSpec(spec: unknown): FolderSpec {
  const { format = 1, units, experiments, scale } = objectOf(spec);
  if (format !== folderFormat) {
    const age = Number(format) > folderFormat ? "a newer" : "an older";
    throw new InputError(`a run's folder must be of format ${folderFormat}`, format, `use ${age} equitopo`);
  }
  const isUnit = (one: unknown) =>
    isObject(one) && typeof one["key"] === "string" && isObject(one["unit"]) && typeof one["unit"]["kind"] === "string";
  if (!Array.isArray(units) || !units.every(isUnit) || !Array.isArray(experiments) || typeof scale !== "string") {
    throw new InputError("spec.json must list experiments, their scale and their units", spec, notARun);
  }
  return spec as unknown as FolderSpec;
}

const opening = '{"sum":"';
const hashLength = 32;

export interface JournalEntry {
  readonly key: string;
  readonly value: unknown;
}

/** SHA-256 of a text's UTF-8, in hexadecimal digits. */
export const textHash = (text: string): string => sha256(new TextEncoder().encode(text));

/** One line, without its end. */
export function journalLine({ key, value }: JournalEntry, salt: string): string {
  const rest = `"key":${JSON.stringify(key)},"value":${JSON.stringify(toExactJson(value, key))}}`;
  return `${opening}${sumOf(rest, salt)}",${rest}`;
}

/** The entry of a line, its numbers bit for bit; undefined if its hash does not match. */
export function journalEntry(line: string, salt: string): JournalEntry | undefined {
  const from = opening.length + hashLength;
  if (!line.startsWith(opening) || line.slice(from, from + 2) !== '",') return undefined;
  const rest = line.slice(from + 2);
  if (line.slice(opening.length, from) !== sumOf(rest, salt)) return undefined;
  const { key, value } = JSON.parse(`{${rest}`);
  return { key, value: fromExactJson(value) };
}

/**
 * All entries of a journal, the last one of each key, and how many lines do not count (a torn last one among them).
 * O(length).
 *
 * @example
 * ```ts
 * import { journalLine, readJournal } from "equitopo/run";
 * const line = journalLine({ key: "ring", value: { errors: [1, 0.5] } }, "salt");
 * const { entries, damaged } = readJournal(`${line}\n{"sum":"torn`, "salt");
 * entries.get("ring") // => { errors: [1, 0.5] }
 * damaged // => 1
 * ```
 */
export function readJournal(text: string, salt: string): { entries: Map<string, unknown>; damaged: number } {
  const entries = new Map<string, unknown>();
  let damaged = 0;
  const lines = text.split("\n");
  // Text behind the last line end is torn even if its hash matches: there was a reason that the line end is missing.
  const torn = lines.pop();
  for (const line of lines) {
    const entry = journalEntry(line, salt);
    if (entry !== undefined) entries.set(entry.key, entry.value);
    else if (line !== "") damaged++;
  }
  return { entries, damaged: damaged + (torn === "" ? 0 : 1) };
}

const sumOf = (rest: string, salt: string) => textHash(`${salt}\n${rest}`).slice(0, hashLength);
