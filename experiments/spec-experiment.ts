/**
 * A spec as an experiment: every run of the document a unit of work, every metric a figure against updates done, bytes
 * sent and simulated seconds, because that is what users pay. What `equitopo run` does, and what the learning
 * experiments are made of: a spec plus checks.
 */

import type { RunResult, RunSpec } from "equitopo";
import { bandOf } from "./curves.ts";
import type { Check, Experiment, Figure, Panel, Results, Scale, Series, Table } from "./experiment.ts";
import type { LearningUnit } from "./unit.ts";

export interface SpecExperiment extends Pick<Experiment, "name" | "title" | "paper" | "shows"> {
  /** The spec's runs, expanded. */
  runs(scale: Scale): readonly RunSpec[];
  readonly parameters?: Readonly<Record<string, string>>;
  /** The metric whose figure is wanted; all of them where left out. */
  readonly metric?: string;
  /** Labels of one group make a figure of their own. */
  group?(label: string): string;
  /** How the label of a curve reads, given its results. */
  legend?(label: string, results: readonly RunResult[]): string;
  checks?(byLabel: ReadonlyMap<string, readonly RunResult[]>): readonly Check[];
  readonly caption?: string;
  /** What `seconds` are, where they were measured and not simulated. */
  readonly seconds?: string;
  readonly notes?: readonly string[];
}

const keyOf = (run: RunSpec, at: number) => `${at}: ${run.label} seed=${run.seed}`;

export function specExperiment(experiment: SpecExperiment): Experiment {
  // A spec is expanded once: everything below is handed the same runs.
  const expanded = new Map<Scale, readonly RunSpec[]>();
  const runsOf = (scale: Scale) => {
    const runs = expanded.get(scale) ?? experiment.runs(scale);
    expanded.set(scale, runs);
    return runs;
  };
  return {
    name: experiment.name,
    title: experiment.title,
    paper: experiment.paper,
    shows: experiment.shows,
    parameters: (scale) => ({ ...experiment.parameters, ...parametersOf(runsOf(scale)) }),
    units: (scale) => runsOf(scale).map((run, at): LearningUnit => ({ kind: "learning", key: keyOf(run, at), run })),
    outcome(results, scale) {
      const byLabel = groupByLabel(results, runsOf(scale));
      const metrics = experiment.metric === undefined ? metricsOf(byLabel) : [experiment.metric];
      const groups = new Set([...byLabel.keys()].map((label) => experiment.group?.(label) ?? ""));
      return {
        figures: [...groups].flatMap((group) => {
          const members = new Map([...byLabel].filter(([label]) => (experiment.group?.(label) ?? "") === group));
          return metrics.map((metric) => figureOf(experiment, members, metric, group, metrics.length > 1));
        }),
        tables: [finalTable(byLabel, experiment.seconds ?? "simulated seconds")],
        checks: experiment.checks?.(byLabel) ?? [],
        ...(experiment.notes === undefined ? {} : { notes: experiment.notes }),
      };
    },
  };
}

function parametersOf(runs: readonly RunSpec[]): Record<string, string> {
  const distinct = (values: readonly unknown[]) => [...new Set(values.map((value) => JSON.stringify(value)))];
  const { name, ...options } = runs[0].problem;
  return {
    problem: `${name} ${JSON.stringify({ ...options, seed: undefined })}`,
    n: distinct(runs.map((run) => run.topology.n)).join(", "),
    updates: distinct(runs.map((run) => run.rounds)).join(", "),
    algorithms: distinct(runs.map((run) => run.algorithm)).join(" "),
    seeds: distinct(runs.map((run) => run.seed)).join(", "),
  };
}

function groupByLabel(results: Results, runs: readonly RunSpec[]): Map<string, RunResult[]> {
  const groups = new Map<string, RunResult[]>();
  runs.forEach((run, at) => {
    const result = results.get(keyOf(run, at)) as RunResult;
    groups.set(run.label, [...(groups.get(run.label) ?? []), result]);
  });
  return groups;
}

/** All metrics, the one that the problem is about first, then what evaluations found. */
function metricsOf(byLabel: ReadonlyMap<string, readonly RunResult[]>): string[] {
  const [first] = [...byLabel.values()][0];
  const names = [...Object.keys(first.metrics), ...Object.keys(first.evaluations?.metrics ?? {})];
  return [...new Set([first.metric, ...names])].filter((name) => valuesOf(first, name).length > 0);
}

/** A metric's values, recorded along the way or found by evaluations. */
function valuesOf(run: RunResult, metric: string): readonly number[] {
  return run.metrics[metric] ?? run.evaluations?.metrics[metric] ?? [];
}

/** What `list` says at the updates at which the metric was taken. */
function whereTaken(run: RunResult, metric: string, list: readonly number[]): readonly number[] {
  if (run.metrics[metric] !== undefined || run.evaluations === undefined) return list;
  return run.evaluations.updates.map((updates) => list[run.updates.indexOf(updates)]);
}

/** Accuracies and other fractions are read on a linear axis: a logarithm would squeeze what matters. */
const isFraction = (metric: string) => /accuracy/i.test(metric);

/** Costs differ by orders of magnitude between a one-peer and a complete graph: their axes are logarithmic. */
const axes = [
  { title: "updates", xLabel: "updates done", xLog: false, of: (run: RunResult) => run.updates },
  { title: "bytes", xLabel: "bytes sent per node", xLog: true, of: (run: RunResult) => run.bytes },
  { title: "seconds", xLabel: "simulated seconds of communication", xLog: true, of: (run: RunResult) => run.seconds },
] as const;

function figureOf(
  experiment: SpecExperiment,
  byLabel: ReadonlyMap<string, readonly RunResult[]>,
  metric: string,
  group: string,
  several: boolean,
): Figure {
  const parts = [...(group === "" ? [] : [group]), ...(several ? [words(metric)] : [])];
  const panels = axes.map(
    ({ title, xLabel, xLog, of }): Panel => ({
      title: `against ${title}`,
      xLabel: title === "seconds" ? (experiment.seconds ?? xLabel) : xLabel,
      xLog,
      yLabel: words(metric),
      yLog: !isFraction(metric),
      series: [...byLabel].map(([label, runs]): Series => {
        const band = bandOf(
          experiment.legend?.(label, runs) ?? label,
          runs.map((run) => valuesOf(run, metric)),
        );
        const x = whereTaken(runs[0], metric, of(runs[0])).slice(0, band.mean.length);
        return { ...band, x, topology: runs[0].topology };
      }),
    }),
  );
  return {
    name: [experiment.name, ...parts.map((part) => part.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-"))].join("-"),
    title: [experiment.title, ...parts].join(": "),
    caption: experiment.caption ?? "Mean over seeds, band from the lowest to the highest.",
    panels,
  };
}

/** relativeError -> relative error. */
function words(metric: string): string {
  return metric.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function finalTable(byLabel: ReadonlyMap<string, readonly RunResult[]>, seconds: string): Table {
  const metrics = metricsOf(byLabel);
  const last = (list: readonly number[]) => list[list.length - 1];
  const grouped = [...byLabel.values()].some((runs) => runs[0].between !== undefined);
  const rows = [...byLabel].map(([label, runs]) => [
    label,
    runs[0].degree,
    runs[0].rate,
    ...metrics.map((metric) => runs.reduce((sum, run) => sum + last(valuesOf(run, metric)), 0) / runs.length),
    last(runs[0].bytes),
    ...(grouped ? [runs[0].between === undefined ? null : last(runs[0].between)] : []),
    last(runs[0].seconds),
  ]);
  const between = grouped ? ["bytes between machines, of the busiest"] : [];
  return {
    name: "final",
    title: "After the last update, mean over seeds",
    columns: ["run", "degree", "exact rate", ...metrics.map(words), "bytes per node", ...between, seconds],
    rows,
  };
}
