/** Experiments from their units of work to a folder with curves, figures and a report. */

import { InputError } from "equitopo";
import { defined } from "equitopo/internal/input";
import { folderFormat } from "equitopo/internal/run";
import type { Experiment, Outcome, Results, Scale, Unit } from "equitopo/outcome";
import type { Look } from "../figure/files.ts";
import { curveRows, tableRows } from "../figure/rows.ts";
import { wholeFigure } from "../figure/whole.ts";
import { fileName, openRunFolder, type RunFolder } from "../folder/run-folder.ts";
import { experimentSection, findingsAbove, notRun, type Skipped } from "../report/experiment-section.ts";
import { report, type Section } from "../report/report.ts";
import { goesOn, untilInterrupted } from "../terminal/interrupt.ts";
import { progressBar } from "../terminal/progress.ts";
import { packageVersion } from "../version.ts";
import { type PoolOptions, runUnits } from "./pool.ts";
import { takeOver } from "./take-over.ts";

export interface Finished {
  readonly experiment: Experiment;
  readonly results: Results;
  readonly outcome: Outcome;
  readonly headline?: string;
}

export interface RunOptions extends Look, Pick<PoolOptions, "workers" | "data" | "study" | "onEvaluation"> {
  readonly scale: Scale;
  readonly out: string;
  readonly resume?: true;
  /** Folders of other runs, whose finished units of the same content are taken over. */
  readonly take?: readonly string[];
  readonly quiet?: true;
  readonly signal: AbortSignal;
  /** Whether the runs never began, where they fail or are interrupted: then the folder is as it was before. */
  readonly inVain?: () => boolean;
  /** What the report is about: its title where there are several experiments, and a sentence. */
  readonly title?: string;
  readonly lead: string;
  /** Who does the units; the pool of worker threads where left out. */
  readonly engine?: typeof runUnits;
  /** What else belongs to the spec of the run folder. */
  readonly mark?: Readonly<Record<string, unknown>>;
  /** Experiments that were asked for and could not be run, and why: the report says so. */
  readonly skipped?: readonly Skipped[];
  /** What else is to be said of an experiment's results: a headline, more tables. */
  readonly compare?: (finished: Finished) => Promise<Comparison>;
  readonly extraFiles?: (finished: Finished) => ExtraFiles | Promise<ExtraFiles>;
}

/** What results are beside others, such as real peers' beside a simulation's. */
export type Comparison = Pick<Outcome, "tables"> & Pick<Finished, "headline">;

type ExtraFiles = Readonly<Record<string, string | Uint8Array>>;

/** The same until Ctrl-C, which says how the folder is gone on with. */
export const runToFolder = (
  experiments: readonly Experiment[],
  options: Omit<RunOptions, "signal">,
  farewell: string | (() => string) = goesOn(options.out),
): Promise<Finished[]> => untilInterrupted((signal) => runExperiments(experiments, { ...options, signal }), farewell);

/** Two experiments may have units of the same key. */
const keyOf = (experiment: Experiment, unit: Unit) => `${experiment.name}: ${unit.key}`;

export async function runExperiments(experiments: readonly Experiment[], options: RunOptions): Promise<Finished[]> {
  const { scale, out, signal, workers, data, study } = options;
  const plan = experiments.flatMap((experiment) =>
    experiment.units(scale).map((unit) => ({ key: keyOf(experiment, unit), unit })),
  );
  const spec = {
    format: folderFormat,
    experiments: experiments.map(({ name }) => name),
    scale,
    units: plan,
    ...options.mark,
  };
  const taken = takeOver(plan, options.take ?? []);
  const folder = await openRunFolder(out, {
    ...{ spec, version: packageVersion(), resume: options.resume ?? false, taken: taken.versions },
  });
  for (const [key, result] of taken.results) if (!folder.journal.finished(key)) await folder.journal.store(key, result);
  const missing = plan.filter(({ key }) => !folder.journal.finished(key));
  let done = plan.length - missing.length;
  const bar = progressBar({ label: experiments[0].name, total: plan.length, done, quiet: options.quiet ?? false });
  const shares = new Map<Unit, number>();
  const keys = new Map(missing.map(({ key, unit }) => [unit, key]));
  const engine = missing.length === 0 ? nothing : (options.engine ?? runUnits);
  await engine(
    missing.map(({ unit }) => unit),
    {
      ...defined({ signal, workers, data, study, onEvaluation: options.onEvaluation }),
      checkpointOf: (unit) => folder.checkpoint(keys.get(unit)!),
      onFile: (unit, name, bytes) =>
        folder.write(plan.length === 1 ? name : `${fileName(keys.get(unit)!)}-${name}`, bytes),
      onProgress(unit, share) {
        shares.set(unit, share);
        bar.update(done + [...shares.values()].reduce((sum, one) => sum + one, 0), unit.key);
      },
      async onResult(unit, result) {
        await folder.journal.store(keys.get(unit)!, result);
        shares.delete(unit);
        bar.update(++done, unit.key);
      },
    },
  )
    .catch(async (error) => {
      const inVain = error instanceof InputError || options.inVain?.() === true;
      if (inVain && !options.resume) await folder.withdraw();
      throw error;
    })
    .finally(() => bar.end());
  const finished: Finished[] = [];
  for (const experiment of experiments) {
    const results = new Map<string, unknown>();
    for (const unit of experiment.units(scale))
      results.set(unit.key, await folder.journal.load(keyOf(experiment, unit)));
    const bare = { experiment, results, outcome: experiment.outcome(results, scale) };
    const { tables: more = [], headline } = (await options.compare?.(bare)) ?? {};
    const outcome = { ...bare.outcome, tables: [...bare.outcome.tables, ...more] };
    const one = { ...bare, outcome, ...(headline === undefined ? {} : { headline }) };
    for (const [name, text] of Object.entries((await options.extraFiles?.(one)) ?? {})) await folder.write(name, text);
    finished.push(one);
  }
  await writeResults(folder, finished, options);
  return finished;
}

/** Who does no units at all needs no threads and no device. */
const nothing: typeof runUnits = () => Promise.resolve();

async function writeResults(folder: RunFolder, finished: readonly Finished[], options: RunOptions): Promise<void> {
  const { scale, title = "", lead, skipped = [] } = options;
  const sections: Section[] = [];
  for (const { experiment, outcome } of finished) {
    for (const figure of outcome.figures) {
      await folder.figure(figure.name, wholeFigure(figure, options));
      await folder.curves(figure.name, curveRows(figure));
    }
    for (const { figure } of outcome.unshown ?? []) await folder.curves(figure.name, curveRows(figure));
    for (const { name, columns, rows, spread } of outcome.tables) {
      const all = spread === undefined ? rows : rows.map((row, k) => [...row, ...spread.rows[k]]);
      await folder.curves(`${experiment.name}-${name}`, tableRows([...columns, ...(spread?.columns ?? [])], all));
    }
    sections.push(experimentSection(experiment, outcome, scale, finished.length > 1));
  }
  if (skipped.length > 0) sections.push(notRun(skipped));
  const headline = finished.find((one) => one.headline !== undefined)?.headline;
  const content = {
    title: finished.length === 1 ? finished[0].experiment.title : title,
    ...{ lead, sections, versions: { ...folder.versions }, findings: findingsAbove(finished, skipped) },
    ...(headline === undefined ? {} : { headline }),
  };
  await folder.write("report.html", report(content));
  await folder.finish();
}
