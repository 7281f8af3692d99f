/** A table that scrolls sideways if it is too wide. */

import type { ComponentChildren } from "preact";

export interface TableRow {
  /** The first is the row's head. */
  readonly cells: readonly ComponentChildren[];
  readonly attributes?: object;
}

interface TableProps {
  readonly label: string;
  readonly columns: readonly ComponentChildren[];
  readonly rows: readonly TableRow[];
  readonly caption?: ComponentChildren;
  readonly id?: string;
}

export function Table({ label, columns, rows, caption, id }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <section class="scroll" tabIndex={0} aria-label={label}>
      <table id={id}>
        {caption === undefined ? null : <caption>{caption}</caption>}
        <thead>
          <tr>
            {columns.map((column, k) => (
              <th key={k} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ cells: [head, ...cells], attributes }, k) => (
            <tr key={k} {...attributes}>
              <th scope="row">{head}</th>
              {cells.map((cell, j) => (
                // The only cell of a row spans all of it.
                <td key={j} colSpan={cells.length === 1 ? columns.length - 1 : 1}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
