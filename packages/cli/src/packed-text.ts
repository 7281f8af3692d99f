/**
 * Texts that come with the command, so that it never points at a file that an installed user does not have: guides
 * (Markdown) and examples (specs). scripts/pack-texts.mjs puts copies of the repository's beside the built programs.
 */

import { readdirSync, readFileSync } from "node:fs";
import { basename, extname } from "node:path";
import { oneOf } from "equitopo/input";

export type TextKind = "guide" | "example";

export interface PackedText {
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

/** All texts of a kind by name. */
export function packedTexts(kind: TextKind): PackedText[] {
  // The same folder for the sources and for what is built of them.
  const folder = new URL(`../dist/${kind}/`, import.meta.url);
  return readdirSync(folder)
    .sort()
    .map((file) => {
      const text = readFileSync(new URL(file, folder), "utf8");
      return { name: basename(file, extname(file)), title: titleOf(kind, text), text };
    });
}

/** The text of that name; an unknown name is refused with the nearest one. */
export function packedText(kind: TextKind, name: string): PackedText {
  const texts = packedTexts(kind);
  const known = oneOf(
    kind,
    name,
    texts.map((text) => text.name),
  );
  return texts.find((text) => text.name === known) as PackedText;
}

/** A page's first heading; a spec's title. */
function titleOf(kind: TextKind, text: string): string {
  return (kind === "guide" ? /^# (.+)$/m : /^title: (.+)$/m).exec(text)?.[1] ?? "";
}
