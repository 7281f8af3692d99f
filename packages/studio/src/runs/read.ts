/** A run from its files to all that is shown of it. Pure: a folder of something else is an InputError. */

import { type FolderContent, readFolder } from "equitopo/run";
import { type Outcome, outcomesOf, type ShownTable } from "./outcome.ts";
import { type StoredFigure, storedFigures, storedTables } from "./stored.ts";

export interface ShownRun {
  readonly name: string;
  readonly content: FolderContent;
  readonly outcomes: readonly Outcome[];
  readonly figures: readonly StoredFigure[];
  readonly tables: readonly ShownTable[];
  /** What is wrong with the folder, in sentences. */
  readonly troubles: readonly string[];
}

/** `unread`: files that are there but were not read. O(bytes). */
export function shownRun(
  name: string,
  files: ReadonlyMap<string, Uint8Array>,
  unread: readonly string[] = [],
): ShownRun {
  const content = readFolder(files);
  const changed = content.damagedFiles.filter((file) => !unread.includes(file));
  const { units } = content.spec;
  const missing = units.length - content.results.size;
  return {
    name,
    content,
    outcomes: outcomesOf(content),
    figures: storedFigures(files),
    tables: storedTables(files, content),
    troubles: [
      ...(content.damagedLines === 0
        ? []
        : [`${plural(content.damagedLines, "line")} of the journal torn, changed or of another spec: left out.`]),
      ...(changed.length === 0 ? [] : [`Missing or changed since the run ended: ${changed.join(", ")}.`]),
      ...(missing === 0 ? [] : [`${missing} of ${plural(units.length, "unit")} of work not finished.`]),
    ],
  };
}

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;
