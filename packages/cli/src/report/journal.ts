/**
 * Results of finished units of work on a disk, one line each (equitopo/run has their format), appended and synced before
 * `store` returns. A process killed at any moment leaves at most one torn line at the end. A line whose hash does not fit (torn, damaged,
 * or of another spec) does not count as finished and its unit is done again; nothing is ever rewritten in place.
 */

import { type FileHandle, open } from "node:fs/promises";
import { InputError } from "equitopo";
import { type JournalEntry, journalEntry, journalLine } from "equitopo/run";

const newline = 10;

export class Journal {
  readonly #file: FileHandle;
  readonly #salt: string;
  readonly #places = new Map<string, { start: number; length: number }>();
  #end = 0;
  #damaged = 0;
  #writing: Promise<unknown> = Promise.resolve();

  private constructor(file: FileHandle, salt: string) {
    this.#file = file;
    this.#salt = salt;
  }

  /** Opens or begins the journal at `path`; only lines written with the same `salt` are believed. */
  static async open(path: string, salt: string): Promise<Journal> {
    const journal = new Journal(await open(path, "a+"), salt);
    await journal.#scan();
    return journal;
  }

  /** Lines that were found torn or damaged when the journal was opened. */
  get damaged(): number {
    return this.#damaged;
  }

  get keys(): string[] {
    return [...this.#places.keys()];
  }

  finished(key: string): boolean {
    return this.#places.has(key);
  }

  /** The value stored under `key`, bit for bit. */
  async load(key: string): Promise<unknown> {
    const place = this.#places.get(key);
    if (place === undefined) throw new InputError("only a finished unit can be loaded", key, "do its work first");
    const bytes = Buffer.alloc(place.length);
    await this.#file.read(bytes, 0, place.length, place.start);
    const entry = this.#entry(bytes);
    if (entry === undefined) throw new Error(`the journal's entry for ${key} changed while the run was going on`);
    return entry.value;
  }

  /** Returns once the value is on the disk. Calls may overlap; they are written one after another. */
  store(key: string, value: unknown): Promise<void> {
    const line = Buffer.from(`${journalLine({ key, value }, this.#salt)}\n`);
    const written = this.#writing.then(async () => {
      await this.#file.appendFile(line);
      await this.#file.sync();
      this.#places.set(key, { start: this.#end, length: line.length - 1 });
      this.#end += line.length;
    });
    this.#writing = written.catch(() => undefined);
    return written;
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#file.close();
  }

  async #scan(): Promise<void> {
    const bytes = await this.#file.readFile();
    for (let start = 0; start < bytes.length; ) {
      const found = bytes.indexOf(newline, start);
      const end = found < 0 ? bytes.length : found;
      const entry = found < 0 ? undefined : this.#entry(bytes.subarray(start, end));
      if (entry !== undefined) this.#places.set(entry.key, { start, length: end - start });
      else if (end > start) this.#damaged++;
      start = end + 1;
    }
    this.#end = bytes.length;
    if (bytes.length > 0 && bytes[bytes.length - 1] !== newline) {
      // The torn line is closed off, so that the next one stands by itself.
      await this.#file.appendFile("\n");
      this.#end++;
    }
  }

  #entry(line: Buffer): JournalEntry | undefined {
    return journalEntry(line.toString("utf8"), this.#salt);
  }
}
