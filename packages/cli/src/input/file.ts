/** Files that a person named: what to do where one cannot be read. And secrets that are better not words of a command. */

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { InputError } from "equitopo";

/** The remedy of a file that could not be read. */
function readingRemedy(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EACCES" || code === "EPERM") return "ask whoever owns it to let you read it";
  return code === "EISDIR" ? "name a file, not a folder" : "check its name";
}

/** The bytes of a file that must be there: `rule` says what it is, beside the system's code. */
export function readNamed(path: string, rule: string, remedy?: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(`${rule} (${code})`, path, remedy ?? readingRemedy(error));
  }
}

/** Of stdin: a secret in the words of a command could be read by every user of the machine. */
export async function firstLine(flag: string): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line.trim();
  throw new InputError(`${flag} - reads from stdin`, "nothing", "write it there, or name it");
}
