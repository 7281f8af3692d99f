/** Colours for a person at a terminal, where that person wants them: never in a file or a pipe, nor with NO_COLOR. */

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
