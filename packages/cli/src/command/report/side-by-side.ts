/**
 * Runs of several folders side by side: one figure for each metric that all of them have, one table of how they ended,
 * what their specs have in common and what sets them apart. Pure, from what the folders hold.
 */

import { InputError, type RunResult, type RunSpec } from "equitopo";
import * as outcome from "equitopo/internal/outcome";
import type { FolderContent } from "equitopo/run";
import { figureInPieces, wholeFigure } from "../../figure/whole.ts";
import type { Block, Section } from "../../report/report.ts";

export interface NamedFolder {
  /** What its runs are called after. */
  readonly name: string;
  readonly content: FolderContent;
  /** Files of its numbers, as the report can link to them. */
  readonly csv?: readonly string[];
}

export type SideBySide = ReturnType<typeof sideBySide>;

type Result = RunResult & { readonly real?: object };

type Done = ReturnType<typeof finishedRuns>[number];

/** O(what was recorded). */
export function sideBySide(folders: readonly NamedFolder[]) {
  const done = folders.flatMap(finishedRuns);
  const byLabel = new Map<string, Result[]>();
  for (const { run, result } of done) byLabel.set(run.label, [...(byLabel.get(run.label) ?? []), result]);
  const metrics = commonMetrics(byLabel, folders);
  const seconds = secondsOf(done);
  const parameters = outcome.parametersOf(done.map(({ run }) => run));
  const [metric] = metrics;
  // Who is best is a question only where all runs are after the same thing.
  const comparable = done.every(
    ({ run, result }) => result.metric === metric && run.problem.name === done[0].run.problem.name,
  );
  const ranked = comparable ? outcome.findingsOf(byLabel, metric) : [];
  const findings = [...ranked, ...sameRows(done), ...cautions(folders, parameters)];
  const final = tableOf(byLabel, metrics, seconds);
  const title = `${outcome.listed(folders.map(({ name }) => name))}, side by side`;
  const figures = metrics.flatMap((name) =>
    outcome.specFigures({ name: "side-by-side", title, metric: name, seconds }, byLabel),
  );
  const blocks: Block[] = [];
  for (const [k, figure] of figures.entries()) {
    const why = outcome.uselessBecause(figure, k === 0);
    if (why !== undefined) {
      blocks.push({ kind: "text", text: why });
      continue;
    }
    const shown = { ...figure, panels: outcome.distinctPanels(figure.panels) };
    const { keys, panels } = figureInPieces(shown);
    const { yLabel } = figure.panels[0];
    blocks.push({
      ...{ kind: "figure", name: `side-by-side-${k + 1}`, title: yLabel, caption: figure.caption },
      ...{ svg: wholeFigure({ ...shown, title: `${title}: ${yLabel}` }), shown: panels, keys },
    });
  }
  blocks.push({ kind: "table", caption: final.title, columns: final.columns, rows: final.rows });
  const lead = `Runs of ${folders.length} folders, by equitopo.`;
  const report = { title, lead, findings, sections: [{ title: "Results", blocks }, ...rest(folders, parameters)] };
  return { findings, metrics, parameters, final, report };
}

/** The finished runs of a folder, called after it where several folders have such runs. */
function finishedRuns({ name, content }: NamedFolder) {
  const { spec, results } = content;
  const units = spec.units.filter(({ unit }) => unit.kind === "learning");
  if (units.length === 0) {
    const kinds = [...new Set(spec.units.map(({ unit }) => unit.kind))].join(", ");
    const remedy = "name folders of equitopo run or train";
    throw new InputError("report compares runs of algorithms", `${name}, which holds ${kinds || "nothing"}`, remedy);
  }
  const finished = units.filter(({ key }) => results.has(key));
  if (finished.length === 0) {
    throw new InputError("report needs runs that are finished", name, "finish it with --resume");
  }
  const labels = new Set(finished.map(({ unit }) => (unit["run"] as RunSpec).label));
  const {
    format: _f,
    experiments: _e,
    scale: _s,
    units: _u,
    data: _d,
    ...marks
  } = spec as typeof spec & { data?: object };
  return finished.map(({ key, unit }) => {
    const run = unit["run"] as RunSpec;
    const label = labels.size === 1 ? name : `${name}: ${run.label}`;
    const result: Result = { ...(results.get(key) as Result), label };
    // What belongs to the folder and not to a run (real peers and their transport) sets its runs apart, too.
    return { folder: name, called: run.label, run: { ...marks, ...run, label }, result };
  });
}

function commonMetrics(byLabel: outcome.ByLabel, folders: readonly NamedFolder[]): string[] {
  const lists = [...byLabel].map(([label, runs]) => outcome.metricsOf(new Map([[label, runs]])));
  const common = lists[0].filter((name) => lists.every((list) => list.includes(name)));
  if (common.length > 0) return common;
  const names = folders.map(({ name }) => name).join(", ");
  throw new InputError("report needs runs with a metric in common", names, "compare runs of the same kind of problem");
}

/** What seconds are: a model's, a clock's, or one in some runs and the other in the rest. */
function secondsOf(done: readonly Done[]): string {
  const measured = done.filter(({ result }) => result.real !== undefined);
  if (measured.length === 0) return "simulated seconds of communication";
  if (measured.length === done.length) return "seconds measured, gradients included";
  const names = [...new Set(measured.map(({ folder }) => folder))];
  return `seconds: measured in ${outcome.listed(names)}, elsewhere simulated`;
}

function tableOf(byLabel: outcome.ByLabel, metrics: readonly string[], seconds: string): outcome.Table {
  const only = new Map(
    [...byLabel].map(([label, runs]) => [
      label,
      runs.map((run) => {
        const { metrics: own, evaluations, ...rest } = run;
        const chosen = (all: RunResult["metrics"]) =>
          Object.fromEntries(Object.entries(all).filter(([name]) => metrics.includes(name)));
        const tried = evaluations && { evaluations: { ...evaluations, metrics: chosen(evaluations.metrics) } };
        return { ...rest, metric: metrics[0], metrics: chosen(own), ...tried };
      }),
    ]),
  );
  return outcome.finalTable(only, seconds);
}

/** Runs of one label and seed that ended with the same bits in several folders. */
function sameRows(done: readonly Done[]): string[] {
  const groups = new Map<string, Set<string>>();
  for (const { folder, called, result } of done) {
    const key = `${called} ${result.seed} ${result.stateHash}`;
    groups.set(key, (groups.get(key) ?? new Set()).add(folder));
  }
  const shared = [...groups.values()].filter(({ size }) => size > 1);
  if (shared.length === 0) return [];
  const folders = [...new Set(shared.flatMap((group) => [...group]))];
  const runs = shared.length === 1 ? "One run ends" : `${shared.length} runs end`;
  return [`${runs} with the same rows, bit for bit, in ${outcome.listed(folders)}.`];
}

/** What makes a comparison less than it seems. */
function cautions(folders: readonly NamedFolder[], { differing }: outcome.Parameters): string[] {
  const problem = (differing?.columns ?? []).filter((name) => name.startsWith("problem"));
  const open = folders.filter(({ content: { spec, results } }) => results.size < spec.units.length);
  return [
    ...(problem.length === 0
      ? []
      : [`The runs differ in their problem (${outcome.listed(problem)}): their metrics are not of the same data.`]),
    ...open.map(({ name, content: { spec, results } }) => {
      return `${name} is not finished: ${results.size} of ${spec.units.length} units of work are here.`;
    }),
  ];
}

function rest(folders: readonly NamedFolder[], { common, differing }: outcome.Parameters): Section[] {
  const apart: Block = differing
    ? { kind: "table", caption: "What sets the runs apart", ...differing }
    : { kind: "text", text: "The specs of these runs differ in nothing but their seeds." };
  const versions = folders.map(({ name, content }) => [name, content.versions] as const);
  return [
    {
      title: "What differs, and what does not",
      blocks: [apart, { kind: "heading", text: "Common to all runs" }, { kind: "parameters", values: common }],
    },
    {
      title: "The folders",
      blocks: [
        ...folders.flatMap(({ name, csv = [] }): Block[] =>
          csv.length === 0 ? [] : [{ kind: "files", text: `Numbers of ${name}:`, files: csv }],
        ),
        { kind: "parameters", values: Object.fromEntries(versions) },
      ],
    },
  ];
}
