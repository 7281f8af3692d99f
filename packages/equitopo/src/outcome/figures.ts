/**
 * Runs of a spec as figures, one for each metric, with a panel each for updates, bytes and seconds, the costs that users pay.
 * Shown by a run's report and by the studio.
 */

import { mean } from "../number/statistics.ts";
import { costAxis, fillsDecade, type Range } from "../picture/scale.ts";
import { divergedAt } from "../run/diverged.ts";
import type { RunResult } from "../run/run.ts";
import type { RunSpec } from "../run/spec.ts";
import type { CurveFigure, Panel, Results, Series } from "./experiment.ts";
import { extremes } from "./selection.ts";

export interface SpecPanels {
  /** The text for the label of a curve, given its results. */
  legend?(label: string, results: readonly RunResult[]): string;
  /** The name of `seconds`, if they were measured and not simulated. */
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

/** All metrics, the main one of the problem first, those of evaluations last. */
export function metricsOf(byLabel: ByLabel): string[] {
  const [first] = [...byLabel.values()][0];
  const names = [...Object.keys(first.metrics), ...Object.keys(first.evaluations?.metrics ?? {})];
  return [...new Set([first.metric, ...names])].filter((name) => valuesOf(first, name).length > 0);
}

/** A metric's values, recorded along the way or found by evaluations. */
export function valuesOf(run: RunResult, metric: string): readonly number[] {
  return run.metrics[metric] ?? run.evaluations?.metrics[metric] ?? [];
}

/** The entries of `list` at the updates at which the metric was taken. */
export function whereTaken(run: RunResult, metric: string, list: readonly number[]): readonly number[] {
  if (run.metrics[metric] !== undefined || run.evaluations === undefined) return list;
  return run.evaluations.updates.map((updates) => list[run.updates.indexOf(updates)]);
}

/** Accuracies and other fractions are drawn on a linear axis, and higher is better. */
export const isFraction = (metric: string) => /accuracy/i.test(metric);

/** The first update by which one of the runs has diverged. */
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
  const bands = [...byLabel].map(([label, runs]) => {
    const name = about.legend?.(label, runs) ?? label;
    const at = firstDiverged(runs);
    const curves = runs.map((run) => valuesOf(run, metric));
    const band = bandOf(at === undefined ? name : `${name} (diverged by update ${at})`, curves);
    // A band over one run would only thicken its line.
    const { low: _low, high: _high, ...line } = band;
    return { ...(runs.length === 1 ? line : band), topology: runs[0].topology, runs, sound: at === undefined };
  });
  const means = bands.flatMap(({ mean }) => mean);
  const yLog = !isFraction(metric) && !means.some((value) => value < 0) && fillsDecade(means);
  const yRange = bands.every(({ sound }) => sound) ? undefined : rangeOfSound(bands, yLog);
  return axes.map(({ title, xLabel, of }): Panel => {
    const series = bands.map(({ runs, sound: _, ...band }): Series => {
      // Seeds may draw graphs that send unlike amounts: the mean curve is at their mean.
      const costs = runs.map((run) => whereTaken(run, metric, of(run)));
      return { ...band, x: band.mean.map((_, k) => mean(costs.map((cost) => cost[k]))) };
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

/** A run that diverges leaves the frame at the top, so that the others keep their height. */
function rangeOfSound(bands: readonly (Series & { readonly sound: boolean })[], yLog: boolean): Range | undefined {
  const usable = (value: number) => Number.isFinite(value) && (!yLog || value > 0);
  const starts = bands.flatMap(({ mean }) => mean.filter(usable).slice(0, 1));
  const values = [...starts, ...bands.filter(({ sound }) => sound).flatMap(({ mean }) => mean.filter(usable))];
  const [low, high] = extremes(values);
  if (!(low <= high)) return undefined;
  if (yLog) return [low / 2, high * 100];
  return [low - 0.05 * (high - low || 1), high + (high - low || 1)];
}

/** Mean, lowest and highest value at each entry, up to the end of the shortest curve. */
export function bandOf(label: string, curves: readonly (readonly number[])[]): Series {
  const length = Math.min(...curves.map((curve) => curve.length));
  const x = Array.from({ length }, (_, t) => t);
  const each = (of: (values: number[]) => number) => x.map((t) => of(curves.map((curve) => curve[t])));
  return { label, x, mean: each(mean), low: each((all) => Math.min(...all)), high: each((all) => Math.max(...all)) };
}

export interface SpecFigures extends SpecPanels {
  /** The names of their files, followed by the metric. */
  readonly name: string;
  readonly title: string;
  /** The only metric to draw; all of them if left out. */
  readonly metric?: string;
  /** Labels of one group share a figure. */
  group?(label: string): string;
  readonly caption?: string;
}

/** One figure for each metric and group, each with a panel for updates, bytes and seconds. */
export function specFigures(about: SpecFigures, byLabel: ByLabel): CurveFigure[] {
  const metrics = about.metric === undefined ? metricsOf(byLabel) : [about.metric];
  const groups = new Set([...byLabel.keys()].map((label) => about.group?.(label) ?? ""));
  return [...groups].flatMap((group) => {
    const members = new Map([...byLabel].filter(([label]) => (about.group?.(label) ?? "") === group));
    return metrics.map((metric) => {
      const parts = [...(group === "" ? [] : [group]), ...(metrics.length > 1 ? [words(metric)] : [])];
      return {
        name: [about.name, ...parts.map((part) => part.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-"))].join("-"),
        title: [about.title, ...parts].join(": "),
        caption: about.caption ?? seedsShown([...members.values()]),
        panels: panelsOf(members, metric, about),
      };
    });
  });
}

/** The meaning of the bands, by the number of runs. */
function seedsShown(groups: readonly (readonly RunResult[])[]): string {
  const counts = [...new Set(groups.map((runs) => runs.length))].sort((a, b) => a - b);
  if (counts[counts.length - 1] === 1) return "One seed.";
  return `Mean over ${counts.join(" or ")} seeds, band from the lowest to the highest.`;
}
