/** Data sets from tables (equitopo/input reads the lines): one example a line, numbers, and the label in one column. */

import { InputError, tableLines } from "equitopo/internal/input";
import { checkedDataset, type Dataset } from "./dataset.ts";

export interface CsvOptions {
  /** Which column holds the label: a name from the header line, or a number from 0 on; default the last. null: none does. */
  readonly label?: string | number | null;
}

const isNumber = (cell: string) => cell !== "" && Number.isFinite(Number(cell));

/**
 * A table of numbers. A first line that is not all numbers is a header. Labels may be words: they are numbered in
 * alphabetical order.
 *
 * @example
 * ```ts
 * import { parseCsv } from "@equitopo/nn";
 * const data = parseCsv("a,b,kind\n1,2,cat\n3,4,ant\n", "pets.csv");
 * data.labels.join() // => "1,0"
 * ```
 */
export function parseCsv(text: string, name: string, { label }: CsvOptions = {}): Dataset {
  const lines = tableLines(text);
  if (lines.length === 0) throw new InputError(`${name}: a table has at least one line`, "none", "check the file");
  const quoted = lines.find(({ cells }) => cells.some((cell) => cell.includes('"')));
  if (quoted !== undefined) {
    const rule = `${name}, line ${quoted.number}: cells have no quotes`;
    throw new InputError(rule, quoted.cells.join(","), "leave the quotes out");
  }
  const columns = lines[0].cells.length;
  if (columns < 2) {
    const rule = `${name}: a line holds at least one number and a label, separated by commas`;
    throw new InputError(rule, columns, "check the file");
  }
  // A header has a word where the second line has a number (or everywhere, in a table of one line).
  const [head, second] = lines;
  const header =
    second === undefined
      ? !head.cells.some(isNumber)
      : head.cells.some((cell, c) => !isNumber(cell) && isNumber(second.cells[c] ?? ""));
  const names = header ? head.cells : [];
  const at = labelColumn(label, names, columns, name);
  const rows = header ? lines.slice(1) : lines;
  if (rows.length === 0) throw new InputError(`${name}: a header is followed by examples`, "none", "check the file");
  const features = at === undefined ? columns : columns - 1;
  const images = new Float32Array(rows.length * features);
  rows.forEach(({ number, cells }, k) => {
    if (cells.length !== columns) {
      const rule = `${name}, line ${number}: every line has ${columns} columns`;
      throw new InputError(rule, cells.length, "correct that line");
    }
    let to = k * features;
    cells.forEach((cell, c) => {
      if (c === at) return;
      if (!isNumber(cell)) {
        throw new InputError(`${name}, line ${number}, column ${c + 1}: a number is needed`, cell, "correct that cell");
      }
      images[to++] = Number(cell);
    });
  });
  const numbered = numberLabels(rows.map(({ cells }) => (at === undefined ? "0" : cells[at])));
  const shape = { height: 1, width: 1, channels: features };
  return checkedDataset({ name, shape, count: rows.length, images, ...numbered });
}

function labelColumn(
  label: string | number | null | undefined,
  names: readonly string[],
  columns: number,
  name: string,
): number | undefined {
  if (label === null) return undefined;
  if (label === undefined) return columns - 1;
  const at = typeof label === "number" ? label : names.indexOf(label);
  if (Number.isInteger(at) && at >= 0 && at < columns) return at;
  const choice = names.length > 0 ? names.join(", ") : `0 to ${columns - 1}`;
  throw new InputError(`${name}: the label column must be one of ${choice}`, label, "choose one of them");
}

/** Labels 0, 1, 2, ... as they are; anything else numbered in order. */
function numberLabels(words: readonly string[]): Pick<Dataset, "labels" | "classes" | "words"> {
  const numeric = words.every((word) => /^\d{1,4}$/.test(word));
  if (numeric) {
    const labels = Int32Array.from(words, Number);
    return { labels, classes: labels.reduce((a, b) => Math.max(a, b), 0) + 1 };
  }
  const kinds = [...new Set(words)].sort();
  const place = new Map(kinds.map((word, k) => [word, k]));
  const labels = Int32Array.from(words, (word) => place.get(word) as number);
  return { labels, classes: kinds.length, words: kinds };
}
