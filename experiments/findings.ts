/**
 * What came of runs, in sentences that are computed from them: who ends best, by how much, and whether that holds beyond
 * the spread of seeds; who is best for the bytes of the cheapest; who diverged. Nothing is said that was not measured.
 */

import type { RunResult } from "equitopo";
import { readable, showBytes } from "equitopo/picture";
import { mean } from "./curves.ts";
import type { Check } from "./experiment.ts";
import { type ByLabel, firstDiverged, isFraction, valuesOf, whereTaken, words } from "./spec-panels.ts";

/** One sentence or a few. */
export function findingsOf(byLabel: ByLabel, metric = mainMetric(byLabel)): string[] {
  const sound = new Map([...byLabel].filter(([, runs]) => firstDiverged(runs) === undefined));
  const lost = [...byLabel].filter(([label]) => !sound.has(label));
  return [
    ...lost.map(([label, runs]) => divergence(label, runs)),
    ...(sound.size === 0 ? [] : [atTheEnd(sound, metric)]),
    ...atEqualBytes(sound, metric),
  ];
}

/** What a run is for: the accuracy of the averaged model where one was tried, else what its problem is about. */
function mainMetric(byLabel: ByLabel): string {
  const runs = [...byLabel.values()].flat();
  const accuracy = "averagedAccuracy";
  return runs.every((run) => valuesOf(run, accuracy).some(Number.isFinite)) ? accuracy : runs[0].metric;
}

/** Whether checks hold; nothing where there are none. */
export function checksFinding(checks: readonly Check[]): string[] {
  const failed = checks.filter(({ pass }) => !pass);
  if (checks.length === 0) return [];
  if (failed.length === 0)
    return [checks.length === 1 ? "The one check passed." : `All ${checks.length} checks passed.`];
  const named = failed.slice(0, 3).map(({ name, measured }) => `${name} (measured: ${measured})`);
  const more = failed.length > 3 ? `; and ${failed.length - 3} more` : "";
  return [`${failed.length} of ${checks.length} checks FAILED: ${named.join("; ")}${more}.`];
}

function divergence(label: string, runs: readonly RunResult[]): string {
  const seeds = runs.filter((run) => firstDiverged([run]) !== undefined);
  const all = runs.length === 1 ? "" : ` with ${seeds.length} of ${runs.length} seeds`;
  return `${label} diverged${all}: beyond all numbers by update ${firstDiverged(runs)}.`;
}

interface Standing {
  readonly label: string;
  /** By seed. */
  readonly values: ReadonlyMap<number, number>;
  readonly mean: number;
}

function standings(byLabel: ByLabel, metric: string, of: (run: RunResult) => number): Standing[] {
  const sign = isFraction(metric) ? -1 : 1;
  return [...byLabel]
    .map(([label, runs]) => {
      const values = new Map(runs.map((run) => [run.seed, of(run)]));
      return { label, values, mean: mean([...values.values()]) };
    })
    .filter((one) => Number.isFinite(one.mean))
    .sort((a, b) => sign * (a.mean - b.mean));
}

/**
 * Better with every seed that both have been run with: the same seed is the same data and the same start. Where they have
 * none in common, better with every seed than the other with any.
 */
function beats(metric: string, a: Standing, b: Standing): boolean {
  const common = [...a.values.keys()].filter((seed) => b.values.has(seed));
  const sign = isFraction(metric) ? -1 : 1;
  const ahead = (one: number | undefined, other: number | undefined) => sign * ((one ?? 0) - (other ?? 0)) < 0;
  if (common.length > 0) return common.every((seed) => ahead(a.values.get(seed), b.values.get(seed)));
  return [...a.values.values()].every((one) => [...b.values.values()].every((other) => ahead(one, other)));
}

const last = (list: readonly number[]) => list[list.length - 1] ?? Number.NaN;

/** What is left below this is rounding, in which nobody is ahead. */
const EXACT = 1e-11;

function atTheEnd(byLabel: ByLabel, metric: string): string {
  const all = standings(byLabel, metric, (run) => last(valuesOf(run, metric)));
  const [best, ...others] = all;
  if (best === undefined) return `No run has a number of ${words(metric)} at its end.`;
  const over = seedsOf(all);
  const level = `${words(metric)} ${readable(best.mean, 3)}`;
  if (others.length === 0) return `${best.label} ends at ${level} (${over}).`;
  const exact = all.filter(({ mean: end }) => !isFraction(metric) && end <= EXACT);
  if (exact.length > 0) {
    const end = exact.length === 1 ? "ends" : "end";
    return `${named(exact)} ${end} exact up to rounding: ${words(metric)} below ${EXACT}${nextTo(exact, all)} (${over}).`;
  }
  const superlative = isFraction(metric) ? "highest" : "lowest";
  // Level with the best are those before the first that it beats; who comes after that one is behind, if not with every seed.
  const beaten = all.findIndex((one, k) => k > 0 && beats(metric, best, one));
  const leading = beaten < 0 ? all : all.slice(0, beaten);
  const unsure = all.slice(leading.length).filter((one) => !beats(metric, best, one));
  const but = unsure.length === 0 ? "" : `; behind, though not with every seed: ${named(unsure)}`;
  if (leading.length === 1) {
    const which = over.startsWith("mean of") ? "of them" : "that two share";
    const chance =
      over === "one seed" ? "one seed, which does not rule out chance" : `${over}, and so with each ${which}`;
    return `${best.label} ends ${superlative}: ${level}, ${margin(metric, best, others[0])} (${chance})${but}.`;
  }
  const rank = leading.length === all.length ? "" : ` ${superlative}`;
  if (leading.every((one) => isSame(one, best))) {
    return `${named(leading)} end${rank} with the same number: ${level}${nextTo(leading, all)} (${over})${but}.`;
  }
  const ends = [best.mean, leading[leading.length - 1].mean].map((value) => readable(value, 3));
  const range = `${words(metric)} ${[...new Set(ends)].join(" to ")}`;
  const spread = "no difference beyond the spread of seeds";
  if (rank === "") return `No run is ahead of all others: ${range} (${over}), ${spread}.`;
  return `${named(leading)} end${rank}: ${range}${nextTo(leading, all)} (${over}), ${spread}${but}.`;
}

const named = (standing: readonly Standing[]) => listed(standing.map(({ label }) => label));

/** Who comes after these. */
function nextTo(first: readonly Standing[], all: readonly Standing[]): string {
  const next = all[first.length];
  return next === undefined ? "" : `; the next, ${next.label}, at ${readable(next.mean, 3)}`;
}

/** How many runs the numbers are means of. */
function seedsOf(all: readonly Standing[]): string {
  const sizes = all.map(({ values }) => values.size);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  if (least < most) return `means of ${least} to ${most} seeds`;
  return most === 1 ? "one seed" : `mean of ${most} seeds`;
}

/** The same numbers with the same seeds: no spread of seeds could tell them apart. */
function isSame(a: Standing, b: Standing): boolean {
  return a.values.size === b.values.size && [...a.values].every(([seed, value]) => b.values.get(seed) === value);
}

function margin(metric: string, best: Standing, next: Standing): string {
  if (isFraction(metric)) return `${readable(100 * (best.mean - next.mean), 2)} points above ${next.label}`;
  const factor = next.mean / best.mean;
  if (!(factor > 0 && Number.isFinite(factor))) return `below ${next.label}`;
  return factor < 1.01 ? `less than 1 % below ${next.label}` : `${readable(factor, 3)} times below ${next.label}`;
}

/** Who is best when all have sent what the cheapest sends in all; nothing where all send alike, or the same run leads. */
function atEqualBytes(byLabel: ByLabel, metric: string): string[] {
  const sent = [...byLabel.values()].map((runs) => last(runs[0].bytes));
  const [least, most] = [Math.min(...sent), Math.max(...sent)];
  if (byLabel.size < 2 || !(least > 0 && most > 1.05 * least)) return [];
  const within = (run: RunResult) => {
    const bytes = whereTaken(run, metric, run.bytes);
    const paid = bytes.filter((value) => value > 0 && value <= least * (1 + 1e-9)).length;
    // Whoever has not come past the start with that has no standing.
    return paid === 0 ? Number.NaN : valuesOf(run, metric)[bytes.filter((value) => value === 0).length + paid - 1];
  };
  const all = standings(byLabel, metric, within);
  const [overall] = standings(byLabel, metric, (run) => last(valuesOf(run, metric)));
  const leading = all.filter((one) => isSame(one, all[0]));
  const [[best], next] = [leading, all[leading.length]];
  const isLeader = leading.some(({ label }) => label === overall.label);
  if (next === undefined || isLeader || next.mean <= EXACT) return [];
  const sure = beats(metric, best, next) ? "" : `, though not beyond chance before ${next.label}`;
  return [
    `For ${showBytes(least)} sent by a node, which is what the cheapest run sends in all, ${named(leading)} ${leading.length === 1 ? "is" : "are"} best: ` +
      `${words(metric)} ${readable(best.mean, 3)}${sure}.`,
  ];
}

/** a, b and c; where there are more than `most`, six of them and how many others. */
export function listed(all: readonly string[], most = 7): string {
  const names = all.length > most ? [...all.slice(0, 6), `${all.length - 6} others`] : all;
  if (names.length < 2) return names.join("");
  // Names that hold commas are set apart by something else.
  const comma = names.some((name) => name.includes(", ")) ? "; " : ", ";
  return `${names.slice(0, -1).join(comma)} and ${names[names.length - 1]}`;
}
