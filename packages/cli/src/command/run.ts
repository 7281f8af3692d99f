/** `equitopo run`: the runs that a spec file describes, into a folder with curves, figures and a report. */

import { randomBytes } from "node:crypto";
import { basename, extname, join } from "node:path";
import { specExperiment } from "@equitopo/experiments";
import type { Command } from "commander";
import { expandSpec, InputError, type RunResult, type SpecDocument } from "equitopo";
import { divergedAt, holdsObjects } from "equitopo/run";
import { betweenOption, integerOption, numberOption } from "../arguments.ts";
import { goesOn, untilInterrupted } from "../interrupt.ts";
import { note, print } from "../output.ts";
import { isByHost, withHostsFile, withOneHost } from "../peers/by-host.ts";
import { tellLaunch } from "../peers/launch-summary.ts";
import { type PeerRunOptions, peerOptions } from "../peers/run-options.ts";
import { contextOf, dataVariable, watched } from "../run/context.ts";
import { outFolder } from "../run/fresh-folder.ts";
import { deviceHelp, deviceOption, gpuEngine, precisionOption, requireDevice, requireGpuUnits } from "../run/gpu.ts";
import { requireNames, runHere } from "../run/here.ts";
import { runUnits } from "../run/pool.ts";
import { runExperiments } from "../run/run-experiments.ts";
import { sayCost } from "../run/say-cost.ts";
import { resultText, summaryText } from "../run/summary.ts";
import type { Session } from "../session.ts";
import { readSpecFile } from "../spec-file.ts";
import { openReporter } from "../studio/reporter.ts";
import { reportingEngine } from "../studio/reporting.ts";
import { tellNotes } from "../topology-notes.ts";

interface Options extends PeerRunOptions {
  readonly out?: string;
  readonly resume?: true;
  readonly hosts?: string;
  readonly workers?: number;
  readonly data?: string;
  readonly alpha?: number;
  readonly beta?: number;
  readonly drop?: number;
  readonly device?: string;
  readonly precision?: "float32" | "mixed";
  readonly report?: string;
}

export function define(command: Command, session: Session): void {
  command
    .argument("<spec>", "a .yaml, .json or .mjs file (see equitopo guide spec)")
    .option("--out <DIR>", "folder for curves, figures and report.html (default: a new one in runs/)")
    .option("--resume", "go on with the interrupted run in --out")
    .option("--data <DIR>", `folder of the data sets that the spec names (or ${dataVariable})`)
    .option("--workers <W>", "worker threads (default: one per core); results do not depend on it", parseWorkers)
    .option(deviceOption, deviceHelp)
    .addOption(precisionOption())
    .option(
      "--transport <T>",
      "real peers on this machine over threads, tcp, threads-tcp or mpi, in place of the simulator",
    )
    .option("--hosts <FILE>", "where peers would be, for groups by host: one host:port a line, peer 0 first")
    .option("--peers <N>", "the number of peers: the spec's n", integerOption("peers", 2, 17))
    .option("--timeout <MS>", "peers: the longest an exchange takes (default 10000)", parseTimeout)
    .option("--drop <P>", "lose this share of the messages on purpose", betweenOption("drop", 0, 1, 0.05))
    .option("--overlap", "peers: send while the gradient is computed (combine-then-adapt only)")
    .option("--audit <K>", "peers: repair gradient tracking every K iterations", integerOption("audit", 2, 100))
    .option("--history <DIR>", "peers: write down what each applied, for equitopo verify --history DIR")
    .option("--log <FILE>", "peers: append what goes wrong, one JSON object a line (see equitopo guide cluster)")
    .option("--report <URL>", "tell a studio (the address that equitopo studio prints) what happens")
    .option("--alpha <S>", "seconds per message of the latency model (default 1e-4)", numberOption("alpha", 1e-4))
    .option("--beta <S>", "seconds per byte (default 8e-9)", numberOption("beta", 8e-9))
    .addHelpText(
      "after",
      `
The least a spec says, as JSON:
  {"topologies": [{"name": "ou-equidyn", "n": 17}], "algorithms": [{"name": "dsgt", "learningRate": 0.01}],
   "problem": {"name": "least-squares"}, "rounds": 200, "seeds": [5]}
Every combination is run for every seed; a list "runs" of { topology, algorithm } serves where each has its own rate.
Exit code 1 where a run diverged, where real peers never took part, and where most of their exchanges were void.
The folder also gets result.json, which --json prints: final metrics, bytes, seconds (and whether their clock is simulated,
by the latency model, or measured, by real peers), and the SHA-256 of each run's final rows.

Examples:
  equitopo run spec.yaml
  equitopo run spec.yaml --out runs/mine --json
  equitopo run spec.yaml --out runs/mine --resume
  equitopo run training.yaml --data DIR --device gpu
  equitopo run spec.yaml --peers 17 --transport threads
  equitopo run spec.yaml --peers 17 --transport tcp --timeout 500 --drop 0.05
  equitopo run spec.yaml --report 'http://127.0.0.1:4263/#token=...'
`,
    )
    .action(async (file: string, options: Options) => {
      const read = await readSpecFile(file);
      if (options.hosts !== undefined && !isByHost(read)) {
        const rule = "--hosts tells groups by host where peers are, and this spec has no such groups";
        throw new InputError(
          rule,
          options.hosts,
          "leave it out, or write hierarchy: { groups: by host } into the spec",
        );
      }
      const asked = withHostsFile(read, options.hosts);
      // Without a hosts file real peers are all here; a simulator has no hosts.
      const placed = options.transport === undefined ? asked : withOneHost(asked);
      const given = withDrop(withLatency(placed, options), options);
      const document = options.precision === undefined ? given : { ...given, precision: options.precision };
      for (const word of ["transport", "workers", "device"] as const) {
        if (options[word] !== undefined) requireNames(document, `--${word}`);
      }
      // Refuses what is wrong before any folder is made.
      const { context, sums } = watched(contextOf(options));
      const runs = expandSpec(document, context);
      requireDevice(runs, options.device);
      tellNotes(runs, options);
      const { verdict, ...peers } = peerOptions(runs, options);
      if (options.device !== undefined && options.transport !== undefined) {
        throw new InputError("--device is for the simulator", `--transport ${options.transport}`, "leave out one");
      }
      const mark = { ...peers.mark, ...(Object.keys(sums).length === 0 ? {} : { data: sums }) };
      const name = basename(file, extname(file));
      const title = document.title ?? name;
      if (options.device !== undefined) {
        await requireGpuUnits(
          runs.map((run) => ({ kind: "learning", key: run.label, run })),
          options.device,
          options,
        );
      }
      const simulated = options.transport === undefined && options.device === undefined && !holdsObjects(document);
      if (simulated && !options.resume) sayCost(runs, context, options);
      const reporter =
        options.report === undefined ? undefined : await openReporter(options.report, randomBytes(16).toString("hex"));
      const out = outFolder(options, name);
      const experiment = specExperiment({
        name: "run",
        title,
        paper: "Your own spec",
        shows: "",
        runs: () => runs,
        ...(options.transport === undefined ? {} : { seconds: "seconds measured, gradients included" }),
      });
      const how =
        options.device ?? (options.transport === undefined ? "the simulator" : `peers over ${options.transport}`);
      const engine =
        peers.engine ??
        (options.device !== undefined ? gpuEngine(options.device) : holdsObjects(document) ? runHere : runUnits);
      const summarise = (results: readonly RunResult[]) => resultText(document, results);
      const [{ results }] = await untilInterrupted(
        (signal) =>
          runExperiments([experiment], {
            scale: "full",
            out,
            signal,
            lead: `The runs of ${basename(file)}, by equitopo.`,
            extraFiles: ({ results }) => ({ "result.json": summarise([...results.values()] as RunResult[]) }),
            ...options,
            ...peers,
            ...(reporter === undefined ? { engine } : { engine: reportingEngine(engine, { reporter, title, how }) }),
            mark,
          }),
        goesOn(out),
      );
      const list = [...results.values()] as RunResult[];
      await print([options.json ? summarise(list) : `\n${title}\n\n${summaryText(list)}`]);
      for (const run of list) {
        const at = divergedAt(run);
        if (at === undefined) continue;
        session.exitCode = 1;
        note(`${run.label}, seed ${run.seed}: diverged by update ${at}; try a smaller learningRate`, options);
      }
      if (verdict !== undefined) session.exitCode = Math.max(session.exitCode, tellLaunch(list, verdict, options));
      if (!options.json) note(`\nreport: ${join(out, "report.html")}`, options);
    });
}

const parseTimeout = integerOption("timeout", 1, 1000);
const parseWorkers = integerOption("workers", 1, 2);

function withLatency(document: SpecDocument, { alpha, beta }: Options): SpecDocument {
  if (alpha === undefined && beta === undefined) return document;
  const latency = { alpha: 1e-4, beta: 8e-9, ...document.latency };
  return {
    ...document,
    latency: { ...latency, ...(alpha === undefined ? {} : { alpha }), ...(beta === undefined ? {} : { beta }) },
  };
}

function withDrop(document: SpecDocument, { drop }: Options): SpecDocument {
  return drop === undefined ? document : { ...document, faults: { ...document.faults, drop } };
}
