/** Lines of CSV as RFC 4180 has them. */

export type CsvCell = string | number | boolean | null | undefined;

export function csvText(columns: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return `${[columns, ...rows].map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
}

function cell(value: CsvCell): string {
  const text = Object.is(value, -0) ? "-0" : String(value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
