/** `equitopo guide`: the pages that explain specs, plug-ins, clusters and the rest, as they were when this was packed. */

import type { Command } from "commander";
import { defineTextCommand } from "../text-command.ts";

export function define(command: Command): void {
  defineTextCommand(
    command,
    "guide",
    `
Pages are Markdown. "readme" is the tour: every command, in an order in which they can be typed.

Examples:
  equitopo guide                        what there is to read
  equitopo guide spec                   one file that describes runs
  equitopo guide cluster --out c.md     a page for your editor
`,
  );
}
