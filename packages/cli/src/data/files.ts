/** Data files as bytes: gzip is undone wherever it is found, tar archives are read in memory. Errors name the file. */

import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { InputError, type NamedBytes } from "equitopo";

/** A file's bytes, unpacked if it is a gzip file whatever its name says. */
export function readData(path: string): NamedBytes {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(`the data file must be readable (${code})`, path, "check its name and its rights");
  }
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return { name: path, bytes };
  try {
    return { name: path, bytes: gunzipSync(bytes) };
  } catch (error) {
    const { message } = error as Error;
    throw new InputError(`${path}: a gzip file must be whole`, message, "it is truncated or damaged: fetch it again");
  }
}

/** The first of `names`, in `folders` of `root`, plain or with .gz, that is there. */
export function findFile(root: string, folders: readonly string[], names: readonly string[]): string | undefined {
  for (const folder of folders) {
    for (const name of names) {
      for (const ending of ["", ".gz"]) {
        const path = join(root, folder, name + ending);
        if (existsSync(path)) return path;
      }
    }
  }
  return undefined;
}

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
      throw new InputError(
        `${name}: every file of a tar archive has a sound header`,
        `none at byte ${at}`,
        "fetch it again",
      );
    }
    const from = at + BLOCK;
    if (from + size > bytes.length) {
      const file = text(at, 100);
      throw new InputError(
        `${name}: ${file} has ${size} bytes`,
        bytes.length - from,
        "the archive is truncated: fetch it again",
      );
    }
    const kind = bytes[at + 156];
    if (kind === 0 || kind === 48) files.set(basename(text(at, 100)), bytes.subarray(from, from + size));
    at = from + BLOCK * Math.ceil(size / BLOCK);
  }
  return files;
}
