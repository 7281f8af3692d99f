/** Markdown in lines that fit a terminal: paragraphs and items are broken anew, tables are laid out as all others, code is kept. */

import { tableText } from "../../terminal/layout.ts";
import { brokenLines, lineWidth, proseWidth } from "../../terminal/lines.ts";
import { wordTable } from "../../terminal/table.ts";

/** The width at which headings of columns are broken. */
const HEADING = 24;

/** The parts of a page, in their order: a fence of code, a table, an empty line, a paragraph with what it begins with. */
const parts =
  /```.*\n[\s\S]*?\n *```\n|(?:^ *\|.*\n)+|^ *\n|^( *(?:[-*] |\d+\. |> ?|#+ )?)(.*\n(?:(?! *(?:```|[|>]|[-*] |\d+\. |#+ |\n)).*\n)*)/gm;

export function fittingMarkdown(text: string): string {
  return text.replace(parts, (part, begin: string | undefined, words: string | undefined) => {
    if (/^ *\|/.test(part)) return tableOf(part);
    if (begin === undefined || words === undefined) return part;
    const indent = begin.startsWith(">") ? begin : " ".repeat(begin.length);
    const lines = brokenLines(words.trim().replace(/\s+/g, " "), proseWidth() - begin.length);
    return `${begin}${lines.join(`\n${indent}`)}\n`;
  });
}

function tableOf(part: string): string {
  if (part.split("\n").every((line) => line.length <= lineWidth())) return part;
  const [titles, , ...rows] = part
    .trim()
    .split("\n")
    // A bar within a cell is written \|.
    .map((line) =>
      line
        .trim()
        .replace(/^\|/, "")
        .replace(/\|$/, "")
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim()),
    );
  const headings = titles.map((title) => brokenLines(title, HEADING).join("\n"));
  return tableText(wordTable(headings, rows));
}
