/** `equitopo run`: the runs that a spec file describes, into a folder with curves, figures and a report. */

import { randomBytes } from "node:crypto";
import { basename, extname, join } from "node:path";
import { expandSpec, InputError, type SpecDocument } from "equitopo";
import { defined } from "equitopo/internal/input";
import { divergedAt, holdsObjects } from "equitopo/internal/run";
import { lookFlags } from "../figure/files.ts";
import { outFolder } from "../folder/fresh-folder.ts";
import { addressIn, openReporter } from "../live/reporter.ts";
import { reportingEngine } from "../live/reporting.ts";
import { isByHost, withHostsFile, withOneHost } from "../peers/by-host.ts";
import { tellLaunch } from "../peers/peer-summary.ts";
import { type PeerRunOptions, peerFlags, peerOptions } from "../peers/run-options.ts";
import { contextOf, dataVariable, watched } from "../run/context.ts";
import { sayRunCost } from "../run/cost.ts";
import { requireDriver } from "../run/driver.ts";
import { deviceFlags, gpuEngine, requireGpuUnits } from "../run/gpu.ts";
import { requireNames, runHere } from "../run/here.ts";
import { runUnits } from "../run/pool.ts";
import { runDocument } from "../run/run-document.ts";
import { readSpecFile } from "../spec-file.ts";
import { type FormatOptions, formatFlag } from "../terminal/answer.ts";
import { type Given, number, on, seedsFlag, whole, word } from "../terminal/flags.ts";
import { note } from "../terminal/output.ts";
import { tellNotes } from "../topology/notes.ts";

export const flags = {
  out: word("<DIR>", "folder for curves, figures and report.html (default: a new one in runs/)"),
  resume: on("go on with the interrupted run in --out"),
  data: word("<DIR>", `folder of the data sets that the spec names (or ${dataVariable})`),
  workers: whole("<W>", "worker threads (default: one per core); results do not depend on it", 1, 2),
  ...deviceFlags,
  ...peerFlags,
  seeds: seedsFlag("run with each of these seeds, in place of the spec's"),
  report: word(
    "<URL>",
    "tell a studio what happens: the address that it printed, a file with it, env (EQUITOPO_STUDIO) or - (stdin)",
  ),
  alpha: number("<S>", "seconds per message of the latency model (default 1e-4)", 1e-4),
  beta: number("<S>", "seconds per byte (default 8e-9)", 8e-9),
  ...lookFlags,
  ...formatFlag,
};

interface Options extends PeerRunOptions, FormatOptions, Given<typeof flags> {}

export const words = { "<spec>": "a .yaml, .json or .mjs file (see equitopo guide spec)" };

export const help = `
The least a spec says, as JSON:
  {"topologies": [{"name": "ou-equidyn", "n": 17}], "algorithms": [{"name": "dsgt", "learningRate": 0.01}],
   "problem": {"name": "least-squares"}, "rounds": 200, "seeds": [5]}
Every combination is run for every seed; a list "runs" of { topology, algorithm } serves where each has its own rate.
Exit code 1 where a run diverged (a metric is no number any more, or the problem's main one, if it is an error, a loss or a
gradient's norm, ends above ten times its start), where real peers never took part, and where most of their exchanges were void.
The folder also gets result.json, which --json prints: final metrics, bytes, seconds (and whether their clock is simulated,
by the latency model, or measured, by real peers), and the SHA-256 of each run's final rows; of several seeds also
means, deviations (sd) and standard errors (se), and differences of runs, paired over seeds: their p is that of the exact
sign-flip test, and distinguishable is what holds at 0.05 by Holm's rule.

Examples:
  equitopo run spec.yaml
  equitopo run spec.yaml --out runs/mine --json
  equitopo run spec.yaml --out runs/mine --resume
  equitopo run spec.yaml --seeds 1..8                       means, standard errors, and what can be distinguished
  equitopo run training.yaml --data DIR --device gpu
  equitopo run spec.yaml --peers 17 --transport threads
  equitopo run spec.yaml --peers 17 --transport tcp --timeout 500 --drop 0.05
  equitopo run spec.yaml --report 'http://127.0.0.1:4263/#token=...'
`;

export async function act(file: string, options: Options): Promise<number> {
  const written = await readSpecFile(file);
  const read = options.seeds === undefined ? written : { ...written, seeds: options.seeds };
  if (options.hosts !== undefined && !isByHost(read)) {
    const rule = "--hosts tells groups by host where peers are, and this spec has no such groups";
    throw new InputError(rule, options.hosts, "leave it out, or write hierarchy: { groups: by host } into the spec");
  }
  const asked = withHostsFile(read, options.hosts);
  // Without a hosts file real peers are all here; a simulator has no hosts.
  const placed = options.transport === undefined ? asked : withOneHost(asked);
  const document = asAsked(placed, options);
  if (options.workers !== undefined) requireNames(document, "--workers");
  // Refuses what is wrong before any folder is made.
  const { context, sums } = watched(contextOf(options));
  const runs = expandSpec(document, context);
  requireDriver(runs, { ...options, objects: holdsObjects(document) });
  tellNotes(runs, options);
  const { verdict, ...peers } = peerOptions(runs, options);
  if (options.device !== undefined && options.transport !== undefined) {
    throw new InputError("--device is for the simulator", `--transport ${options.transport}`, "leave out one");
  }
  const mark = { ...peers.mark, ...(Object.keys(sums).length === 0 ? {} : { data: sums }) };
  const name = basename(file, extname(file));
  const title = document.title ?? name;
  const units = runs.map((run) => ({ kind: "learning", key: run.label, run }) as const);
  if (options.device !== undefined) await requireGpuUnits(units, options.device, options);
  const simulated = options.transport === undefined && options.device === undefined && !holdsObjects(document);
  if (simulated && !options.resume) sayRunCost(runs, options);
  const studio = options.report === undefined ? undefined : await addressIn(options.report, "report");
  const reporter = studio === undefined ? undefined : await openReporter(studio, randomBytes(16).toString("hex"));
  const out = outFolder(options, name);
  const how = options.device ?? (options.transport === undefined ? "the simulator" : `peers over ${options.transport}`);
  const engine =
    peers.engine ??
    (options.device !== undefined ? gpuEngine(options.device) : holdsObjects(document) ? runHere : runUnits);
  const list = await runDocument(
    { document, runs, title, real: options.transport !== undefined },
    {
      ...{ out, lead: `The runs of ${basename(file)}, by equitopo.` },
      ...options,
      ...peers,
      ...(reporter === undefined ? { engine } : { engine: reportingEngine(engine, { reporter, title, how }) }),
      mark,
    },
  );
  const diverged = list.filter((run) => divergedAt(run) !== undefined);
  for (const run of diverged) {
    note(`${run.label}, seed ${run.seed}: diverged by update ${divergedAt(run)}; try a smaller learningRate`, options);
  }
  let code = diverged.length > 0 ? 1 : 0;
  if (verdict !== undefined) code = Math.max(code, tellLaunch(list, verdict, options));
  if (!options.json) note(`\nreport: ${join(out, "report.html")}`, options);
  return code;
}

/** The spec with the command line's latency and precision in it; unchanged if the command line has neither. */
function asAsked(document: SpecDocument, { alpha, beta, drop, precision }: Options): SpecDocument {
  const timed = alpha !== undefined || beta !== undefined;
  const latency = timed ? { alpha: 1e-4, beta: 8e-9, ...document.latency, ...defined({ alpha, beta }) } : undefined;
  const faults = drop === undefined ? undefined : { ...document.faults, drop };
  const given = defined({ latency, faults, precision });
  return Object.keys(given).length === 0 ? document : { ...document, ...given };
}
