/** `equitopo start`: the first minute. Where one peer a round is worth it, where it is not, and a figure of it. */

import { join } from "node:path";
import { firstMinute } from "@equitopo/experiments/internal";
import { outFolder } from "../folder/fresh-folder.ts";
import { runToFolder } from "../run/run-experiments.ts";
import { type FormatOptions, formatFlag, printParts } from "../terminal/answer.ts";
import { type CommonOptions, type Given, on, whole, word } from "../terminal/flags.ts";
import { wrapped } from "../terminal/lines.ts";
import { showCount } from "../terminal/numbers.ts";
import { note, printJson } from "../terminal/output.ts";
import { studyTable } from "../terminal/table.ts";

export const flags = {
  out: word("<DIR>", "folder for the figure, curves and report.html (default: a new one in runs/)"),
  resume: on("go on with the interrupted run in --out"),
  workers: whole("<W>", "worker threads (default: one per core); results do not depend on it", 1, 2),
  ...formatFlag,
};

interface Options extends CommonOptions, FormatOptions, Given<typeof flags> {}

export const help = `
Gradient tracking on 300 nodes over the paper's one-peer graphs and over later rivals, each with the best of the same
learning rates; plain averaging over the same graphs; and the rounds that 100 to 1,000,000 nodes need, from exact rates.
The sentences at the end are computed from what came out. It takes less than a minute.

Examples:
  equitopo start
  equitopo start --out runs/start && equitopo studio
  equitopo start --json
`;

export async function act(options: Options): Promise<void> {
  const out = outFolder(options, "start");
  const [{ outcome }] = await runToFolder([firstMinute], {
    ...{ scale: "full", out, lead: "The first minute with equitopo.", ...options },
    study: "@equitopo/experiments",
  });
  const { tables, findings = [] } = outcome;
  if (options.json) {
    await printJson({ out, findings, tables });
    return;
  }
  const shown = tables.map((one) => studyTable(one, (value) => (value >= 1000 ? showCount(value) : String(value))));
  const sentences = `\n${findings.map((text) => `${wrapped(text)}\n`).join("\n")}`;
  await printParts([...shown.flatMap((one) => [`\n${one.caption}\n\n`, one]), sentences], options);
  note(`\nfigure: ${join(out, "first-minute.svg")}\nreport: ${join(out, "report.html")}`, options);
  note("next: equitopo advise --n 300 --degree 1; equitopo compare --n 300; equitopo studio", options);
}
