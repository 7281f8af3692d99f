/**
 * What the folder of a run holds, from the bytes of its files:
 *
 *     spec.json      what was asked: the units of work    journal.ndjson  the results of those that are finished
 *     versions.json  what computed it                     files.json      SHA-256 of the files, once the run is complete
 *
 * Pure, so that a page reads a folder by the same rules as the command line that writes it.
 */

import { InputError } from "../input/input.ts";
import { sha256 } from "../number/hash.ts";
import { readJournal, textHash } from "./journal.ts";

declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

/** Of the folder: what its files are called and what they hold. */
export const folderFormat = 2;

/** What spec.json says. */
export interface FolderSpec {
  readonly format: number;
  readonly experiments: readonly string[];
  readonly scale: string;
  readonly units: readonly FolderUnit[];
}

/** A unit of work: its kind says what its result is ("learning" is a run of a spec, "gossip" the errors by round). */
export interface FolderUnit {
  readonly key: string;
  readonly unit: { readonly kind: string; readonly key: string } & Readonly<Record<string, unknown>>;
}

export interface FolderContent {
  readonly spec: FolderSpec;
  readonly versions: Readonly<Record<string, unknown>>;
  /** By key, those of the spec that are finished. */
  readonly results: ReadonlyMap<string, unknown>;
  /** Journal lines that are torn, damaged or of another spec. */
  readonly damagedLines: number;
  /** Whether the run was finished: files.json is the last file to be written. */
  readonly complete: boolean;
  /** Of a complete run: files that are missing or not as they were written. */
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

/** What the journal's lines are salted with, from the spec as spec.json has it: lines of another spec do not count. */
export function journalSalt(spec: unknown): string {
  return textHash(canonicalJson(spec));
}

/**
 * Reads a folder from the bytes of its files by name (those of subfolders left out). A folder of something else, or of
 * another format, is an InputError; torn lines and changed files are counted. O(bytes).
 */
export function readFolder(files: ReadonlyMap<string, Uint8Array>): FolderContent {
  const text = (name: string) => {
    const bytes = files.get(name);
    return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
  };
  const spec = checkSpec(parsed("spec.json", text("spec.json")));
  const { entries, damaged } = readJournal(text("journal.ndjson") ?? "", journalSalt(spec));
  const wanted = new Set(spec.units.map(({ key }) => key));
  const sums = files.has("files.json") ? parsed("files.json", text("files.json")) : undefined;
  return {
    spec,
    versions: files.has("versions.json") ? objectOf(parsed("versions.json", text("versions.json"))) : {},
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

function parsed(name: string, text: string | undefined): unknown {
  if (text === undefined) {
    throw new InputError("the folder of a run has a spec.json and a journal.ndjson", `none named ${name}`, notARun);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new InputError(`${name} must be JSON`, text.slice(0, 40), "take the folder from where it was written, again");
  }
}

const notARun = "open what equitopo run or reproduce wrote (runs/...)";

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
