/**
 * Results of finished units of work, one line each, appended and synced before `store` returns:
 *
 *     {"sum":"<hash of spec and rest>","key":...,"value":...}
 *
 * A process killed at any moment leaves at most one torn line at the end. A line whose hash does not fit (torn, damaged,
 * or of another spec) does not count as finished and its unit is done again; nothing is ever rewritten in place.
 */

import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { InputError } from "equitopo";

const opening = '{"sum":"';
const hashLength = 32;
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
    return decode(entry.value);
  }

  /** Returns once the value is on the disk. Calls may overlap; they are written one after another. */
  store(key: string, value: unknown): Promise<void> {
    const rest = `"key":${JSON.stringify(key)},"value":${JSON.stringify(encode(value, key))}}`;
    const line = Buffer.from(`${opening}${this.#sum(rest)}",${rest}\n`);
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

  #entry(line: Buffer): { key: string; value: unknown } | undefined {
    const text = line.toString("utf8");
    const from = opening.length + hashLength;
    if (!text.startsWith(opening) || text.slice(from, from + 2) !== '",') return undefined;
    const rest = text.slice(from + 2);
    if (text.slice(opening.length, from) !== this.#sum(rest)) return undefined;
    return JSON.parse(`{${rest}`);
  }

  #sum(rest: string): string {
    return createHash("sha256").update(this.#salt).update("\n").update(rest).digest("hex").slice(0, hashLength);
  }
}

const tag = "$";

/** JSON that holds what JSON cannot: NaN, infinities, minus zero, and arrays of floats (as base64 of their bytes). */
export function encode(value: unknown, where: string): unknown {
  if (typeof value === "number") {
    return Number.isFinite(value) && !Object.is(value, -0)
      ? value
      : { [tag]: Object.is(value, -0) ? "-0" : String(value) };
  }
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (value instanceof Float64Array || value instanceof Float32Array) {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return { [tag]: value instanceof Float64Array ? "float64" : "float32", bytes: bytes.toString("base64") };
  }
  if (Array.isArray(value)) return Array.from(value, (item, i) => encode(item, `${where}[${i}]`));
  if (typeof value === "object" && [Object.prototype, null].includes(Object.getPrototypeOf(value)) && !(tag in value)) {
    const kept = Object.entries(value).filter(([, item]) => item !== undefined);
    return Object.fromEntries(kept.map(([name, item]) => [name, encode(item, `${where}.${name}`)]));
  }
  const rule = `${where} must be made of numbers, strings, booleans, null, plain objects, arrays and float arrays`;
  throw new InputError(rule, typeof value === "object" ? value.constructor?.name : typeof value, "convert it first");
}

export function decode(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(decode);
  const kind = (value as Record<string, unknown>)[tag];
  if (kind === "float64" || kind === "float32") {
    const bytes = new Uint8Array(Buffer.from((value as { bytes: string }).bytes, "base64"));
    return kind === "float64" ? new Float64Array(bytes.buffer) : new Float32Array(bytes.buffer);
  }
  if (kind !== undefined) return Number(kind);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, decode(item)]));
}
