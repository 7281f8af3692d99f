/**
 * Results of finished units of work on a disk, one line each (equitopo/run has their format), appended and synced before
 * `store` returns. A process killed at any moment leaves at most one torn line at the end. A line whose hash does not fit
 * (torn, damaged, or of another spec) does not count as finished and its unit is done again; nothing is ever rewritten in
 * place.
 */

import { open } from "node:fs/promises";
import { InputError } from "equitopo";
import { type JournalEntry, journalEntry, journalLine } from "equitopo/internal/run";

const newline = 10;

export type Journal = Awaited<ReturnType<typeof openJournal>>;

/** Opens or begins the journal at `path`; only lines written with the same `salt` are believed. */
export async function openJournal(path: string, salt: string) {
  const file = await open(path, "a+");
  const places = new Map<string, { start: number; length: number }>();
  const entryOf = (line: Buffer): JournalEntry | undefined => journalEntry(line.toString("utf8"), salt);
  let damaged = 0;
  const bytes = await file.readFile();
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(newline, start);
    const stop = found < 0 ? bytes.length : found;
    const entry = found < 0 ? undefined : entryOf(bytes.subarray(start, stop));
    if (entry !== undefined) places.set(entry.key, { start, length: stop - start });
    else if (stop > start) damaged++;
    start = stop + 1;
  }
  let end = bytes.length;
  if (bytes.length > 0 && bytes[bytes.length - 1] !== newline) {
    // The torn line is closed off, so that the next line begins by itself.
    await file.appendFile("\n");
    end++;
  }
  let writing: Promise<unknown> = Promise.resolve();
  return {
    /** Lines that were found torn or damaged when the journal was opened: their units are not finished. */
    damaged,

    get keys(): string[] {
      return [...places.keys()];
    },

    finished: (key: string) => places.has(key),

    /** The value stored under `key`, bit for bit. */
    async load(key: string): Promise<unknown> {
      const place = places.get(key);
      if (place === undefined) throw new InputError("only a finished unit can be loaded", key, "do its work first");
      const line = Buffer.alloc(place.length);
      await file.read(line, 0, place.length, place.start);
      const entry = entryOf(line);
      if (entry === undefined) throw new Error(`the journal's entry for ${key} changed while the run was going on`);
      return entry.value;
    },

    /** Returns once the value is on the disk. Calls may overlap; they are written one after another. */
    store(key: string, value: unknown): Promise<void> {
      const line = Buffer.from(`${journalLine({ key, value }, salt)}\n`);
      const written = writing.then(async () => {
        await file.appendFile(line);
        await file.sync();
        places.set(key, { start: end, length: line.length - 1 });
        end += line.length;
      });
      writing = written.catch(() => undefined);
      return written;
    },

    async close(): Promise<void> {
      await writing;
      await file.close();
    },
  };
}
