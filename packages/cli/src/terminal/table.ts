/** Tables as commands make them: what a terminal, a CSV file, Markdown and LaTeX all show. */

import type { Table as StudyTable, Summary } from "equitopo/outcome";
import type { Tone } from "./colour.ts";

export interface Column {
  /** Several lines where it has a line break. One that begins with a break goes on under the first line of the one before. */
  readonly title: string;
  /** Numbers are aligned right, words left. */
  readonly align: "left" | "right";
  /** For the eye at a terminal only, such as a bar. */
  readonly terminalOnly?: true;
  /** How a cell with this text is coloured. */
  readonly tone?: (text: string) => Tone | undefined;
}

/** What several seeds gave. */
export type Spread = Readonly<Record<"seeds" | keyof Summary, number>>;

/** Text, or a number as it is shown to a person with all its digits beside, or what several seeds gave. */
export type Cell =
  | string
  | { readonly text: string; readonly value: number }
  | { readonly text: string; readonly spread: Spread };

export interface Table {
  readonly caption?: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  /** At a terminal lines of a name, a value and what it means, with so many columns for the name. */
  readonly names?: number;
}

export const left = (title: string): Column => ({ title, align: "left" });
export const right = (title: string): Column => ({ title, align: "right" });

/** A number, and how a person is shown it. */
export const numberCell = (value: number, show: (value: number) => string): Cell => ({ text: show(value), value });

/** A mean over seeds, with its standard error where several were run and do not all agree. */
export function summaryCell(seeds: number, { mean, sd, se }: Summary, show: (value: number) => string): Cell {
  if (sd === null || se === null) return numberCell(mean, show);
  const text = se === 0 ? show(mean) : `${show(mean)} ± ${Number(se.toPrecision(2))}`;
  return { text, spread: { seeds, mean, sd, se } };
}

/** The spread of a mean over seeds, as lines of its table. */
export function spreadLines(what: string, { sd, se }: Summary, show: (value: number) => string) {
  const cell = (value: number | null): Cell => (value === null ? "none of one seed" : numberCell(value, show));
  return [
    ["sd", cell(sd), `standard deviation of a seed's ${what}`],
    ["se", cell(se), "standard error of the mean"],
  ] as const;
}

export const textOf = (cell: Cell) => (typeof cell === "string" ? cell : cell.text);

export function table(columns: readonly Column[], rows: readonly (readonly Cell[])[], caption?: string): Table {
  return { columns, rows, ...(caption === undefined ? {} : { caption }) };
}

/** A column, and what a row has in it; false where a table goes without it. */
export type CellColumn<R> = readonly [column: Column, cell: (row: R) => Cell] | false;

/** The same from rows of any kind. */
export function tableOf<R>(columns: readonly CellColumn<R>[], rows: readonly R[], caption?: string): Table {
  const shown = columns.filter((one) => one !== false);
  return table(
    shown.map(([column]) => column),
    rows.map((row) => shown.map(([, cell]) => cell(row))),
    caption,
  );
}

/** The same where all columns are words. */
export const wordTable = (titles: readonly string[], rows: readonly (readonly Cell[])[], caption?: string) =>
  table(titles.map(left), rows, caption);

/** A study's table: columns of numbers are aligned right. */
export function studyTable(
  { title, columns, rows }: Pick<StudyTable, "title" | "columns" | "rows">,
  show: (value: number) => string,
): Table {
  const numeric = (k: number) => rows.some((row) => typeof row[k] === "number");
  return table(
    columns.map((column, k) => (k > 0 && numeric(k) ? right : left)(column)),
    rows.map((row) => row.map((value) => (typeof value === "number" ? numberCell(value, show) : (value ?? "-")))),
    title,
  );
}

/** Values by their names, and what they mean. */
export function valueTable(lines: readonly (readonly [string, Cell, string])[], caption: string, names = 14): Table {
  return { ...table([left("quantity"), right("value"), left("meaning")], lines, caption), names };
}
