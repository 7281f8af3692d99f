/** A spec from a file: YAML, JSON, or a module whose default export is the spec. */

import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { InputError, type SpecDocument } from "equitopo";
import { inside, utf8Text } from "equitopo/internal/input";
import { holdsObjects } from "equitopo/internal/run";
import { sha256 } from "equitopo/number";
import { parse } from "yaml";
import { readNamed } from "./input/file.ts";
import { loadSpecPlugins } from "./plugin.ts";
import { withGraphFiles } from "./topology/graph-file.ts";

/** The spec, its plug-ins loaded and its graphs read. */
export async function readSpecFile(path: string): Promise<SpecDocument> {
  const written = await readDocument(path);
  if (typeof written !== "object" || written === null) return written;
  const document = withGraphFiles(written, path);
  const loaded = await loadSpecPlugins(document.plugins, path);
  // Nobody but this file has the objects in it: its bytes stand for them.
  const own = holdsObjects(document) ? [{ file: resolve(path), sha256: sha256(readSpec(path)) }] : [];
  const plugins = [...loaded, ...own];
  return plugins.length === 0 ? document : { ...document, plugins };
}

const kinds = [".mjs", ".js", ".yaml", ".yml", ".json"];

const readSpec = (path: string) => readNamed(path, "the spec must be a file that can be read");

async function readDocument(path: string): Promise<SpecDocument> {
  const kind = extname(path).toLowerCase();
  const bytes = kinds.includes(kind) ? readSpec(path) : new Uint8Array();
  const text = inside(path, () => utf8Text(bytes));
  try {
    switch (kind) {
      case ".mjs":
      case ".js":
        return (await import(pathToFileURL(resolve(path)).href)).default;
      case ".yaml":
      case ".yml":
        // An unknown tag is not reported: the value behind it is checked like everything else.
        return parse(text, { logLevel: "error" });
      case ".json":
        return JSON.parse(text);
    }
  } catch (error) {
    const rule = `${path} must be a file that can be read as ${kind.slice(1)}`;
    throw new InputError(rule, placedMessage(error as Error, text), "see equitopo guide spec");
  }
  throw new InputError("a spec is a .yaml, .json or .mjs file", path, "rename it, or convert it");
}

/** What a parser says in its first line, behind the place in the file: of a long message the end is cut off. */
function placedMessage(error: Error & { readonly linePos?: readonly { line: number; col: number }[] }, text: string) {
  const [first] = error.message.split("\n");
  const offset = / (?:in JSON )?at position (\d+)/.exec(first)?.[1];
  const before = text.slice(0, Number(offset ?? 0)).split("\n");
  const ofOffset = { line: before.length, col: before[before.length - 1].length + 1 };
  const place = error.linePos?.[0] ?? (offset === undefined ? undefined : ofOffset);
  const words = first.replace(/(?: at line \d+, column \d+:?| (?:in JSON )?at position \d+.*)$/, "");
  return place === undefined ? words : `line ${place.line}, column ${place.col}: ${words}`;
}
