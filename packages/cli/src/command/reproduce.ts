/** `equitopo reproduce`: the paper's experiments, each held against what must come out. */

import { join } from "node:path";
import { experiments, parseAgainst, type Study } from "@equitopo/experiments/internal";
import { openData } from "@equitopo/nn";
import { InputError } from "equitopo";
import { defined, oneOf } from "equitopo/internal/input";
import type { Check, Experiment, Scale } from "equitopo/outcome";
import { lookFlags } from "../figure/files.ts";
import { outFolder } from "../folder/fresh-folder.ts";
import { readNamed } from "../input/file.ts";
import type { Skipped } from "../report/experiment-section.ts";
import { contextOf, dataVariable } from "../run/context.ts";
import { deviceFlags, gpuEngine, inPrecision, requireGpuUnits } from "../run/gpu.ts";
import { type Finished, runToFolder } from "../run/run-experiments.ts";
import { type FormatOptions, formatFlag, type Part, printAnswer } from "../terminal/answer.ts";
import { integerOption } from "../terminal/arguments.ts";
import { type CommonOptions, choice, type Given, on, parsed, whole, word } from "../terminal/flags.ts";
import { note } from "../terminal/output.ts";
import { left, studyTable, table } from "../terminal/table.ts";

export const flags = {
  quick: on("smaller sizes and fewer repeats, for a first look"),
  out: word("<DIR>", "folder for curves, figures and report.html (default: a new one in runs/)"),
  resume: on("go on with the interrupted run in --out"),
  take: parsed<readonly string[]>("<DIR...>", "folders of other runs, whose finished units of the same content serve"),
  data: word("<DIR>", `folder of the data set that an experiment needs (or ${dataVariable})`),
  ...deviceFlags,
  epochs: whole("<E>", "mnist, cifar10: passes over the data (default the paper's)", 1, 20),
  rows: word("<LIST>", "mnist, cifar10: some of the table's rows, separated by commas"),
  seeds: word("<LIST>", "mnist, cifar10: seeds, separated by commas (default 1)"),
  protocol: choice("<P>", "mnist, cifar10: one of the two only", ["corrected", "as-run"]),
  original: on("cifar10: the images are the original ones, so the paper's figures must come out"),
  against: word("<FILE>", "cifar10: another program's accuracies of centralised SGD (JSON), to be held against"),
  workers: whole("<W>", "worker threads (default: one a core); results do not depend on it", 1, 2),
  ...lookFlags,
  ...formatFlag,
};

interface Options extends CommonOptions, FormatOptions, Given<typeof flags> {}

export const words = { "<names...>": "experiments, or all" };

export const first = () => [...experiments.map(({ name }) => name), "all"];

export const help = `
Experiments:
${experiments.map(({ name, title, paper }) => `  ${name.padEnd(30)}${title} (${paper})`).join("\n")}

Each check is printed as expected against measured; the exit code is 1 if one of them fails. The folder holds the spec,
the versions, every curve as NDJSON and CSV, every figure as SVG, PNG and PDF, and report.html with all to read.
An interrupted run loses nothing that was finished: --resume goes on.

Examples:
  equitopo reproduce all --quick
  equitopo reproduce consensus-one-peer --out runs/one-peer
  equitopo reproduce consensus-one-peer --out runs/one-peer --resume
  equitopo reproduce mnist --data DIR
  equitopo reproduce cifar10 --data DIR --device gpu --precision mixed --seeds 1,2,3
`;

export async function act(names: readonly string[], options: Options): Promise<number> {
  const { ready, skipped } = withData(chooseExperiments(names), names.includes("all"), options);
  for (const { name, why } of skipped) process.stderr.write(`SKIPPED ${name}: ${why}\n`);
  const chosen = ready.map((one) => inPrecision(narrowed(one, options), options.precision));
  const scale: Scale = options.quick ? "quick" : "full";
  const { device, precision } = options;
  if (precision === "mixed" && device === undefined && options.take === undefined) {
    throw new InputError("--precision mixed is for a GPU", precision, "add --device gpu");
  }
  const units = chosen.flatMap((experiment) => experiment.units(scale));
  if (device !== undefined) await requireGpuUnits(units, device, options);
  const out = outFolder(options, `${names.join("+")}-${scale}`);
  const finished = await runToFolder(chosen, {
    ...{ scale, out, skipped, ...options },
    ...{ title: "The paper's experiments", lead: paperLead(scale), study: "@equitopo/experiments" },
    ...(device === undefined ? {} : { engine: gpuEngine(device) }),
  });
  const failed = finished.flatMap(({ outcome }) => outcome.checks.filter((check) => !check.pass));
  const text = () => finished.flatMap((one, k) => asText(one, k, options));
  await printAnswer({ ...asJson(finished, out), skipped }, text, options);
  note(`\nreport: ${join(out, "report.html")}`, options.json ? { quiet: true } : options);
  return failed.length > 0 ? 1 : 0;
}

function paperLead(scale: Scale): string {
  const size = scale === "quick" ? " on smaller sizes with fewer repeats (--quick)" : " at the paper's sizes";
  const title = "Communication-Efficient Topologies for Decentralized Learning with O(1) Consensus Rate";
  return `Experiments of “${title}”, run by equitopo${size}.`;
}

/** The experiment with the rows, seeds and epochs that were asked for. */
function narrowed(experiment: Study, options: Options): Experiment {
  const { epochs, rows, seeds, protocol, original, against } = options;
  if ([epochs, rows, seeds, protocol, original, against].every((value) => value === undefined)) return experiment;
  if (experiment.choose === undefined) {
    const can = experiments.filter(({ choose }) => choose !== undefined).map(({ name }) => name);
    const rule = `--epochs, --rows, --seeds, --protocol, --original and --against are for ${can.join(" and ")}`;
    throw new InputError(rule, experiment.name, "leave them out");
  }
  const chosen = {
    ...{ epochs, original, protocols: protocol && [protocol] },
    rows: rows?.split(",").map((row) => rowOf(experiment, row.trim())),
    seeds: seeds?.split(",").map((seed) => parseSeed(seed.trim())),
    against: against === undefined ? undefined : parseAgainst(readText(against), against),
  };
  return experiment.choose(defined(chosen));
}

const readText = (file: string) => readNamed(file, "the file of --against must be there").toString();

const parseSeed = integerOption("seeds", 0, 1);

function rowOf({ rows = [] }: Study, name: string): string {
  return rows.find((row) => row.toLowerCase() === name.toLowerCase()) ?? oneOf("a row", name, rows);
}

function chooseExperiments(names: readonly string[]): readonly Study[] {
  if (names.includes("all")) return experiments;
  for (const name of names) oneOf("an experiment", name, [...experiments.map((one) => one.name), "all"]);
  return experiments.filter(({ name }) => names.includes(name));
}

/** Those whose data is there. One that was asked for by name must have it; of `all`, the others are skipped. */
export function withData(chosen: readonly Study[], all: boolean, options: Options) {
  const skipped: Skipped[] = [];
  const ready = chosen.filter(({ name, needs }) => {
    // What is taken over from other folders needs no data; what is not says itself what it misses.
    if (needs === undefined || options.take !== undefined) return true;
    try {
      openData(needs, { ...contextOf(options), seed: 0 });
      return true;
    } catch (error) {
      if (!all || !(error instanceof InputError)) throw error;
      skipped.push({ name, why: `its data is not there. ${error.message}` });
      return false;
    }
  });
  return { ready, skipped };
}

const mark = ({ pass }: Check) => (pass ? "ok" : "FAILED");
const markTone = (text: string) => (text === "ok" ? "green" : "red");

/** The checks for a person; with --format the study's own tables, which the report has, come before them. */
function asText({ experiment, outcome }: Finished, k: number, { format }: FormatOptions): Part[] {
  const rows = outcome.checks.map((check) => [mark(check), check.name, check.expected, check.measured]);
  const title = `${experiment.name}: ${experiment.title}`;
  const columns = [{ ...left("held"), tone: markTone }, ...["check", "expected", "measured"].map(left)];
  const studies = format === undefined ? [] : (outcome.tables ?? []).map((one) => studyTable(one, String));
  return [`${k === 0 ? "" : "\n"}${title}\n\n`, ...studies, table(columns, rows, title)];
}

function asJson(finished: readonly Finished[], out: string): object {
  const checks = finished.flatMap(({ outcome }) => outcome.checks);
  return {
    out,
    passed: checks.every((check) => check.pass),
    experiments: finished.map(({ experiment, outcome }) => ({
      name: experiment.name,
      findings: outcome.findings ?? [],
      checks: outcome.checks,
      tables: outcome.tables,
      figures: outcome.figures.map(({ name }) => name),
    })),
  };
}
