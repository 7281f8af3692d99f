/**
 * Colours for a person at a terminal, where that person wants them: never in a file or a pipe, nor with NO_COLOR. And nobody
 * else's: labels, names and reasons may come from anywhere, and a terminal obeys what it is sent.
 */

const codes = { bold: 1, red: 31, green: 32 } as const;

export type Tone = keyof typeof codes;

/** The text in a tone, if the stream shows any. NO_COLOR, whatever it says, means none (https://no-color.org). */
export function toned(
  text: string,
  tone: Tone | undefined,
  stream: { readonly isTTY?: boolean } = process.stdout,
  { NO_COLOR, TERM }: NodeJS.ProcessEnv = process.env,
): string {
  if (tone === undefined || text === "" || stream.isTTY !== true || NO_COLOR || TERM === "dumb") return text;
  return `\x1b[${codes[tone]}m${text}\x1b[0m`;
}

/** Control characters but line ends, with what makes a colour of one; a return only where a line ends. */
const control = /(?!\r?\n|\t)\p{Cc}(?:\[\d+m)?/gu;
const own = [0, ...Object.values(codes)].map((code) => `\x1b[${code}m`);

/** A text whose control characters are seen and not obeyed; the colours above stay where the stream shows any. */
export function harmless(text: string, stream: { readonly isTTY?: boolean } = process.stdout): string {
  return text.replace(control, (found) => {
    if (stream.isTTY === true && own.includes(found)) return found;
    const code = found.charCodeAt(0);
    return (code < 32 ? String.fromCharCode(0x2400 + code) : "\ufffd") + found.slice(1);
  });
}
