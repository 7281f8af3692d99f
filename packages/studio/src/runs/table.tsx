/** A run's table for people: numbers with four digits, and the exact ones where a mouse rests. */

import { readable } from "equitopo/internal/picture";
import { Table } from "../part/table.tsx";
import type { Cell, RunTable } from "./outcome.ts";

/** More rows than this nobody reads; the files have them all. */
const mostRows = 200;

const shown = (cell: Cell | undefined) =>
  typeof cell === "number" ? <span title={String(cell)}>{readable(cell)}</span> : (cell ?? "–");

export function NumbersTable({ title, columns, rows }: RunTable) {
  const caption = rows.length > mostRows ? `${title} (${mostRows} of ${rows.length} rows)` : title;
  const few = rows.slice(0, mostRows).map((row) => ({ cells: columns.map((_, k) => shown(row[k])) }));
  return <Table label={title} caption={caption} columns={columns} rows={few} />;
}
