/** `equitopo reproduce`: the paper's experiments, each held against what must come out. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Check, type Experiment, experiments, parseAgainst, type Scale } from "@equitopo/experiments";
import { openData } from "@equitopo/nn";
import { type Command, Option } from "commander";
import { InputError } from "equitopo";
import { nearest } from "equitopo/input";
import { integerOption } from "../arguments.ts";
import { goesOn, untilInterrupted } from "../interrupt.ts";
import { note, print, printJson } from "../output.ts";
import type { Skipped } from "../report/experiment-section.ts";
import { contextOf, dataVariable } from "../run/context.ts";
import { outFolder } from "../run/fresh-folder.ts";
import { deviceHelp, deviceOption, gpuEngine, inPrecision, precisionOption, requireGpuUnits } from "../run/gpu.ts";
import { type Finished, runExperiments } from "../run/run-experiments.ts";
import type { CommonOptions, Session } from "../session.ts";
import { table } from "../table.ts";

interface Options extends CommonOptions {
  readonly quick?: true;
  readonly out?: string;
  readonly resume?: true;
  readonly take?: readonly string[];
  readonly workers?: number;
  readonly data?: string;
  readonly device?: string;
  readonly precision?: "float32" | "mixed";
  readonly epochs?: number;
  readonly rows?: string;
  readonly seeds?: string;
  readonly protocol?: "corrected" | "as-run";
  readonly original?: true;
  readonly against?: string;
}

export function define(command: Command, session: Session): void {
  command
    .argument("<names...>", "experiments, or all")
    .option("--quick", "smaller sizes and fewer repeats, for a first look")
    .option("--out <DIR>", "folder for curves, figures and report.html (default: a new one in runs/)")
    .option("--resume", "go on with the interrupted run in --out")
    .option("--take <DIR...>", "folders of other runs, whose finished units of the same content are taken over")
    .option("--data <DIR>", `folder of the data set that an experiment needs (or ${dataVariable})`)
    .option(deviceOption, deviceHelp)
    .addOption(precisionOption())
    .option(
      "--epochs <E>",
      "mnist, cifar10: passes over the data (default the paper's)",
      integerOption("epochs", 1, 20),
    )
    .option("--rows <LIST>", "mnist, cifar10: some of the table's rows, separated by commas")
    .option("--seeds <LIST>", "mnist, cifar10: seeds, separated by commas (default 1)")
    .addOption(new Option("--protocol <P>", "mnist, cifar10: one of the two only").choices(["corrected", "as-run"]))
    .option("--original", "cifar10: the images are the original ones, so the paper's figures must come out")
    .option("--against <FILE>", "cifar10: another program's accuracies of centralised SGD (JSON), to be held against")
    .option("--workers <W>", "worker threads (default: one a core); results do not depend on it", parseWorkers)
    .addHelpText(
      "after",
      `
Experiments:
${experiments.map(({ name, title, paper }) => `  ${name.padEnd(30)}${title} (${paper})`).join("\n")}

Each check is printed as expected against measured; the exit code is 1 if one of them fails. The folder holds the spec,
the versions, every curve as NDJSON and CSV, every figure as SVG and PNG, and report.html with all of it to read.
An interrupted run loses nothing that was finished: --resume goes on.

Examples:
  equitopo reproduce all --quick
  equitopo reproduce consensus-one-peer --out runs/one-peer
  equitopo reproduce consensus-one-peer --out runs/one-peer --resume
  equitopo reproduce mnist --data DIR
  equitopo reproduce cifar10 --data DIR --device gpu --precision mixed --seeds 1,2,3
`,
    )
    .action(async (names: readonly string[], options: Options) => {
      const { ready, skipped } = withData(chooseExperiments(names), names.includes("all"), options);
      for (const { name, why } of skipped) process.stderr.write(`SKIPPED ${name}: ${why}\n`);
      const chosen = ready.map((one) => inPrecision(narrowed(one, options), options.precision));
      const scale: Scale = options.quick ? "quick" : "full";
      const { device, precision } = options;
      if (precision === "mixed" && device === undefined && options.take === undefined) {
        throw new InputError("--precision mixed is for a GPU", precision, "add --device gpu");
      }
      if (device !== undefined) {
        await requireGpuUnits(
          chosen.flatMap((experiment) => experiment.units(scale)),
          device,
          options,
        );
      }
      const out = outFolder(options, `${names.join("+")}-${scale}`);
      const finished = await untilInterrupted(
        (signal) =>
          runExperiments(chosen, {
            ...{ scale, out, signal, skipped, ...options },
            ...(device === undefined ? {} : { engine: gpuEngine(device) }),
          }),
        goesOn(out),
      );
      const failed = finished.flatMap(({ outcome }) => outcome.checks.filter((check) => !check.pass));
      session.exitCode = failed.length > 0 ? 1 : 0;
      if (options.json) await printJson({ ...asJson(finished, out), skipped });
      else await print([finished.map(asText).join("\n")]);
      note(`\nreport: ${join(out, "report.html")}`, options.json ? { quiet: true } : options);
    });
}

/** The experiment with the rows, seeds and epochs that were asked for. */
function narrowed(experiment: Experiment, options: Options): Experiment {
  const { epochs, rows, seeds, protocol, original, against } = options;
  if ([epochs, rows, seeds, protocol, original, against].every((value) => value === undefined)) return experiment;
  if (experiment.choose === undefined) {
    const can = experiments.filter(({ choose }) => choose !== undefined).map(({ name }) => name);
    throw new InputError(
      `--epochs, --rows, --seeds, --protocol, --original and --against are for ${can.join(" and ")}`,
      experiment.name,
      "leave them out",
    );
  }
  return experiment.choose({
    ...(epochs === undefined ? {} : { epochs }),
    ...(rows === undefined ? {} : { rows: rows.split(",").map((row) => rowOf(experiment, row.trim())) }),
    ...(seeds === undefined ? {} : { seeds: seeds.split(",").map((seed) => parseSeed(seed.trim())) }),
    ...(protocol === undefined ? {} : { protocols: [protocol] }),
    ...(original === undefined ? {} : { original }),
    ...(against === undefined ? {} : { against: parseAgainst(readText(against), against) }),
  });
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new InputError("the file of --against must be there", (error as Error).message, "check its name");
  }
}

const parseSeed = integerOption("seeds", 0, 1);

function rowOf({ rows = [] }: Experiment, name: string): string {
  const found = rows.find((row) => row.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  const near = nearest(name, rows);
  throw new InputError(
    `a row must be one of ${rows.join(", ")}`,
    name,
    near === undefined ? "choose one of them" : `did you mean ${near}?`,
  );
}

const parseWorkers = integerOption("workers", 1, 2);

function chooseExperiments(names: readonly string[]): readonly Experiment[] {
  if (names.includes("all")) return experiments;
  const known = experiments.map(({ name }) => name);
  for (const name of names) {
    if (known.includes(name)) continue;
    const near = nearest(name, [...known, "all"]);
    throw new InputError(
      `an experiment must be one of ${known.join(", ")}, or all`,
      name,
      near === undefined ? "choose one of them" : `did you mean ${near}?`,
    );
  }
  return experiments.filter(({ name }) => names.includes(name));
}

/** Those whose data is there. One that was asked for by name must have it; of `all`, the others are skipped. */
export function withData(
  chosen: readonly Experiment[],
  all: boolean,
  options: Options,
): { readonly ready: readonly Experiment[]; readonly skipped: readonly Skipped[] } {
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

function asText({ experiment, outcome }: Finished): string {
  const columns = ["", "check", "expected", "measured"].map((title) => ({ title, align: "left" }) as const);
  const rows = outcome.checks.map((check) => [mark(check), check.name, check.expected, check.measured]);
  return `${experiment.name}: ${experiment.title}\n\n${table(columns, rows)}`;
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
