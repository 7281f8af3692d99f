/** Text in lines that a terminal holds. */

/** The most columns of prose, however wide the terminal is: longer lines are hard to read. */
const PROSE = 110;
/** The columns where there is no terminal to ask, and the fewest that anything is set in. */
const [WITHOUT, LEAST] = [120, 40];

/** The columns of a line: what COLUMNS says, else the terminal's. */
export function lineWidth(
  stream: { readonly isTTY?: boolean; readonly columns?: number } = process.stdout,
  asked = process.env["COLUMNS"],
): number {
  const given = Number(asked);
  if (Number.isSafeInteger(given) && given > 0) return Math.max(LEAST, given);
  return stream.isTTY === true && stream.columns ? Math.max(LEAST, stream.columns) : WITHOUT;
}

/** The columns of a line of prose. */
export const proseWidth = () => Math.min(PROSE, lineWidth());

/** Lines of at most so many columns, broken between words; a word that is longer has a line of its own. */
export function brokenLines(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines[lines.length - 1];
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Prose in lines, those after the first behind an indent. */
export function wrapped(text: string, indent = ""): string {
  return brokenLines(text, proseWidth() - indent.length).join(`\n${indent}`);
}

/**
 * The text below a command's options in lines of the terminal. Paragraphs are set again where one of their lines does not
 * fit; an example keeps its command whole, and what is said beside it goes below.
 */
export function fittingHelp(text: string, width = lineWidth()): string {
  if (text.split("\n").every((line) => line.length <= width)) return text;
  const blocks = text.split("\n\n").map((block) => {
    const lines = block.split("\n");
    if (lines.every((line) => line.length <= width)) return block;
    const out: string[] = [];
    let prose: string[] = [];
    const flush = () => {
      if (prose.length > 0) out.push(...brokenLines(prose.join(" "), width));
      prose = [];
    };
    for (const line of lines) {
      if (line !== "" && !line.startsWith(" ")) prose.push(line);
      else {
        flush();
        out.push(...besideOrBelow(line, width));
      }
    }
    flush();
    return out.join("\n");
  });
  return blocks.join("\n\n");
}

/** "  command   what it does" in one line, or in two and more. */
function besideOrBelow(line: string, width: number): string[] {
  const found = line.length <= width ? null : /^( +)(\S.*?) {2,}(\S.*)$/.exec(line);
  if (found === null) return [line];
  const [, indent, command, words] = found;
  const below = `${indent}    `;
  return [indent + command, ...brokenLines(words, width - below.length).map((text) => below + text)];
}
