/** What a view shows as numbers, for a spreadsheet: lines of commas, a text in quotes where it has one itself. Pure. */

import type { Cell, Sheet } from "../page.ts";

const written = (cell: Cell) => {
  const text = cell === null || cell === undefined ? "" : String(cell);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** All digits of every number, as the library has them. */
export function csvOf({ columns, rows }: Sheet): string {
  return [columns, ...rows].map((row) => `${row.map(written).join(",")}\n`).join("");
}

/** Curves side by side: a column that counts from 0, then one for each curve; shorter ones end with empty cells. */
export function curvesSheet(
  name: string,
  counted: string,
  curves: readonly { readonly label: string; readonly values: ArrayLike<number> }[],
): Sheet {
  const most = Math.max(0, ...curves.map(({ values }) => values.length));
  return {
    name,
    columns: [counted, ...curves.map(({ label }) => label)],
    rows: Array.from({ length: most }, (_, t) => [t, ...curves.map(({ values }) => values[t])]),
  };
}
