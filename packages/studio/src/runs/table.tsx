/** A table for people: numbers with four digits, and the exact ones where a mouse rests. */

import { readable } from "equitopo/picture";
import type { ShownTable } from "./outcome.ts";

/** More rows than this nobody reads; the files have them all. */
const mostRows = 200;

export function Table({ title, columns, rows }: ShownTable) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section class="scroll" tabIndex={0} aria-label={title}>
      <table>
        <caption>
          {title}
          {rows.length > mostRows ? ` (${mostRows} of ${rows.length} rows)` : ""}
        </caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, mostRows).map((row, k) => (
            <tr key={k}>
              {columns.map((column, j) => (
                <td key={column}>
                  {typeof row[j] === "number" ? (
                    <span title={String(row[j])}>{readable(row[j])}</span>
                  ) : (
                    (row[j] ?? "–")
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
