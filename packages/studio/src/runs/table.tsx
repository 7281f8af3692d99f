/** A run's table for people: numbers with four digits, and the exact ones where a mouse rests. */

import { readable } from "equitopo/internal/picture";
import type { Cell, Sheet } from "../page.ts";
import { Table } from "../part/table.tsx";

/** More rows than this nobody reads; the files have them all. */
const mostRows = 200;

const shown = (cell: Cell) =>
  typeof cell === "number" ? <span title={String(cell)}>{readable(cell)}</span> : (cell ?? "–");

export function NumbersTable({ name: title, columns, rows }: Sheet) {
  const caption = rows.length > mostRows ? `${title} (${mostRows} of ${rows.length} rows)` : title;
  const few = rows.slice(0, mostRows).map((row) => ({ cells: columns.map((_, k) => shown(row[k])) }));
  return <Table label={title} caption={caption} columns={columns} rows={few} />;
}
