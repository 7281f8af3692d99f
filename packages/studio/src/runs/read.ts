/** A run from its files to all that is shown of it. Pure: a folder of something else is an InputError. */

import { type FolderContent, fromExactJson, readFolder } from "equitopo/run";
import type { Cell, Sheet } from "../page.ts";
import { outcomesOf } from "./outcome.ts";

export type ReadRun = ReturnType<typeof readRun>;

/** `unread`: files that are there but were not read. O(bytes). */
export function readRun(name: string, files: ReadonlyMap<string, Uint8Array>, unread: readonly string[] = []) {
  const content = readFolder(files);
  const changed = content.damagedFiles.filter((file) => !unread.includes(file));
  const { units } = content.spec;
  const missing = units.length - content.results.size;
  return {
    name,
    content,
    outcomes: outcomesOf(content),
    /** What the run wrote for people beside its journal. */
    figures: [...files]
      .filter(([name]) => name.endsWith(".svg"))
      .map(([name, bytes]) => ({ name: stem(name), svg: decoder.decode(bytes) })),
    tables: storedTables(files, content),
    /** What is wrong with the folder, in sentences. */
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

const decoder = new TextDecoder();
const stem = (name: string) => name.replace(/\.\w+$/, "");

/** Lines of JSON without a figure of their name; a file that was changed (`content` names it) is not believed. */
function storedTables(files: ReadonlyMap<string, Uint8Array>, content: FolderContent): Sheet[] {
  return [...files]
    .filter(([name]) => name.endsWith(".ndjson") && name !== "journal.ndjson")
    .filter(([name]) => !files.has(`${stem(name)}.svg`) && !content.damagedFiles.includes(name))
    .flatMap(([name, bytes]) => {
      const lines = decoder.decode(bytes).split("\n").filter(Boolean);
      const rows = lines.map((line) => fromExactJson(JSON.parse(line)) as Record<string, Cell>);
      if (rows.length === 0) return [];
      const columns = Object.keys(rows[0]);
      return [{ name: stem(name), columns, rows: rows.map((row) => columns.map((column) => row[column] ?? null)) }];
    });
}
