/** Results on their way out: to stdout, waiting where the reader is slow, or to a file that appears whole or not at all. */

import { once } from "node:events";
import fs from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { InputError } from "equitopo";
import { harmless } from "./colour.ts";
import { untilInterrupted } from "./interrupt.ts";

export type Chunk = string | Uint8Array;

const BATCH = 1 << 16;

export async function print(chunks: Iterable<Chunk>): Promise<void> {
  for (const chunk of batches(chunks)) {
    if (!process.stdout.write(typeof chunk === "string" ? harmless(chunk) : chunk)) await once(process.stdout, "drain");
  }
}

/** One JSON object or list, a value a line. */
export async function printJson(value: object): Promise<void> {
  await print([jsonText(value)]);
}

/** JSON with a line for every key and none for the numbers of a list. */
export function jsonText(value: object): string {
  // Control characters that JSON may leave as they are; `print` would replace them.
  const escaped = (code: string) => `\\u00${code.charCodeAt(0).toString(16)}`;
  const safe = (text: string) => text.replace(/[\x7f-\x9f]/g, escaped);
  if (Array.isArray(value)) return safe(`[\n${value.map((row) => `  ${JSON.stringify(row)}`).join(",\n")}\n]\n`);
  const lines = Object.entries(value)
    .filter(([, entry]) => entry !== undefined)
    .map(([key, entry]) => {
      const rows = Array.isArray(entry) && typeof entry[0] === "object" ? entry : undefined;
      const text = rows
        ? `[\n${rows.map((row) => `    ${JSON.stringify(row)}`).join(",\n")}\n  ]`
        : JSON.stringify(entry);
      return `  ${JSON.stringify(key)}: ${text}`;
    });
  return safe(`{\n${lines.join(",\n")}\n}\n`);
}

/** A remark for the person at the terminal, never mixed with the result. */
export function note(text: string, options: { readonly quiet?: true }): void {
  if (!options.quiet) process.stderr.write(`${harmless(text, process.stderr)}\n`);
}

/**
 * Makes a folder and those above it. (Node's own recursive mkdir never ends where a parent cannot be made but says
 * ENOENT, as in /proc.)
 */
export function makeFolder(path: string, mode = 0o777): void {
  try {
    fs.mkdirSync(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const parent = dirname(path);
    if (code === "EEXIST" && fs.statSync(path).isDirectory()) return;
    if (code === "ENOENT" && parent !== path && !fs.existsSync(parent)) {
      makeFolder(parent, mode);
      makeFolder(path, mode);
      return;
    }
    throw new InputError(`the output folder must be writable (${code})`, path, "name a folder of yours, or a new one");
  }
}

/** The same for a flag whose folder must have nothing in it yet. */
export function makeEmptyFolder(flag: string, path: string, mode?: number): void {
  makeFolder(path, mode);
  if (fs.readdirSync(path).length === 0) return;
  throw new InputError(`${flag} must be a new or empty folder`, path, "name another, or empty it");
}

/**
 * A file that appears whole or not at all, however long its making lasts: a signal meanwhile leaves what was there before,
 * nothing beside it, and a word about it on stderr.
 */
export function writeAtomically(path: string, chunks: Iterable<Chunk>): Promise<void> {
  let whole = false;
  return untilInterrupted(
    async (signal) => {
      for (const _ of writing(path, chunks)) await turn(signal);
      whole = true;
      await turn(signal);
    },
    () => (whole ? `interrupted; ${path} was written` : "interrupted; nothing was written"),
  );
}

/** The same in one go, for files of a folder: its callers listen to signals themselves, and wait for it. */
export function writeInOneGo(path: string, chunks: Iterable<Chunk>): void {
  for (const _ of writing(path, chunks));
}

/** Lets signals in that have come meanwhile: Node delivers them between two turns of its loop only. */
async function turn(signal: AbortSignal): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
}

/** Refuses a file that could not be written, before hours of work are done for it. */
export function requireWritable(path: string): void {
  try {
    fs.accessSync(dirname(regularFile(path)), fs.constants.W_OK);
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** Refuses a name whose end names another format than the file will have. */
export function requireEnding(flag: string, path: string, ending: string): void {
  if (extname(path).toLowerCase() === ending) return;
  const stem = path.slice(0, path.length - extname(path).length);
  throw new InputError(`${flag} needs a file that ends in ${ending}`, path, `try ${flag} ${stem}${ending}`);
}

/**
 * Writes beside the file, syncs and renames: a failure or a power cut leaves what was there before, or all of it. Pauses
 * after every batch; a caller that does not go on leaves nothing.
 */
function* writing(path: string, chunks: Iterable<Chunk>): Generator<void> {
  try {
    const target = regularFile(path);
    const temporary = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
    try {
      const file = fs.openSync(temporary, "wx");
      try {
        for (const chunk of batches(chunks)) {
          fs.writeFileSync(file, chunk);
          yield;
        }
        fs.fsyncSync(file);
      } finally {
        fs.closeSync(file);
      }
      fs.renameSync(temporary, target);
    } finally {
      fs.rmSync(temporary, { force: true });
    }
    syncFolder(dirname(target));
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** What the system says of a file as a rule; anything else as it is. */
function unwritable(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof InputError || code === undefined) return error;
  return new InputError(`the file must be writable (${code})`, path, "check that its folder exists and is yours");
}

/** Where a name leads; renaming onto a folder, a device or a link would put a file in its place. */
function regularFile(path: string): string {
  const found = fs.statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return path;
  if (!found.isFile()) throw new InputError("the output must be a file", path, "name a file in a folder that exists");
  return fs.realpathSync(path);
}

/** The rename itself lasts through a power cut only once the folder is synced; some systems cannot open a folder. */
function syncFolder(path: string): void {
  try {
    const folder = fs.openSync(path, "r");
    try {
      fs.fsyncSync(folder);
    } finally {
      fs.closeSync(folder);
    }
  } catch {}
}

/** Joins short texts, so that a graph is not written line by line. */
function* batches(chunks: Iterable<Chunk>): Generator<Chunk> {
  let held = "";
  for (const chunk of chunks) {
    if (typeof chunk === "string") {
      held += chunk;
      if (held.length < BATCH) continue;
    }
    if (held !== "") yield held;
    held = "";
    if (typeof chunk !== "string") yield chunk;
  }
  if (held !== "") yield held;
}
