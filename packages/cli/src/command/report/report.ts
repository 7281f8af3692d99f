/** `equitopo report`: runs of several folders on one page. */

import { dirname, relative, resolve, sep } from "node:path";
import { InputError } from "equitopo";
import "../../input/problems.ts";
import { csvFiles, readRun } from "../../folder/finished-run.ts";
import { report } from "../../report/report.ts";
import { type FormatOptions, formatFlag, type Part, printAnswer } from "../../terminal/answer.ts";
import { type CommonOptions, type Given, preset, word } from "../../terminal/flags.ts";
import { wrapped } from "../../terminal/lines.ts";
import { note, requireEnding, requireWritable, writeAtomically } from "../../terminal/output.ts";
import { studyTable } from "../../terminal/table.ts";
import { type NamedFolder, type SideBySide, sideBySide } from "./side-by-side.ts";

export const flags = {
  out: preset("comparison.html", word("<FILE>", "the page to write")),
  ...formatFlag,
};

interface Options extends CommonOptions, FormatOptions, Given<typeof flags> {}

export const words = { "<folders...>": "folders of finished runs, two or more" };

export const help = `
The page has a figure for each metric that all runs have, a table of how they ended, what their specs have in common and
what sets them apart, and links to the numbers in the folders. Each folder has a report.html of its own besides.

Examples:
  equitopo report runs/dsgd runs/dsgt
  equitopo report runs/simulated runs/peers --out peers.html
  equitopo report runs/a runs/b runs/c --json
`;

export async function act(folders: readonly string[], options: Options): Promise<void> {
  const named = requireSeveral(folders);
  requireEnding("--out", options.out, ".html");
  requireWritable(options.out);
  const base = dirname(resolve(options.out));
  const content = named.map(({ folder, name }): NamedFolder => {
    const run = readRun(folder, "report");
    const place = relative(base, resolve(folder)).split(sep).join("/");
    return { name, content: run, csv: csvFiles(folder).map((file) => (place === "" ? file : `${place}/${file}`)) };
  });
  const found = sideBySide(content);
  await writeAtomically(options.out, [report(found.report)]);
  await printAnswer({ out: options.out, ...asJson(found) }, () => asText(found), options);
  note(`\nreport: ${options.out}`, options.json ? { quiet: true } : options);
}

/** Each folder by the end of its path, as much of it as tells it from the others. */
function requireSeveral(folders: readonly string[]): { readonly folder: string; readonly name: string }[] {
  const [first] = folders;
  if (folders.length < 2) {
    throw new InputError("report compares two or more folders", first, `name another, or open ${first}/report.html`);
  }
  const paths = folders.map((folder) => resolve(folder));
  const twice = folders.find((_, k) => paths.indexOf(paths[k]) < k);
  if (twice !== undefined) throw new InputError("report needs folders that differ", twice, "name each once");
  const parts = paths.map((path) => path.split(sep));
  return folders.map((folder, k) => {
    let length = 1;
    const end = (of: readonly string[]) => of.slice(-length).join("/");
    while (parts.filter((other) => end(other) === end(parts[k])).length > 1) length++;
    return { folder, name: end(parts[k]) };
  });
}

function asJson({ findings, metrics, parameters, final }: SideBySide): object {
  const { columns, rows } = final;
  const runs = rows.map((row) => Object.fromEntries(columns.map((column, k) => [column, row[k]])));
  return { findings, metrics, common: parameters.common, differing: parameters.differing ?? null, runs };
}

function asText({ findings, parameters: { differing }, final }: SideBySide): Part[] {
  const table = (one: Pick<SideBySide["final"], "columns" | "rows">, title: string) =>
    studyTable({ ...one, title }, shown);
  const apart =
    differing === undefined ? [] : ["\nWhat sets them apart:\n\n", table(differing, "What sets them apart")];
  return [`${findings.map((text) => wrapped(text)).join("\n")}\n\n`, table(final, final.title), ...apart];
}

const shown = (value: number) =>
  Number.isInteger(value)
    ? value.toLocaleString("en-GB")
    : Math.abs(value) < 1e-3
      ? value.toExponential(3)
      : String(Number(value.toPrecision(4)));
