/**
 * The lines of a journal, in which a run's folder keeps the results of finished units of work:
 *
 *     {"sum":"<hash of salt and rest>","key":...,"value":...}
 *
 * The salt comes from the run's spec. A line whose hash does not fit (torn, damaged, or of another spec) does not count.
 * Only text here: whoever has a disk appends it (`equitopo run`), whoever has none reads it (the studio's page).
 */

import { sha256 } from "../number/hash.ts";
import { fromExactJson, toExactJson } from "./exact-json.ts";

declare const TextEncoder: new () => { encode(text: string): Uint8Array };

const opening = '{"sum":"';
const hashLength = 32;

export interface JournalEntry {
  readonly key: string;
  readonly value: unknown;
}

/** SHA-256 of a text's UTF-8, in hexadecimal digits. */
export function textHash(text: string): string {
  return sha256(new TextEncoder().encode(text));
}

/** One line, without its end. */
export function journalLine({ key, value }: JournalEntry, salt: string): string {
  const rest = `"key":${JSON.stringify(key)},"value":${JSON.stringify(toExactJson(value, key))}}`;
  return `${opening}${sumOf(rest, salt)}",${rest}`;
}

/** What a line says, its numbers bit for bit; undefined where its hash does not fit. */
export function journalEntry(line: string, salt: string): JournalEntry | undefined {
  const from = opening.length + hashLength;
  if (!line.startsWith(opening) || line.slice(from, from + 2) !== '",') return undefined;
  const rest = line.slice(from + 2);
  if (line.slice(opening.length, from) !== sumOf(rest, salt)) return undefined;
  const { key, value } = JSON.parse(`{${rest}`);
  return { key, value: fromExactJson(value) };
}

/**
 * All entries of a journal, the last of each key, and how many lines do not count (a torn last one among them).
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
  // What follows the last end of a line is torn, even where its hash would fit: its end may be missing for a reason.
  const torn = lines.pop();
  for (const line of lines) {
    const entry = journalEntry(line, salt);
    if (entry !== undefined) entries.set(entry.key, entry.value);
    else if (line !== "") damaged++;
  }
  return { entries, damaged: damaged + (torn === "" ? 0 : 1) };
}

const sumOf = (rest: string, salt: string) => textHash(`${salt}\n${rest}`).slice(0, hashLength);
