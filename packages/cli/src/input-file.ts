/** What is wrong with a file that a person named: what to do where it cannot be read, and that its text is UTF-8. */

import { InputError } from "equitopo";

/** The remedy of a file that could not be read. */
export function readingRemedy(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EACCES" || code === "EPERM") return "ask whoever owns it to let you read it";
  return code === "EISDIR" ? "name a file, not a folder" : "check its name";
}

/** The text of a file: UTF-8, with or without a byte order mark. PowerShell's `>` and old editors write others. */
export function utf8Text(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const isUtf16 = /^(fffe|feff)/.test(Buffer.from(bytes.subarray(0, 2)).toString("hex"));
    throw new InputError("the file must be text in UTF-8", isUtf16 ? "UTF-16" : otherByte(bytes), "save it as UTF-8");
  }
}

/** The first byte that is not of UTF-8, with its line. */
function otherByte(bytes: Uint8Array): string {
  const decoded = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const good = decoded.slice(0, decoded.indexOf("\uFFFD"));
  const byte = bytes[Buffer.byteLength(good)].toString(16).toUpperCase();
  return `the byte 0x${byte} in line ${good.split("\n").length}`;
}
