/**
 * Texts that come with the command, so that it never points at a file that an installed user does not have: guides
 * (Markdown) and examples (specs). scripts/pack-texts.mjs puts copies of the repository's beside the built programs.
 */

import { readdirSync, readFileSync } from "node:fs";
import { basename, extname } from "node:path";
import { fileURLToPath } from "node:url";
import { InputError } from "equitopo";
import { oneOf } from "equitopo/input";

export type TextKind = "guide" | "example";

/** The same folder for the sources and for what is built of them. */
const built = new URL("../../../dist/", import.meta.url);

export function packedTexts(kind: TextKind, from = built) {
  const folder = new URL(`${kind}/`, from);
  return filesIn(folder, kind)
    .sort()
    .map((file) => {
      const text = readFileSync(new URL(file, folder), "utf8");
      return { name: basename(file, extname(file)), title: titleOf(kind, text), text };
    });
}

/** In a clone of which only the programs were compiled there are no texts yet. */
function filesIn(folder: URL, kind: TextKind): string[] {
  try {
    return readdirSync(folder);
  } catch {
    const remedy = "build all of the clone, not its programs alone, or install @equitopo/cli anew";
    throw new InputError(`the ${kind}s must stand beside the built programs`, fileURLToPath(folder), remedy);
  }
}

/** The text of that name; an unknown name is refused with the nearest one. */
export function packedText(kind: TextKind, name: string) {
  const texts = packedTexts(kind);
  const names = texts.map((text) => text.name);
  return texts[names.indexOf(oneOf(kind, name, names))];
}

/** A page's first heading; a spec's title. */
function titleOf(kind: TextKind, text: string): string {
  return (kind === "guide" ? /^# (.+)$/m : /^title: (.+)$/m).exec(text)?.[1] ?? "";
}
