/** A letter between MPI ranks as bytes: a header, with the vector behind it where that is small (lane.ts). */

import { decodeHeader, type Header, headerBytes } from "equitopo/peer";

/** Below the size up to which Open MPI sends at once within a machine (4096 bytes, its own header included). */
export const inlineBytes = 3968;
/** The longest vector that one message of MPI can have. */
const largest = 2 ** 31 - 1;

/** The header of a letter, or why it is refused. Whose it is MPI says. */
export function readHeader(letter: Uint8Array, spec: Uint8Array): Header | string {
  if (letter.length < headerBytes) return "garbage";
  const header = decodeHeader(letter, spec, largest);
  if (typeof header === "string") return header;
  const inline = header.bytes <= inlineBytes ? header.bytes : 0;
  return letter.length === headerBytes + inline ? header : "length";
}
