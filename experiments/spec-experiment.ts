/**
 * A spec as an experiment: every run of the document a unit of work, every metric a figure. What `equitopo run` does, and
 * what the learning experiments are made of: a spec plus checks.
 */

import type { RunResult, RunSpec } from "equitopo";
import type { Check, Experiment, Scale, Table } from "./experiment.ts";
import { findingsOf } from "./findings.ts";
import { parametersOf } from "./parameters.ts";
import { type SpecFigures, specFigures } from "./spec-figures.ts";
import { type ByLabel, firstDiverged, groupByLabel, metricsOf, runKey, valuesOf, words } from "./spec-panels.ts";
import type { LearningUnit } from "./unit.ts";
import { distinctPanels, uselessBecause } from "./worth-showing.ts";

export interface SpecExperiment extends Pick<Experiment, "name" | "title" | "paper" | "shows">, SpecFigures {
  /** The spec's runs, expanded. */
  runs(scale: Scale): readonly RunSpec[];
  readonly parameters?: Readonly<Record<string, string>>;
  checks?(byLabel: ByLabel): readonly Check[];
  readonly notes?: readonly string[];
}

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
    parameters: (scale) => ({ ...experiment.parameters, ...parametersOf(runsOf(scale)).common }),
    differing: (scale) => parametersOf(runsOf(scale)).differing,
    units: (scale) => runsOf(scale).map((run, at): LearningUnit => ({ kind: "learning", key: runKey(run, at), run })),
    outcome(results, scale) {
      const byLabel = groupByLabel(results, runsOf(scale));
      const all = specFigures(experiment, byLabel);
      // What the problem is about comes first.
      const judged = all.map((figure, k) => ({ figure, why: uselessBecause(figure, k === 0) }));
      return {
        figures: judged
          .filter(({ why }) => why === undefined)
          .map(({ figure }) => ({ ...figure, panels: distinctPanels(figure.panels) })),
        unshown: judged.flatMap(({ figure, why }) => (why === undefined ? [] : [{ figure, why }])),
        tables: [finalTable(byLabel, experiment.seconds ?? "simulated seconds")],
        checks: experiment.checks?.(byLabel) ?? [],
        findings: findingsOf(byLabel, experiment.metric),
        ...(experiment.notes === undefined ? {} : { notes: experiment.notes }),
      };
    },
  };
}

/** What every run ended with: a table for people, and for comparing. */
export function finalTable(byLabel: ByLabel, seconds: string): Table {
  const metrics = metricsOf(byLabel);
  const last = (list: readonly number[]) => list[list.length - 1];
  const groups = [...byLabel.values()];
  const grouped = groups.some((runs) => runs[0].between !== undefined);
  const lost = groups.some((runs) => firstDiverged(runs) !== undefined);
  const rows = [...byLabel].map(([label, runs]) => [
    label,
    ...(lost ? [divergedText(runs)] : []),
    runs[0].degree,
    runs[0].rate,
    ...metrics.map((metric) => meanOf(runs.map((run) => last(valuesOf(run, metric))))),
    last(runs[0].bytes),
    ...(grouped ? [runs[0].between === undefined ? null : last(runs[0].between)] : []),
    last(runs[0].seconds),
  ]);
  const between = grouped ? ["bytes between machines, of the busiest"] : [];
  return {
    name: "final",
    title: "After the last update, mean over seeds",
    columns: [
      ...["run", ...(lost ? ["diverged"] : []), "degree", "exact rate", ...metrics.map(words)],
      ...["bytes per node", ...between, seconds],
    ],
    rows,
  };
}

/** Nothing where a run has no number: its row says when it diverged. */
function meanOf(values: readonly number[]): number | null {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Number.isFinite(mean) ? mean : null;
}

/** When, and with how many of the seeds. */
function divergedText(runs: readonly RunResult[]): string {
  const seeds = runs.filter((run) => firstDiverged([run]) !== undefined).length;
  if (seeds === 0) return "no";
  return `by update ${firstDiverged(runs)}${runs.length === 1 ? "" : ` (${seeds} of ${runs.length} seeds)`}`;
}
