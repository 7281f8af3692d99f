/**
 * Runs of a spec as panels: a metric against updates done, bytes sent and seconds, because that is what users pay. What a
 * run's report shows, and the studio beside it.
 */

import type { RunResult, RunSpec } from "equitopo";
import { costAxis, fillsDecade, type Range } from "equitopo/picture";
import { divergedAt } from "equitopo/run";
import { bandOf } from "./curves.ts";
import type { Panel, Results, Series } from "./experiment.ts";

export interface SpecPanels {
  /** How the label of a curve reads, given its results. */
  legend?(label: string, results: readonly RunResult[]): string;
  /** What `seconds` are, where they were measured and not simulated. */
  readonly seconds?: string;
}

/** Runs that differ in nothing but their seed. */
export type ByLabel = ReadonlyMap<string, readonly RunResult[]>;

export const runKey = (run: RunSpec, at: number) => `${at}: ${run.label} seed=${run.seed}`;

export function groupByLabel(results: Results, runs: readonly RunSpec[]): Map<string, RunResult[]> {
  const groups = new Map<string, RunResult[]>();
  runs.forEach((run, at) => {
    const result = results.get(runKey(run, at)) as RunResult;
    groups.set(run.label, [...(groups.get(run.label) ?? []), result]);
  });
  return groups;
}

/** All metrics, the one that the problem is about first, then what evaluations found. */
export function metricsOf(byLabel: ByLabel): string[] {
  const [first] = [...byLabel.values()][0];
  const names = [...Object.keys(first.metrics), ...Object.keys(first.evaluations?.metrics ?? {})];
  return [...new Set([first.metric, ...names])].filter((name) => valuesOf(first, name).length > 0);
}

/** A metric's values, recorded along the way or found by evaluations. */
export function valuesOf(run: RunResult, metric: string): readonly number[] {
  return run.metrics[metric] ?? run.evaluations?.metrics[metric] ?? [];
}

/** What `list` says at the updates at which the metric was taken. */
export function whereTaken(run: RunResult, metric: string, list: readonly number[]): readonly number[] {
  if (run.metrics[metric] !== undefined || run.evaluations === undefined) return list;
  return run.evaluations.updates.map((updates) => list[run.updates.indexOf(updates)]);
}

/** Accuracies and other fractions are read on a linear axis, and the more the better. */
export const isFraction = (metric: string) => /accuracy/i.test(metric);

/** The first update by which one of the runs was beyond all numbers. */
export function firstDiverged(runs: readonly RunResult[]): number | undefined {
  const found = runs.map(divergedAt).filter((at) => at !== undefined);
  return found.length === 0 ? undefined : Math.min(...found);
}

/** relativeError -> relative error. */
export function words(metric: string): string {
  return metric.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

const axes = [
  { title: "updates", xLabel: "updates done", of: (run: RunResult) => run.updates },
  { title: "bytes", xLabel: "bytes sent per node", of: (run: RunResult) => run.bytes },
  { title: "seconds", xLabel: "simulated seconds of communication", of: (run: RunResult) => run.seconds },
] as const;

/** A metric against updates, bytes and seconds. */
export function panelsOf(byLabel: ByLabel, metric: string, about: SpecPanels = {}): Panel[] {
  const lost = new Map([...byLabel].map(([label, runs]) => [label, firstDiverged(runs)]));
  const bands = [...byLabel].map(([label, runs]) => {
    const name = about.legend?.(label, runs) ?? label;
    const at = lost.get(label);
    const band = bandOf(
      at === undefined ? name : `${name} (diverged by update ${at})`,
      runs.map((run) => valuesOf(run, metric)),
    );
    // A band over one run would only thicken its line.
    const { low: _low, high: _high, ...line } = band;
    return { ...(runs.length === 1 ? line : band), topology: runs[0].topology, runs, sound: at === undefined };
  });
  const means = bands.flatMap(({ mean }) => mean);
  const yLog = !isFraction(metric) && !means.some((value) => value < 0) && fillsDecade(means);
  const yRange = bands.every(({ sound }) => sound) ? undefined : rangeOfSound(bands, yLog);
  return axes.map(({ title, xLabel, of }): Panel => {
    const series = bands.map(({ runs, sound: _, ...band }): Series => {
      return { ...band, x: whereTaken(runs[0], metric, of(runs[0])).slice(0, band.mean.length) };
    });
    return {
      title: `against ${title}`,
      xLabel: title === "seconds" ? (about.seconds ?? xLabel) : xLabel,
      ...(title === "updates" ? {} : costAxis(series.map(({ x }) => x[x.length - 1]))),
      ...(title === "bytes" ? { xBytes: true } : {}),
      yLabel: words(metric),
      yLog,
      ...(yRange === undefined ? {} : { yRange }),
      series,
    };
  });
}

/** A run that diverges leaves through the top: it shall not press the others into a line. */
function rangeOfSound(bands: readonly (Series & { readonly sound: boolean })[], yLog: boolean): Range | undefined {
  const usable = (value: number) => Number.isFinite(value) && (!yLog || value > 0);
  const starts = bands.flatMap(({ mean }) => mean.filter(usable).slice(0, 1));
  const values = [...starts, ...bands.filter(({ sound }) => sound).flatMap(({ mean }) => mean.filter(usable))];
  // Not as arguments: long runs have more values than a call takes.
  const low = values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  const high = values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  if (!(low <= high)) return undefined;
  if (yLog) return [low / 2, high * 100];
  return [low - 0.05 * (high - low || 1), high + (high - low || 1)];
}
