/** `equitopo example`: specs to start from. */

import type { Command } from "commander";
import { defineTextCommand } from "../text-command.ts";

export function define(command: Command): void {
  defineTextCommand(
    command,
    "example",
    `
A spec says which topologies, algorithms and problem to run (equitopo guide spec); change it and run it again.

Examples:
  equitopo example                                what there is
  equitopo example first-minute --out spec.yaml   and then: equitopo run spec.yaml
  equitopo example room --out room.yaml           and then: equitopo serve room.yaml --fill 3
`,
  );
}
