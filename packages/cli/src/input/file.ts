/** Files that a person named, and what to do if one cannot be read. And secrets, which should not be words of a command. */

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

/** The first line of stdin: every user of the machine could read a secret in the words of a command. */
export async function firstLine(flag: string): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line.trim();
  throw new InputError(`${flag} - needs a line on stdin`, "nothing", "write it there, or name it in place of -");
}
