/** Files of a folder as a problem sees them: gzip is undone wherever it is found. Errors name the file. */

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Files } from "equitopo";
import { InputError } from "equitopo/internal/input";

/** Files by their names in the folder, plain or with .gz, or by their whole names. */
export function folderFiles(folder: string | undefined): Files {
  const pathOf = (name: string) => {
    const inside = folder === undefined || folder === "" ? [] : [join(folder, name)];
    return [...inside, name].flatMap((path) => [path, `${path}.gz`]).find((path) => existsSync(path));
  };
  return {
    ...(folder === undefined ? {} : { place: folder }),
    has: (name) => pathOf(name) !== undefined,
    read: (name) => unpacked(pathOf(name) ?? name),
    list(name) {
      const path = pathOf(name === "" ? "." : name);
      // Without a folder, none is meant.
      if (path === undefined || (folder === undefined && name === "") || !statSync(path).isDirectory()) return [];
      const found = readdirSync(path, { recursive: true, withFileTypes: true, encoding: "utf8" });
      const files = found.filter((one) => one.isFile() && !one.name.startsWith("."));
      return files
        .map((one) => relative(path, join(one.parentPath, one.name)))
        .map((inside) => {
          return join(name, inside).replaceAll("\\", "/").replace(/\.gz$/, "");
        })
        .sort();
    },
  };
}

/** A file's bytes, unpacked if it is a gzip file whatever its name says. */
function unpacked(path: string): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(`the data file must be readable (${code})`, path, "check its name and its rights");
  }
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes);
  } catch (error) {
    const { message } = error as Error;
    throw new InputError(`${path}: a gzip file must be whole`, message, "it is truncated or damaged: fetch it again");
  }
}
