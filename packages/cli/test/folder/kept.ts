/** What is in the folder of a run, as tests look at it. */

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fromExactJson } from "equitopo/run";
import type { RunFolder } from "../../src/folder/run-folder.ts";
import type { Row } from "../../src/terminal/csv-text.ts";

/** The stored value of a finished unit, or `work`'s value once it is stored. */
export async function unit({ journal }: RunFolder, key: string, work: () => unknown): Promise<unknown> {
  if (!journal.finished(key)) await journal.store(key, await work());
  return journal.load(key);
}

/** Files of a complete run that are missing or not as they were written; undefined for a run that is not complete. */
export async function damagedFiles(path: string): Promise<string[] | undefined> {
  const text = await readFile(join(path, "files.json"), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const damaged: string[] = [];
  for (const [name, sum] of Object.entries<string>(JSON.parse(text))) {
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
