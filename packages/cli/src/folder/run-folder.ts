/**
 * The folder of one run:
 *
 *     spec.json      what was asked             versions.json  what computed it (no names of hosts or people)
 *     journal.ndjson finished units of work     <curves>.ndjson, <curves>.csv, <figure>.svg, .png and .pdf
 *     report.html    for reading                files.json     SHA-256 of each file above but the journal
 *     checkpoints/   of units that take long
 *
 * Each file is written beside its place, synced and renamed, so that a reader sees the old one or the new one, whole.
 * What is drawn or tabulated is derived from the journal and simply written again on resuming.
 */

import { createHash } from "node:crypto";
import { readdir, readFile, rm, rmdir } from "node:fs/promises";
import { arch, cpus, platform } from "node:os";
import { join } from "node:path";
import { InputError } from "equitopo";
import { canonicalJson, journalSalt, textHash, toExactJson } from "equitopo/internal/run";
import { inEveryFormat } from "../figure/files.ts";
import { csv, type Row } from "../terminal/csv-text.ts";
import { makeFolder, writeInOneGo } from "../terminal/output.ts";
import { openJournal } from "./journal.ts";

export interface Versions {
  readonly equitopo: string;
  readonly node: string;
  readonly platform: string;
  readonly cpu: string;
  /** Others that computed part of a run which was resumed elsewhere or after an upgrade. */
  readonly earlier?: readonly Versions[];
}

export type RunFolder = Awaited<ReturnType<typeof openRunFolder>>;

/**
 * Begins a run in an empty or new folder; with `resume`, goes on with the run in the folder, if its spec is the same.
 * `version` is that of the package equitopo; `taken` is what computed results that come from other folders.
 */
export async function openRunFolder(
  path: string,
  {
    spec,
    version,
    resume = false,
    taken = [],
  }: { spec: unknown; version: string; resume?: boolean; taken?: readonly Versions[] },
) {
  const wanted = JSON.parse(canonicalJson(toExactJson(spec, "spec")));
  makeFolder(path);
  const present = await readdir(path);
  if (!resume && (present.includes("spec.json") || present.includes("journal.ndjson"))) {
    const remedy = "add --resume to resume it, or choose another folder";
    throw new InputError("a new run needs a folder without one", path, remedy);
  }
  for (const name of present) if (/^\..+\.tmp$/.test(name)) await rm(join(path, name), { force: true });
  const found = await readJson(join(path, "spec.json"));
  if (found !== undefined) requireFormat(path, found, wanted);
  if (found !== undefined && !goesOn(found, wanted)) {
    const rule = `resuming needs the spec that the run began with; ${differences(found, wanted).join("; ")}`;
    throw new InputError(rule, path, "resume with the old values, or begin anew in another folder");
  }
  const sums = new Map<string, string>();
  const put = (name: string, content: string | Uint8Array) => {
    writeInOneGo(join(path, name), [content]);
    sums.set(name, createHash("sha256").update(content).digest("hex"));
  };
  // From here on until `finish` the run is not complete.
  await rm(join(path, "files.json"), { force: true });
  const before = (await readJson(join(path, "versions.json"))) as Versions | undefined;
  const versions = allVersions(version, before, taken);
  put("versions.json", pretty(versions));
  // A spec.json that cannot be read is written anew: the journal believes only lines of this very spec.
  put("spec.json", pretty(wanted));
  const journal = await openJournal(join(path, "journal.ndjson"), journalSalt(wanted));
  const checkpoints = join(path, "checkpoints");

  /** Writes one file; `name` is a plain file name. */
  const write = async (name: string, content: string | Uint8Array) => {
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name) || name === "journal.ndjson") {
      throw new InputError("a file of a run has a name of letters, digits, dots and dashes", name, "rename it");
    }
    put(name, content);
  };
  return {
    path,
    versions,
    journal,
    write,

    /** Where the unit of that key keeps its checkpoints. */
    checkpoint(key: string): string {
      makeFolder(checkpoints);
      return join(checkpoints, `${fileName(key)}.checkpoint`);
    },

    /** Takes back a run that was refused before anything came of it (data that cannot be read): the folder is as it was. */
    async withdraw(): Promise<void> {
      if (journal.keys.length > 0 || (await readdir(checkpoints).catch(() => [])).length > 0) return;
      await journal.close();
      for (const name of ["spec.json", "versions.json", "journal.ndjson"]) await rm(join(path, name), { force: true });
      // Only where nothing else is in them.
      for (const folder of [checkpoints, path]) await rmdir(folder).catch(() => {});
    },

    /** Curves as NDJSON and CSV, one line per row; the columns are those of the first row. */
    async curves(name: string, rows: readonly Row[]): Promise<void> {
      await write(`${name}.ndjson`, rows.map((row) => `${JSON.stringify(toExactJson(row, name))}\n`).join(""));
      await write(`${name}.csv`, csv(rows));
    },

    async figure(name: string, svg: string): Promise<void> {
      for (const [ending, bytes] of await inEveryFormat(svg)) await write(name + ending, bytes);
    },

    /** Notes the hashes of all files in files.json and closes the journal: the run is complete. */
    async finish(): Promise<void> {
      await journal.close();
      writeInOneGo(join(path, "files.json"), [pretty(Object.fromEntries([...sums].sort()))]);
    },
  };
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
  // Of files that differ the hashes say it all.
  const files = typeof there["sha256"] === "string" && there["sha256"] !== now["sha256"];
  const names = files ? ["sha256"] : [...new Set([...Object.keys(there), ...Object.keys(now)])].sort();
  const all = names.flatMap((name) => differences(there[name], now[name], path ? `${path}.${name}` : name));
  return all.length > 5 ? [...all.slice(0, 5), `and ${all.length - 5} more`] : all;
}

/** A spec may say in which format its folder is written (folderFormat); without it, the format is the first. */
function requireFormat(path: string, there: unknown, now: unknown): void {
  const [before, wanted] = [there, now].map((spec) => (spec as { format?: number } | null)?.format ?? 1);
  if (before === wanted) return;
  const age = before < wanted ? "an older" : "a newer";
  const rule = `a run is resumed in the format that it began in; ${path} has format ${before}, this equitopo writes ${wanted}`;
  throw new InputError(rule, before, `use ${age} equitopo, or begin anew in another folder`);
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
