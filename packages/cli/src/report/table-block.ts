/** Tables on the page: numbers to the right with all their digits at hand, and parameters, however deep they lie. */

import { escapeText, readable } from "equitopo/internal/picture";

export type Cell = string | number | boolean | null;

export interface ShownTable {
  readonly caption?: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly csv?: string;
}

export function table({ columns, rows, caption, csv }: ShownTable): string {
  // A column is set to the right if it holds nothing but numbers and gaps.
  const numeric = columns.map(
    (_, j) => rows.some((row) => typeof row[j] === "number") && rows.every((row) => fits(row[j])),
  );
  const side = (j: number) => (numeric[j] ? ` class="number"` : "");
  const head = columns.map((name, j) => `<th scope="col"${side(j)}>${escapeText(name)}</th>`).join("");
  const body = rows.map((row) => `<tr>${columns.map((_, j) => `<td${side(j)}>${cell(row[j])}</td>`).join("")}</tr>`);
  const above = caption === undefined ? "" : `<caption>${escapeText(caption)}</caption>`;
  const link =
    csv === undefined
      ? ""
      : `\n<p class="quiet"><a href="${escapeText(encodeURIComponent(csv))}">Numbers (CSV)</a></p>`;
  const whole = `<div class="scroll"><table>${above}\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body.join("\n")}\n</tbody></table></div>`;
  return (rows.length > LONG ? folded(`${caption ?? columns.join(", ")} (${rows.length} rows)`, whole) : whole) + link;
}

const LONG = 40;

/** A part that opens when it is clicked; printed, it is open. */
export function folded(summary: string, html: string): string {
  return `<details><summary>${escapeText(summary)}</summary>\n${html}\n</details>`;
}

const fits = (value: Cell | undefined) => typeof value === "number" || value === null || value === undefined;

export function cell(value: Cell | undefined): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "number") return `<span title="${value}">${readable(value)}</span>`;
  return escapeText(typeof value === "boolean" ? (value ? "yes" : "no") : value);
}

/** A row for each value; what lies deeper has a name of several words. */
export function parameterTable(values: Readonly<Record<string, unknown>>): string {
  return table({ columns: ["parameter", "value"], rows: rowsOf(values) });
}

function rowsOf(values: object, path = ""): Cell[][] {
  return Object.entries(values).flatMap(([key, value]): Cell[][] => {
    const name = `${path}${Array.isArray(values) ? Number(key) + 1 : key}`;
    if (value === undefined) return [];
    if (value === null || typeof value === "number" || typeof value === "string" || typeof value === "boolean") {
      return [[name, value]];
    }
    if (typeof value !== "object") return [[name, String(value)]];
    if (Array.isArray(value) && value.every((item) => typeof item !== "object")) return [[name, value.join(", ")]];
    return rowsOf(value, `${name} `);
  });
}
