/**
 * A spec as an experiment: every run of the document is a unit of work, every metric a figure. `equitopo run` uses it, and
 * the learning studies are a spec plus checks.
 */

import { defined } from "../input/input.ts";
import { type Difference, mean, pairedDifferences, summaryOf } from "../number/statistics.ts";
import type { RunResult } from "../run/run.ts";
import type { PluginEntry, RunSpec } from "../run/spec.ts";
import { differencesInWords, differencesTable } from "./differences.ts";
import type { Check, Experiment, LearningUnit, Scale, Table } from "./experiment.ts";
import {
  type ByLabel,
  firstDiverged,
  groupByLabel,
  metricsOf,
  runKey,
  type SpecFigures,
  specFigures,
  valuesOf,
  words,
} from "./figures.ts";
import { findingsOf, mainMetric } from "./findings.ts";
import { parametersOf } from "./parameters.ts";
import { distinctPanels, uselessBecause } from "./selection.ts";

export interface SpecExperiment extends Pick<Experiment, "name" | "title" | "paper" | "shows">, SpecFigures {
  /** The spec's runs, expanded. */
  runs(scale: Scale): readonly RunSpec[];
  /** The files of its plug-ins, for people: a run has their hashes. */
  readonly plugins?: readonly PluginEntry[];
  readonly parameters?: Readonly<Record<string, string>>;
  checks?(byLabel: ByLabel): readonly Check[];
  readonly notes?: readonly string[];
}

export function specExperiment(experiment: SpecExperiment): Experiment<LearningUnit> {
  // A spec is expanded once: everything below uses the same runs.
  const expanded = new Map<Scale, readonly RunSpec[]>();
  const runsOf = (scale: Scale) => {
    const runs = expanded.get(scale) ?? experiment.runs(scale);
    expanded.set(scale, runs);
    return runs;
  };
  const { name, title, paper, shows } = experiment;
  return {
    ...{ name, title, paper, shows },
    parameters: (scale) => ({ ...experiment.parameters, ...parametersOf(runsOf(scale), experiment.plugins).common }),
    differing: (scale) => parametersOf(runsOf(scale), experiment.plugins).differing,
    units: (scale) => runsOf(scale).map((run, at): LearningUnit => ({ kind: "learning", key: runKey(run, at), run })),
    outcome(results, scale) {
      const byLabel = groupByLabel(results, runsOf(scale));
      const all = specFigures(experiment, byLabel);
      // The problem's main metric comes first.
      const unshown = all.flatMap((figure, k) => {
        const why = uselessBecause(figure, k === 0);
        return why === undefined ? [] : [{ figure, why }];
      });
      const shown = all.filter((one) => unshown.every(({ figure }) => figure !== one));
      return {
        figures: shown.map((figure) => ({ ...figure, panels: distinctPanels(figure.panels) })),
        unshown,
        tables: tablesOf(byLabel, experiment.seconds ?? "simulated seconds"),
        checks: experiment.checks?.(byLabel) ?? [],
        findings: [
          ...findingsOf(byLabel, experiment.metric),
          ...differencesInWords(...seedDifferences(byLabel, experiment.metric)),
        ],
        ...(experiment.notes === undefined ? {} : { notes: experiment.notes }),
      };
    },
  };
}

/** The means; over several seeds also the differences of runs, and what each seed ended with. */
function tablesOf(byLabel: ByLabel, seconds: string): Table[] {
  const means = finalTable(byLabel, seconds);
  if ([...byLabel.values()].every((runs) => runs.length === 1)) return [means];
  const [differences, what] = seedDifferences(byLabel);
  const each = [...byLabel].flatMap(([label, runs]) =>
    runs.map((run) => [`${label} seed=${run.seed}`, [run]] as const),
  );
  const { columns, rows } = finalTable(new Map(each), seconds);
  const seeds = [...byLabel].flatMap(([label, runs]) => runs.map(({ seed }) => [label, seed]));
  return [
    means,
    ...(differences.length === 0 ? [] : [differencesTable(differences, what)]),
    {
      name: "seeds",
      title: "After the last update, seed by seed",
      columns: ["run", "seed", ...columns.slice(1)],
      rows: rows.map((row, k) => [...seeds[k], ...row.slice(1)]),
    },
  ];
}

/** The runs that did not diverge, compared by the last value of the main metric over the seeds that they share. */
export function seedDifferences(byLabel: ByLabel, metric = mainMetric(byLabel)): [Difference[], string] {
  const sound = [...byLabel].filter(([, runs]) => firstDiverged(runs) === undefined);
  const ends = sound.map(([label, runs]) => {
    return [label, new Map(runs.map((run) => [run.seed, valuesOf(run, metric).at(-1) ?? Number.NaN]))] as const;
  });
  const found = pairedDifferences(new Map(ends));
  return [found.some(({ seeds }) => seeds > 1) ? found : [], words(metric)];
}

/** The last values of every run, in a table. */
export function finalTable(byLabel: ByLabel, seconds: string): Table {
  const metrics = metricsOf(byLabel);
  const last = (list: readonly number[]) => list[list.length - 1];
  const groups = [...byLabel.values()];
  const grouped = groups.some((runs) => runs[0].between !== undefined);
  const diverged = groups.some((runs) => firstDiverged(runs) !== undefined);
  /** Of every column of numbers the values of all seeds. */
  const values = (runs: readonly RunResult[]) => [
    runs.map(({ degree }) => degree),
    runs.map(({ rate }) => rate),
    ...metrics.map((metric) => runs.map((run) => last(valuesOf(run, metric)))),
    runs.map(({ bytes }) => last(bytes)),
    ...(grouped ? [runs.map(({ between = [] }) => last(between))] : []),
    runs.map(({ seconds }) => last(seconds)),
  ];
  const rows = [...byLabel].map(([label, runs]) => [
    label,
    ...(diverged ? [divergedText(runs)] : []),
    ...values(runs).map((all) => finite(mean(all))),
  ]);
  const between = grouped ? ["bytes between machines, of the busiest"] : [];
  const columns = [
    ...["run", ...(diverged ? ["diverged"] : []), "degree", "exact rate", ...metrics.map(words)],
    ...["bytes per node", ...between, seconds],
  ];
  const spread = groups.some((runs) => runs.length > 1) ? spreadOf(columns, groups.map(values)) : undefined;
  return { name: "final", title: "After the last update, mean over seeds", columns, rows, ...defined({ spread }) };
}

/** Standard deviations and standard errors beside the means, for the file of numbers: columns that end in sd and se. */
function spreadOf(
  columns: readonly string[],
  groups: readonly (readonly (readonly number[])[])[],
): Pick<Table, "columns" | "rows"> {
  const names = columns.slice(columns.length - groups[0].length);
  return {
    columns: ["seeds", ...names.map((name) => `${name} sd`), ...names.map((name) => `${name} se`)],
    rows: groups.map((values) => {
      const found = values.map(summaryOf);
      const shown = (value: number | null) => (value === null ? null : finite(value));
      return [values[0].length, ...found.map(({ sd }) => shown(sd)), ...found.map(({ se }) => shown(se))];
    }),
  };
}

/** Nothing if a run has no number: its row says when it diverged. */
const finite = (value: number) => (Number.isFinite(value) ? value : null);

/** When it diverged, and with how many of the seeds. */
function divergedText(runs: readonly RunResult[]): string {
  const seeds = runs.filter((run) => firstDiverged([run]) !== undefined).length;
  if (seeds === 0) return "no";
  return `by update ${firstDiverged(runs)}${runs.length === 1 ? "" : ` (${seeds} of ${runs.length} seeds)`}`;
}
