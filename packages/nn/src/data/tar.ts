/** The files of a tar archive: 512 bytes of header for each, then its bytes in whole blocks. */

import { InputError, type NamedBytes } from "equitopo/internal/input";

const BLOCK = 512;

/** The files of a tar archive, by their names without folders. */
export function readTar({ name, bytes }: NamedBytes): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const text = (from: number, length: number) => {
    const part = bytes.subarray(from, from + length);
    const end = part.indexOf(0);
    return String.fromCharCode(...(end < 0 ? part : part.subarray(0, end)));
  };
  for (let at = 0; at + BLOCK <= bytes.length; ) {
    if (bytes.subarray(at, at + BLOCK).every((byte) => byte === 0)) return files;
    // The checksum counts its own eight bytes as blanks.
    let sum = 8 * 32;
    for (let k = 0; k < BLOCK; k++) if (k < 148 || k >= 156) sum += bytes[at + k];
    const size = Number.parseInt(text(at + 124, 12), 8);
    if (sum !== Number.parseInt(text(at + 148, 8), 8) || !(size >= 0)) {
      const rule = `${name}: every file of a tar archive has a sound header`;
      throw new InputError(rule, `none at byte ${at}`, "fetch it again");
    }
    const from = at + BLOCK;
    if (from + size > bytes.length) {
      const file = text(at, 100);
      const rule = `${name}: ${file} has ${size} bytes`;
      throw new InputError(rule, bytes.length - from, "the archive is truncated: fetch it again");
    }
    const kind = bytes[at + 156];
    if (kind === 0 || kind === 48) files.set(text(at, 100).replace(/^.*\//, ""), bytes.subarray(from, from + size));
    at = from + BLOCK * Math.ceil(size / BLOCK);
  }
  return files;
}
