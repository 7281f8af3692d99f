/** Tables as text, in lines that the terminal holds. Words go on below, and columns that find no room follow below those that did. */

import { toned } from "./colour.ts";
import { brokenLines, lineWidth } from "./lines.ts";
import { type Column, type Table, textOf } from "./table.ts";

const GAP = "  ";
/** Words of a column that is made narrower are broken when they are longer than this; names in the first, than half a line. */
const LONGEST_WORD = 24;

/** A column with what is written in it. */
interface Strip {
  readonly column: Column;
  readonly header: readonly string[];
  readonly cells: readonly string[];
  /** What it would like to have, and what it can do with. */
  readonly natural: number;
  readonly least: number;
}

export function tableText({ columns, rows, names }: Table, width = lineWidth()): string {
  if (names !== undefined) return valueLines(rows, names, width);
  const cells = (k: number) => rows.map((row) => textOf(row[k]));
  const strips = columns.map((column, k) =>
    stripOf(column, cells(k), k === 0 ? Math.max(LONGEST_WORD, width >> 1) : LONGEST_WORD),
  );
  return blocksOf(strips, width)
    .map((block) => blockText(block, rows.length, width))
    .join("\n");
}

function stripOf(column: Column, cells: readonly string[], most: number): Strip {
  const header = column.title.split("\n");
  const longest = (texts: readonly string[]) => texts.reduce((most, text) => Math.max(most, text.length), 0);
  const natural = longest([...header, ...cells]);
  if (column.align === "right") return { column, header, cells, natural, least: natural };
  const word = longest(cells.flatMap((cell) => cell.split(" ")));
  const least = Math.max(longest(header), Math.min(word, most));
  return { column, header, cells, natural, least };
}

const sum = (strips: readonly Strip[], key: "natural" | "least") =>
  strips.reduce((total, strip) => total + strip[key] + GAP.length, -GAP.length);

/** The columns of one block below another: the first column names the rows of each, and what has one header stays together. */
function blocksOf(strips: readonly Strip[], width: number): Strip[][] {
  const [first, ...others] = strips;
  const blocks: Strip[][] = [[first]];
  const families: Strip[][] = [];
  for (const strip of others) {
    const last = families.at(-1);
    if (strip.header[0] === "" && strip.header.length > 1 && last !== undefined) last.push(strip);
    else families.push([strip]);
  }
  const pieces = families.flatMap((family) =>
    sum([first, ...family], "least") <= width ? [family] : family.map((one) => [one]),
  );
  for (const piece of pieces) {
    const last = blocks[blocks.length - 1];
    if (last.length === 1 || sum([...last, ...piece], "least") <= width) last.push(...piece);
    else blocks.push([first, ...piece]);
  }
  return blocks;
}

function blockText(strips: readonly Strip[], rows: number, width: number): string {
  const widths = widthsOf(strips, width);
  const height = Math.max(...strips.map(({ header }) => header.length));
  const line = (texts: readonly string[], tone: (text: string, k: number) => string) => {
    const cells = texts.map((text, k) => {
      const space = " ".repeat(widths[k] - text.length);
      return strips[k].column.align === "left" ? tone(text, k) + space : space + tone(text, k);
    });
    return cells.join(GAP).trimEnd();
  };
  const titles = (l: number) => strips.map(({ header: own }) => own[l - height + own.length] ?? "");
  const header = Array.from({ length: height }, (_, l) => line(titles(l), (text) => toned(text, "bold")));
  const body = Array.from({ length: rows }, (_, r) => {
    const parts = strips.map(({ cells }, k) => brokenCell(cells[r], widths[k]));
    const most = Math.max(...parts.map(({ length }) => length));
    const tone = (text: string, k: number) => toned(text, strips[k].column.tone?.(strips[k].cells[r]));
    const texts = Array.from({ length: most }, (_, l) => parts.map((lines) => lines[l] ?? ""));
    return texts.map((one) => line(one, tone)).join("\n");
  });
  return `${[...header, widths.map((one) => "-".repeat(one)).join(GAP), ...body].join("\n")}\n`;
}

/** The widest column of words gives way first, until all find room. */
function widthsOf(strips: readonly Strip[], width: number): number[] {
  const widths = strips.map(({ natural }) => natural);
  for (let excess = sum(strips, "natural") - width; excess > 0; excess--) {
    let widest = -1;
    for (const [k, { least }] of strips.entries()) {
      if (widths[k] > least && (widest < 0 || widths[k] > widths[widest])) widest = k;
    }
    if (widest < 0) break;
    widths[widest]--;
  }
  return widths;
}

function brokenCell(text: string, width: number): string[] {
  if (text.length <= width) return [text];
  return brokenLines(text, width).flatMap((line) => {
    return Array.from({ length: Math.ceil(line.length / width) }, (_, k) => line.slice(k * width, (k + 1) * width));
  });
}

/** Lines of a name, a value and what it means, which goes on below itself. */
function valueLines(rows: Table["rows"], names: number, width: number): string {
  const most = Math.max(...rows.map(([, value]) => textOf(value).length));
  const lines = rows.map((row) => {
    const [name, value, text] = row.map(textOf);
    const head = `  ${name.padEnd(names)}${value.padEnd(most)}  `;
    const below = `\n${" ".repeat(head.length)}`;
    return (head + brokenLines(text, Math.max(LONGEST_WORD, width - head.length)).join(below)).trimEnd();
  });
  return `${lines.join("\n")}\n`;
}
