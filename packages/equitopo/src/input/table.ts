/** Tables as text (CSV): one row a line. */

export interface TableLine {
  /** The line's number in the text, from 1 on. */
  readonly number: number;
  readonly cells: readonly string[];
}

/**
 * The lines of a table that are not blank. Cells are separated by commas, or by white space in a line without a comma, and
 * are trimmed. O(length).
 *
 * @example
 * ```ts
 * import { tableLines } from "equitopo/input";
 * tableLines("a, b\n\n1 2\n") // => [{ number: 1, cells: ["a", "b"] }, { number: 3, cells: ["1", "2"] }]
 * ```
 */
export function tableLines(text: string): TableLine[] {
  return text.split(/\r?\n/).flatMap((raw, index) => {
    const line = raw.replace(/^\uFEFF/, "").trim();
    const cells = line.includes(",") ? line.split(",").map((cell) => cell.trim()) : line.split(/\s+/);
    return line === "" ? [] : [{ number: index + 1, cells }];
  });
}
