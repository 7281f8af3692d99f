/** A spec from a file: YAML, JSON, or a module whose default export is the spec. */

import { readFile } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { InputError, type SpecDocument } from "equitopo";
import { parse } from "yaml";

export async function readSpecFile(path: string): Promise<SpecDocument> {
  const kind = extname(path).toLowerCase();
  try {
    switch (kind) {
      case ".mjs":
      case ".js":
        return (await import(pathToFileURL(resolve(path)).href)).default;
      case ".yaml":
      case ".yml":
        return parse(await readFile(path, "utf8"));
      case ".json":
        return JSON.parse(await readFile(path, "utf8"));
    }
  } catch (error) {
    const { message } = error as Error;
    throw new InputError(`${path} must be a file that can be read as ${kind.slice(1)}`, message, "see docs/spec.md");
  }
  throw new InputError("a spec is a .yaml, .json or .mjs file", path, "rename it, or convert it");
}
