/** Pieces of Markdown for pages that are made from registries. */

export const code = (text) => `\`${text}\``;

export const row = (cells) => `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;

/** The lines of a table; `sides` has an l or an r for each column. */
export const table = (heads, rows, sides) => [
  row(heads),
  row([...sides].map((side) => (side === "r" ? "---:" : "---"))),
  ...rows.map(row),
];
