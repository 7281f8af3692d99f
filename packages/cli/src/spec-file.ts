/** A spec from a file: YAML, JSON, or a module whose default export is the spec. */

import { readFile } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { InputError, type SpecDocument } from "equitopo";
import { sha256 } from "equitopo/number";
import { holdsObjects } from "equitopo/run";
import { parse } from "yaml";
import { loadSpecPlugins } from "./plugin.ts";

/** The spec, its plug-ins loaded. */
export async function readSpecFile(path: string): Promise<SpecDocument> {
  const document = await readDocument(path);
  if (typeof document !== "object" || document === null) return document;
  const loaded = await loadSpecPlugins(document.plugins, path);
  // Nobody but this file has the objects in it: its bytes stand for them.
  const own = holdsObjects(document) ? [{ file: resolve(path), sha256: sha256(await readFile(path)) }] : [];
  const plugins = [...loaded, ...own];
  return plugins.length === 0 ? document : { ...document, plugins };
}

async function readDocument(path: string): Promise<SpecDocument> {
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
    // What follows the first line of a parser's message is the text around the place.
    const message = (error as Error).message.split("\n")[0].replace(/:$/, "");
    throw new InputError(
      `${path} must be a file that can be read as ${kind.slice(1)}`,
      message,
      "see equitopo guide spec",
    );
  }
  throw new InputError("a spec is a .yaml, .json or .mjs file", path, "rename it, or convert it");
}
