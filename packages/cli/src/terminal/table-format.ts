/** Tables for files and papers: CSV with all digits, Markdown, and LaTeX for the package booktabs. */

import { csvText } from "./csv-text.ts";
import { type Cell, type Column, type Table, textOf } from "./table.ts";

export const tableFormats = ["latex", "csv", "markdown"] as const;

export type TableFormat = (typeof tableFormats)[number];

/** A table as text of that format, without what is for the eye at a terminal. */
export function formatTable(whole: Table, format: TableFormat): string {
  const kept = whole.columns.flatMap(({ terminalOnly }, k) => (terminalOnly ? [] : [k]));
  const titles = titlesOf(whole.columns);
  return writers[format]({
    ...whole,
    columns: kept.map((k) => ({ ...whole.columns[k], title: titles[k] })),
    rows: whole.rows.map((row) => kept.map((k) => row[k])),
  });
}

/** Each title in one line; one that goes on under another's first line has that line in front of it. */
function titlesOf(columns: readonly Column[]): string[] {
  let above = "";
  return columns.map(({ title }) => {
    const [first, ...rest] = title.split("\n");
    if (first !== "" || rest.length === 0) above = first;
    return [rest.length > 0 ? above : first, ...rest].join(" ").trim();
  });
}

const writers: Record<TableFormat, (table: Table) => string> = { latex, csv, markdown };

/** A column of several seeds has its mean under its name, and what follows from the seeds beside it. */
function csv({ columns, rows }: Table): string {
  const spread = columns.map((_, k) => rows.some((row) => isSpread(row[k])));
  const more = ["seeds", "sd", "se"] as const;
  return csvText(
    columns.flatMap(({ title }, k) => [title, ...(spread[k] ? more.map((key) => `${title} ${key}`) : [])]),
    rows.map((row) =>
      row.flatMap((cell, k) => {
        if (isSpread(cell)) return [cell.spread.mean, ...more.map((key) => cell.spread[key])];
        return [plain(cell), ...(spread[k] ? more.map(() => "") : [])];
      }),
    ),
  );
}

const isSpread = (cell: Cell) => typeof cell !== "string" && "spread" in cell;

/** Beyond all numbers is what a person is shown, such as "never". */
function plain(cell: Cell): string | number {
  return typeof cell !== "string" && "value" in cell && Number.isFinite(cell.value) ? cell.value : textOf(cell);
}

function markdown({ columns, rows, caption }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.map((text) => text.replace(/[\\|]/g, "\\$&")).join(" | ")} |`;
  const rule = `|${columns.map(({ align }) => (align === "right" ? "---:" : "---")).join("|")}|`;
  const lines = [line(columns.map(({ title }) => title)), rule, ...rows.map((row) => line(row.map(textOf)))];
  return `${caption === undefined ? "" : `${caption}\n\n`}${lines.join("\n")}\n`;
}

function latex({ columns, rows, caption }: Table): string {
  const line = (cells: readonly string[]) => `${cells.join(" & ")} \\\\`;
  return `${[
    ...(caption === undefined ? [] : caption.split("\n").map((text) => `% ${text}`)),
    `\\begin{tabular}{${columns.map(({ align }) => align[0]).join("")}}`,
    "\\toprule",
    line(columns.map(({ title }) => inLatex(title))),
    "\\midrule",
    ...rows.map((row) => line(row.map((cell) => inLatex(textOf(cell))))),
    "\\bottomrule",
    "\\end{tabular}",
  ].join("\n")}\n`;
}

const special: Readonly<Record<string, string>> = {
  ...{ "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}" },
  ...{ "{": "\\{", "}": "\\}", "&": "\\&", "%": "\\%", $: "\\$", "#": "\\#", _: "\\_" },
  ...{ "<": "$<$", ">": "$>$", "|": "$|$", "±": "$\\pm$", "×": "$\\times$", "≤": "$\\le$", "≥": "$\\ge$" },
  ...{ "‖": "$\\|$", "−": "$-$", "–": "--", "…": "\\ldots{}", µ: "$\\mu$", "²": "$^2$", β: "$\\beta$", η: "$\\eta$" },
  ...{ σ: "$\\sigma$", κ: "$\\kappa$", γ: "$\\gamma$", "“": "``", "”": "''", "’": "'" },
};

/** Text for LaTeX: numbers with a power of ten are set as one, and so is what begins with a minus. */
export function inLatex(text: string): string {
  // A hash such as 1194414986e8 is no number.
  const number = /^(-?)(\d[\d.,]*)$/.exec(text) ?? /^(-?)(\d(?:\.\d+)?)e([+-]?\d+)$/.exec(text);
  if (number !== null && (number[1] !== "" || number[3] !== undefined)) {
    const [, sign, digits, power] = number;
    const grouped = digits.replaceAll(",", "{,}");
    return `$${sign}${grouped}${power === undefined ? "" : ` \\times 10^{${Number(power)}}`}$`;
  }
  const spread = text.split(" ± ");
  if (spread.length === 2) {
    return `$${spread.map((part) => inLatex(part).replaceAll("$", "")).join(" \\pm ")}$`;
  }
  return Array.from(text, (letter) => special[letter] ?? letter).join("");
}
