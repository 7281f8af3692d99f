/** A run's folder from the disk, by the library's rules for reading one. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "equitopo";
import { type FolderContent, readFolder } from "equitopo/run";

/** `who` is the flag or command that reads it: --take, report. A folder that is not a run's is an InputError. */
export function readRun(folder: string, who: string): FolderContent {
  let files: Map<string, Uint8Array>;
  try {
    files = new Map(
      ["spec.json", "journal.ndjson", "versions.json"].map((name) => [name, readFileSync(join(folder, name))]),
    );
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(`${who} needs the folder of a run (${code})`, folder, "name what equitopo run wrote");
  }
  return readFolder(files);
}

export function csvFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".csv"))
    .sort();
}
