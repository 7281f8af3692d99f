/** `equitopo list`: the topologies, each with a line and its options. */

import type { Command } from "commander";
import { families } from "equitopo";
import type { CommonOptions } from "../commands.ts";
import { print, printJson } from "../output.ts";
import { table } from "../table.ts";

export function define(command: Command): void {
  command
    .addHelpText(
      "after",
      `
Examples:
  equitopo list             names, what they are, and the options of each beside --n
  equitopo list --json      the same for programs, with where each stands in the paper
`,
    )
    .action(async (options: CommonOptions) => {
      if (options.json) {
        const topologies = families.map(({ name, summary, source, options: known }) => {
          return { name, summary, source, options: known };
        });
        await printJson({ topologies });
        return;
      }
      const rows = families.map(({ name, summary, options: known }) => [
        name,
        summary,
        known.map((key) => `--${key}`).join(" "),
      ]);
      const columns = ["topology", "what it is", "options beside --n"];
      await print([
        table(
          columns.map((title) => ({ title, align: "left" })),
          rows,
        ),
      ]);
    });
}
