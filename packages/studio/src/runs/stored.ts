/** What a run wrote for people beside its journal: figures as SVG, and tables as lines of JSON. */

import { type FolderContent, fromExactJson } from "equitopo/run";
import type { Cell, ShownTable } from "./outcome.ts";

export interface StoredFigure {
  readonly name: string;
  readonly svg: string;
}

const decoder = new TextDecoder();
const stem = (name: string) => name.replace(/\.\w+$/, "");

export function storedFigures(files: ReadonlyMap<string, Uint8Array>): StoredFigure[] {
  return [...files]
    .filter(([name]) => name.endsWith(".svg"))
    .map(([name, bytes]) => ({ name: stem(name), svg: decoder.decode(bytes) }));
}

/** Lines without a figure of their name; a file that was changed (`content` names it) is not believed. */
export function storedTables(files: ReadonlyMap<string, Uint8Array>, content: FolderContent): ShownTable[] {
  return [...files]
    .filter(([name]) => name.endsWith(".ndjson") && name !== "journal.ndjson")
    .filter(([name]) => !files.has(`${stem(name)}.svg`) && !content.damagedFiles.includes(name))
    .flatMap(([name, bytes]) => {
      const lines = decoder.decode(bytes).split("\n").filter(Boolean);
      const rows = lines.map((line) => fromExactJson(JSON.parse(line)) as Record<string, Cell>);
      if (rows.length === 0) return [];
      const columns = Object.keys(rows[0]);
      return [{ title: stem(name), columns, rows: rows.map((row) => columns.map((column) => row[column] ?? null)) }];
    });
}
