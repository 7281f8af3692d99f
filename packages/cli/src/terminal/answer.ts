/** The answer of a command: prose and tables for a person, the tables alone with --format. */

import { choice, type Flag, type Given } from "./flags.ts";
import { tableText } from "./layout.ts";
import { print, printJson } from "./output.ts";
import type { Table } from "./table.ts";
import { formatTable, type TableFormat, tableFormats } from "./table-format.ts";

export const formatFlag = {
  format: {
    ...choice("<FORMAT>", "only the tables, for a paper or a file", tableFormats),
    without: "json",
  } satisfies Flag<TableFormat>,
};

export interface FormatOptions extends Given<typeof formatFlag> {}

/** Text, and tables wherever they come in it. */
export type Part = string | Table;

/** Tables one below the other: an empty line before each but the first. */
export const apart = (table: Table, k: number): Part[] => (k === 0 ? [table] : ["\n", table]);

/** JSON where it was asked for, else the text. */
export async function printAnswer(
  json: object,
  text: () => readonly Part[] | Promise<readonly Part[]>,
  options: FormatOptions & { readonly json?: true },
): Promise<void> {
  if (options.json) await printJson(json);
  else await printParts(await text(), options);
}

export async function printParts(
  parts: readonly Part[],
  { format }: { readonly format?: TableFormat | undefined },
): Promise<void> {
  if (format === undefined) {
    await print(parts.map((part) => (typeof part === "string" ? part : tableText(part))));
    return;
  }
  const tables = parts.filter((part) => typeof part !== "string");
  await print([tables.map((one) => formatTable(one, format)).join("\n")]);
}
