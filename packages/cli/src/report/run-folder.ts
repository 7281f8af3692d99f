/**
 * The folder of one run:
 *
 *     spec.json      what was asked             versions.json  what computed it (no names of hosts or people)
 *     journal.ndjson finished units of work     <curves>.ndjson, <curves>.csv, <figure>.svg, <figure>.png
 *     report.html    for reading                files.json     SHA-256 of each file above but the journal
 *     checkpoints/   where long units stand
 *
 * Each file is written beside its place, synced and renamed, so that a reader sees the old one or the new one, whole.
 * What is drawn or tabulated is derived from the journal and simply written again on resuming.
 */

import { createHash } from "node:crypto";
import { readdir, readFile, rm, rmdir } from "node:fs/promises";
import { arch, cpus, platform } from "node:os";
import { join } from "node:path";
import { InputError } from "equitopo";
import { canonicalJson, fromExactJson, journalSalt, textHash, toExactJson } from "equitopo/run";
import { svgToPng } from "../figure/png.ts";
import { makeFolder, writeInOneGo } from "../output.ts";
import { Journal } from "./journal.ts";

export type Row = Readonly<Record<string, number | string | boolean | null>>;

export interface Versions {
  readonly equitopo: string;
  readonly node: string;
  readonly platform: string;
  readonly cpu: string;
  /** Others that computed part of a run which was resumed elsewhere or after an upgrade. */
  readonly earlier?: readonly Versions[];
}

export class RunFolder {
  readonly path: string;
  readonly versions: Versions;
  readonly #journal: Journal;
  readonly #sums = new Map<string, string>();

  private constructor(path: string, versions: Versions, journal: Journal) {
    this.path = path;
    this.versions = versions;
    this.#journal = journal;
  }

  /**
   * Begins a run in an empty or new folder; with `resume`, goes on with the one that is there, if its spec is the same.
   * `version` is that of the package equitopo; `taken` is what computed results that come from other folders.
   */
  static async open(
    path: string,
    {
      spec,
      version,
      resume = false,
      taken = [],
    }: { spec: unknown; version: string; resume?: boolean; taken?: readonly Versions[] },
  ): Promise<RunFolder> {
    const wanted = canonicalJson(toExactJson(spec, "spec"));
    makeFolder(path);
    const present = await readdir(path);
    if (!resume && (present.includes("spec.json") || present.includes("journal.ndjson"))) {
      throw new InputError(
        "a new run needs a folder without one",
        path,
        "add --resume to resume it, or choose another folder",
      );
    }
    for (const name of present) if (/^\..+\.tmp$/.test(name)) await rm(join(path, name), { force: true });
    const found = await readJson(join(path, "spec.json"));
    if (found !== undefined) requireFormat(path, found, JSON.parse(wanted));
    if (found !== undefined && !goesOn(found, JSON.parse(wanted))) {
      const rule = `resuming needs the spec that the run began with; ${differences(found, JSON.parse(wanted)).join("; ")}`;
      throw new InputError(rule, path, "resume with the old values, or begin anew in another folder");
    }
    // From here on until `finish` the run is not complete.
    await rm(join(path, "files.json"), { force: true });
    const before = (await readJson(join(path, "versions.json"))) as Versions | undefined;
    const versions = allVersions(version, before, taken);
    writeInOneGo(join(path, "versions.json"), [pretty(versions)]);
    // A spec.json that cannot be read is written anew: the journal believes only lines of this very spec.
    writeInOneGo(join(path, "spec.json"), [pretty(JSON.parse(wanted))]);
    const journal = await Journal.open(join(path, "journal.ndjson"), journalSalt(JSON.parse(wanted)));
    const folder = new RunFolder(path, versions, journal);
    folder.#note("spec.json", pretty(JSON.parse(wanted)));
    folder.#note("versions.json", pretty(versions));
    return folder;
  }

  /** Keys of the units that are done. */
  get keys(): string[] {
    return this.#journal.keys;
  }

  /** Torn or damaged journal lines that were found on opening; their units are not finished. */
  get damagedEntries(): number {
    return this.#journal.damaged;
  }

  finished(key: string): boolean {
    return this.#journal.finished(key);
  }

  load(key: string): Promise<unknown> {
    return this.#journal.load(key);
  }

  store(key: string, value: unknown): Promise<void> {
    return this.#journal.store(key, value);
  }

  /** The stored value of a finished unit, or `work`'s value once it is stored. */
  async unit<T>(key: string, work: () => T | Promise<T>): Promise<T> {
    if (!this.finished(key)) await this.store(key, await work());
    return (await this.load(key)) as T;
  }

  /** Where the unit of that key keeps its checkpoints. */
  checkpoint(key: string): string {
    makeFolder(join(this.path, "checkpoints"));
    return join(this.path, "checkpoints", `${fileName(key)}.checkpoint`);
  }

  /** Takes back a run that was refused before anything came of it (data that cannot be read): the folder is as it was. */
  async withdraw(): Promise<void> {
    const checkpoints = join(this.path, "checkpoints");
    if (this.keys.length > 0 || (await readdir(checkpoints).catch(() => [])).length > 0) return;
    await this.#journal.close();
    for (const name of ["spec.json", "versions.json", "journal.ndjson"])
      await rm(join(this.path, name), { force: true });
    // Only where nothing else is in them.
    for (const path of [checkpoints, this.path]) await rmdir(path).catch(() => {});
  }

  /** Writes one file; `name` is a plain file name. */
  async write(name: string, content: string | Uint8Array): Promise<void> {
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name) || name === "journal.ndjson") {
      throw new InputError("a file of a run has a name of letters, digits, dots and dashes", name, "rename it");
    }
    writeInOneGo(join(this.path, name), [content]);
    this.#note(name, content);
  }

  /** Curves as NDJSON and CSV, one line per row; the columns are those of the first row. */
  async curves(name: string, rows: readonly Row[]): Promise<void> {
    await this.write(`${name}.ndjson`, rows.map((row) => `${JSON.stringify(toExactJson(row, name))}\n`).join(""));
    await this.write(`${name}.csv`, csv(rows));
  }

  /** A figure as SVG and PNG. */
  async figure(name: string, svg: string, scale = 2): Promise<void> {
    await this.write(`${name}.svg`, svg);
    await this.write(`${name}.png`, await svgToPng(svg, { scale }));
  }

  /** Notes the hashes of all files in files.json and closes the journal: the run is complete. */
  async finish(): Promise<void> {
    await this.#journal.close();
    writeInOneGo(join(this.path, "files.json"), [pretty(Object.fromEntries([...this.#sums].sort()))]);
  }

  /** Closes the journal without calling the run complete. */
  close(): Promise<void> {
    return this.#journal.close();
  }

  #note(name: string, content: string | Uint8Array): void {
    this.#sums.set(name, createHash("sha256").update(content).digest("hex"));
  }
}

/** Files of a complete run that are missing or not as they were written; undefined for a run that is not complete. */
export async function damagedFiles(path: string): Promise<string[] | undefined> {
  const sums = (await readJson(join(path, "files.json"))) as Record<string, string> | undefined;
  if (sums === undefined) return undefined;
  const damaged: string[] = [];
  for (const [name, sum] of Object.entries(sums)) {
    const content = await readFile(join(path, name)).catch(() => undefined);
    if (content === undefined || createHash("sha256").update(content).digest("hex") !== sum) damaged.push(name);
  }
  return damaged;
}

/** The rows of a curves file in NDJSON, as exact as they were written. */
export function readRows(ndjson: string): Row[] {
  const lines = ndjson.split("\n").filter((line) => line !== "");
  return lines.map((line) => fromExactJson(JSON.parse(line)) as Row);
}

/** RFC 4180, with a heading; numbers as the shortest decimal that reads back exactly. */
export function csv(rows: readonly Row[]): string {
  if (rows.length === 0) return "";
  const columns = Object.keys(rows[0]);
  const cell = (value: Row[string] | undefined) => {
    const text = Object.is(value, -0) ? "-0" : String(value ?? "");
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = rows.map((row) => columns.map((column) => cell(row[column])).join(","));
  return `${[columns.map(cell).join(","), ...lines].join("\r\n")}\r\n`;
}

/** A key as the name of a file: its words, and a few digits of its hash so that no two are the same. */
export function fileName(key: string): string {
  const words = key
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 60);
  return `${words}-${textHash(key).slice(0, 8)}`;
}

const pretty = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether `now` is what was begun, or the same with longer runs. */
function goesOn(there: unknown, now: unknown): boolean {
  if (typeof there === "number" && typeof now === "number") return Object.is(there, now);
  if (there === null || now === null || typeof there !== "object" || typeof now !== "object") return there === now;
  const [a, b] = [there, now] as Record<string, unknown>[];
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return names.every((name) => (name === "rounds" ? Number(b[name]) >= Number(a[name]) : goesOn(a[name], b[name])));
}

/** What differs, path by path, the first few. */
function differences(there: unknown, now: unknown, path = ""): string[] {
  if (JSON.stringify(there) === JSON.stringify(now)) return [];
  const isTree = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === "object";
  if (!isTree(there) || !isTree(now) || Array.isArray(there) !== Array.isArray(now)) {
    const show = (value: unknown) => (value === undefined ? "absent" : JSON.stringify(value));
    return [`${path || "it"} was ${show(there)} and is now ${show(now)}`];
  }
  const names = [...new Set([...Object.keys(there), ...Object.keys(now)])].sort();
  const all = names.flatMap((name) => differences(there[name], now[name], path ? `${path}.${name}` : name));
  return all.length > 5 ? [...all.slice(0, 5), `and ${all.length - 5} more`] : all;
}

/** A spec may say in which format its folder is written (folderFormat); one without a word of it is of the first. */
function requireFormat(path: string, there: unknown, now: unknown): void {
  const [before, wanted] = [there, now].map((spec) => (spec as { format?: number } | null)?.format ?? 1);
  if (before === wanted) return;
  const age = before < wanted ? "an older" : "a newer";
  throw new InputError(
    `a run is resumed in the format that it began in; ${path} has format ${before}, this equitopo writes ${wanted}`,
    before,
    `use ${age} equitopo, or begin anew in another folder`,
  );
}

function allVersions(version: string, before: Versions | undefined, taken: readonly Versions[]): Versions {
  const now: Versions = {
    equitopo: version,
    node: process.versions.node,
    platform: `${platform()} ${arch()}`,
    cpu: cpus()[0]?.model.trim() ?? "unknown",
  };
  const { earlier = [], ...last } = typeof before === "object" && before !== null ? before : now;
  const texts = new Map([...earlier, last, ...taken].map((one) => [JSON.stringify(one), one] as const));
  texts.delete(JSON.stringify(now));
  return texts.size === 0 ? now : { ...now, earlier: [...texts.values()] };
}
