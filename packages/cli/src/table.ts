/** Aligned columns of text. */

export interface Column {
  /** Several lines where it has a line break; they stand at the bottom of the header. */
  readonly title: string;
  /** Numbers stand right, words left. */
  readonly align: "left" | "right";
}

export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const titles = columns.map(({ title }) => title.split("\n"));
  const height = Math.max(...titles.map((lines) => lines.length));
  const header = Array.from({ length: height }, (_, line) =>
    titles.map((lines) => lines[line - height + lines.length] ?? ""),
  );
  const widths = columns.map((_, k) => Math.max(...[...header, ...rows].map((row) => row[k].length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, k) => (columns[k].align === "left" ? cell.padEnd(widths[k]) : cell.padStart(widths[k])))
      .join("  ")
      .trimEnd();
  const rule = widths.map((width) => "-".repeat(width)).join("  ");
  return `${[...header.map(line), rule, ...rows.map(line)].join("\n")}\n`;
}
