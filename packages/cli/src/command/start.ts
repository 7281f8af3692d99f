/** `equitopo start`: the first minute. Where one peer a round is worth it, where it is not, and a figure of it. */

import { join } from "node:path";
import { firstMinute, type Table } from "@equitopo/experiments";
import type { Command } from "commander";
import { integerOption } from "../arguments.ts";
import { goesOn, untilInterrupted } from "../interrupt.ts";
import { wrapped } from "../lines.ts";
import { note, print, printJson } from "../output.ts";
import { outFolder } from "../run/fresh-folder.ts";
import { runExperiments } from "../run/run-experiments.ts";
import type { CommonOptions } from "../session.ts";
import { table } from "../table.ts";

interface Options extends CommonOptions {
  readonly out?: string;
  readonly resume?: true;
  readonly workers?: number;
}

export function define(command: Command): void {
  command
    .option("--out <DIR>", "folder for the figure, curves and report.html (default: a new one in runs/)")
    .option("--resume", "go on with the interrupted run in --out")
    .option(
      "--workers <W>",
      "worker threads (default: one per core); results do not depend on it",
      integerOption("workers", 1, 2),
    )
    .addHelpText(
      "after",
      `
Gradient tracking on 300 nodes over the paper's one-peer graphs and over later rivals, each with the best of the same
learning rates; plain averaging over the same graphs; and the rounds that 100 to 1,000,000 nodes need, from exact rates.
The sentences at the end are computed from what came out. It takes less than a minute.

Examples:
  equitopo start
  equitopo start --out runs/start && equitopo studio
  equitopo start --json
`,
    )
    .action(async (options: Options) => {
      const out = outFolder(options, "start");
      const [{ outcome }] = await untilInterrupted(
        (signal) =>
          runExperiments([firstMinute], {
            ...{ scale: "full", out, signal, lead: "The first minute with equitopo.", ...options },
          }),
        goesOn(out),
      );
      const { tables, findings = [] } = outcome;
      if (options.json) {
        await printJson({ out, findings, tables });
        return;
      }
      await print([
        `\n${tables.map(tableText).join("\n")}\n${findings.map((text) => `${wrapped(text)}\n`).join("\n")}`,
      ]);
      note(`\nfigure: ${join(out, "first-minute.svg")}\nreport: ${join(out, "report.html")}`, options);
      note("next: equitopo advise --n 300 --degree 1; equitopo compare --n 300; equitopo studio", options);
    });
}

function tableText({ title, columns, rows }: Table): string {
  const shown = (value: string | number | null) =>
    value === null ? "-" : typeof value === "number" && value >= 1000 ? value.toLocaleString("en-GB") : String(value);
  return `${title}\n\n${table(
    columns.map((column, k) => ({ title: column, align: k === 0 ? "left" : "right" })),
    rows.map((row) => row.map(shown)),
  )}`;
}
