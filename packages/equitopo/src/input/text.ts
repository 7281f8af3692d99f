/** Text that comes as bytes: UTF-8, with or without a byte order mark. PowerShell's `>` and old editors write others. */

import { InputError } from "./input.ts";

/** The text of these bytes, without the mark. O(bytes). */
export function utf8Text(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const [first, second] = bytes;
    const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
    throw new InputError("the file must be text in UTF-8", isUtf16 ? "UTF-16" : otherByte(bytes), "save it as UTF-8");
  }
}

/** The first byte that is not of UTF-8, with its line. */
function otherByte(bytes: Uint8Array): string {
  const decoded = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes);
  const good = decoded.slice(0, decoded.indexOf("\uFFFD"));
  const byte = bytes[new TextEncoder().encode(good).length].toString(16).toUpperCase();
  return `the byte 0x${byte} in line ${good.split("\n").length}`;
}
