/** Every command line on any page names a command that there is, with flags that it has. */

import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { equitopo } from "../command.ts";
import { markdownFiles } from "./links.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

interface Line {
  readonly where: string;
  readonly command: string;
  readonly flags: readonly string[];
}

/** Commands in fenced and indented blocks and in sentences; a backslash joins lines, and a # begins a remark. */
function commandLines(file: string): Line[] {
  const text = readFileSync(file, "utf8").replace(/\\\n\s*/g, " ");
  return text.split("\n").flatMap((content, index) => {
    const found = [
      ...content.matchAll(/`(?:npx )?equitopo ([a-z]+)([^`]*)`/g),
      ...content.matchAll(/^(?: {4})?(?:npx )?equitopo ([a-z]+)([^`|]*)$/g),
    ];
    return found.map(([, command, rest]) => ({
      where: `${relative(root, file)}:${index + 1}`,
      command,
      flags: [
        ...rest
          .replace(/ #.*$/, "")
          .split("&&")[0]
          .matchAll(/ (--[a-zA-Z][\w-]*)/g),
      ].map(([, flag]) => flag),
    }));
  });
}

test("commands and flags on pages are those of the program", { timeout: 120_000 }, async () => {
  const lines = markdownFiles(root)
    .filter((file) => !file.endsWith("CHANGELOG.md"))
    .flatMap(commandLines)
    // Members of plug-ins bring flags of their own.
    .filter(({ flags }) => !flags.includes("--plugin"));
  expect(lines.length).toBeGreaterThan(100);
  const help = new Map<string, string>();
  for (const command of new Set(lines.map((line) => line.command))) {
    help.set(command, (await equitopo(`help ${command}`)).stdout);
  }
  const wrong = lines.flatMap(({ where, command, flags }) => {
    const text = help.get(command) ?? "";
    if (!text.startsWith(`Usage: equitopo ${command}`)) return [`${where}: ${command}`];
    return flags
      .filter((flag) => !new RegExp(`${flag}(?![\\w-])`).test(text))
      .map((flag) => `${where}: ${command} ${flag}`);
  });
  expect(wrong).toEqual([]);
});
