/** Text in lines that a terminal holds. */

/** The most columns of a line. */
export const WIDTH = 110;

/** Lines of at most WIDTH columns, broken between words. */
export function wrapped(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines[lines.length - 1];
    if (last !== undefined && last.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join("\n");
}
