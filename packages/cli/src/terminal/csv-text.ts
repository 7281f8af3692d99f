/**
 * Lines of CSV as RFC 4180 has them. Text that a spreadsheet would take for a formula (a label may be anybody's) gets an
 * apostrophe before it; numbers are as they are.
 */

export type Row = Readonly<Record<string, number | string | boolean | null>>;

/** With a heading, the columns of the first row; numbers as the shortest decimal that reads back exactly. */
export function csv(rows: readonly Row[]): string {
  if (rows.length === 0) return "";
  const columns = Object.keys(rows[0]);
  return csvText(
    columns,
    rows.map((row) => columns.map((column) => row[column])),
  );
}

export type CsvCell = string | number | boolean | null | undefined;

export function csvText(columns: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return `${[columns, ...rows].map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
}

function cell(value: CsvCell): string {
  const bare = Object.is(value, -0) ? "-0" : String(value ?? "");
  const text = typeof value === "string" && isFormula(bare) ? `'${bare}` : bare;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const isFormula = (text: string) => /^[=@+\t\r]|^-./s.test(text) && !Number.isFinite(Number(text));
