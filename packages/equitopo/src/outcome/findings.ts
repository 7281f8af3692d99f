/**
 * The results of runs in sentences computed from them: which run ends best, by how much, and whether beyond the spread of
 * seeds; which is best for the bytes of the cheapest run; which diverged. Nothing is claimed that was not measured.
 */

import { mean } from "../number/statistics.ts";
import { showBytes } from "../picture/numbers.ts";
import { readable } from "../picture/text.ts";
import { beyondNumbersAt } from "../run/diverged.ts";
import type { RunResult } from "../run/run.ts";
import type { Check } from "./experiment.ts";
import { type ByLabel, firstDiverged, isFraction, valuesOf, whereTaken, words } from "./figures.ts";

/** One sentence or a few. */
export function findingsOf(byLabel: ByLabel, metric = mainMetric(byLabel)): string[] {
  const sound = new Map([...byLabel].filter(([, runs]) => firstDiverged(runs) === undefined));
  const diverged = [...byLabel].filter(([label]) => !sound.has(label));
  return [
    ...diverged.map(([label, runs]) => divergence(label, runs)),
    ...(sound.size === 0 ? [] : [atTheEnd(sound, metric)]),
    ...atEqualBytes(sound, metric),
  ];
}

/** The main metric: the accuracy of the averaged model if that was evaluated, otherwise that of the problem. */
export function mainMetric(byLabel: ByLabel): string {
  const runs = [...byLabel.values()].flat();
  const accuracy = "averagedAccuracy";
  return runs.every((run) => valuesOf(run, accuracy).some(Number.isFinite)) ? accuracy : runs[0].metric;
}

/** Whether checks hold; nothing if there are none. */
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
  const beyond = seeds.some((run) => beyondNumbersAt(run) !== undefined);
  const how = beyond ? "beyond all numbers" : `${words(runs[0].metric)} above ten times its start`;
  return `${label} diverged${all}: ${how} by update ${firstDiverged(runs)}.`;
}

interface Standing {
  readonly label: string;
  /** By seed. */
  readonly values: ReadonlyMap<number, number>;
  readonly mean: number;
}

function standings(byLabel: ByLabel, metric: string, of: (run: RunResult) => number): Standing[] {
  return [...byLabel]
    .map(([label, runs]) => {
      const values = new Map(runs.map((run) => [run.seed, of(run)]));
      return { label, values, mean: mean([...values.values()]) };
    })
    .filter((one) => Number.isFinite(one.mean))
    .sort((a, b) => signOf(metric) * (a.mean - b.mean));
}

/** Of a difference that makes the better value the smaller one. */
const signOf = (metric: string) => (isFraction(metric) ? -1 : 1);

/**
 * Better with every seed that both were run with: the same seed means the same data and the same start. If they have no seed
 * in common, better with every seed than the other with any.
 */
function beats(metric: string, a: Standing, b: Standing): boolean {
  const common = [...a.values.keys()].filter((seed) => b.values.has(seed));
  const ahead = (one = 0, other = 0) => signOf(metric) * (one - other) < 0;
  if (common.length > 0) return common.every((seed) => ahead(a.values.get(seed), b.values.get(seed)));
  return [...a.values.values()].every((one) => [...b.values.values()].every((other) => ahead(one, other)));
}

const last = (list: readonly number[]) => list.at(-1) ?? Number.NaN;

/** Differences below this are rounding, and no run is ahead. */
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
  // Runs before the first one that the best beats are level with it; later ones are behind, though perhaps not with every
  // seed.
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

/** The next run after these. */
function nextTo(first: readonly Standing[], all: readonly Standing[]): string {
  const next = all[first.length];
  return next === undefined ? "" : `; the next, ${next.label}, at ${readable(next.mean, 3)}`;
}

/** The number of runs behind each mean. */
function seedsOf(all: readonly Standing[]): string {
  const sizes = all.map(({ values }) => values.size);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  if (least < most) return `means of ${least} to ${most} seeds`;
  return most === 1 ? "one seed" : `mean of ${most} seeds`;
}

/** The same numbers with the same seeds: there is no difference that more seeds could show. */
function isSame(a: Standing, b: Standing): boolean {
  return a.values.size === b.values.size && [...a.values].every(([seed, value]) => b.values.get(seed) === value);
}

function margin(metric: string, best: Standing, next: Standing): string {
  if (isFraction(metric)) return `${readable(100 * (best.mean - next.mean), 2)} points above ${next.label}`;
  const factor = next.mean / best.mean;
  if (!(factor > 0 && Number.isFinite(factor))) return `below ${next.label}`;
  return factor < 1.01 ? `less than 1 % below ${next.label}` : `${readable(factor, 3)} times below ${next.label}`;
}

/**
 * The best run if each may send only what the cheapest one sends in all; nothing if all send alike, or if the same run leads.
 */
function atEqualBytes(byLabel: ByLabel, metric: string): string[] {
  const sent = [...byLabel.values()].map((runs) => mean(runs.map((run) => last(run.bytes))));
  const [least, most] = [Math.min(...sent), Math.max(...sent)];
  if (byLabel.size < 2 || !(least > 0 && most > 1.05 * least)) return [];
  const within = (run: RunResult) => {
    const bytes = whereTaken(run, metric, run.bytes);
    const paid = bytes.filter((value) => value > 0 && value <= least * (1 + 1e-9)).length;
    // A run that records nothing but its start for these bytes is left out.
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

/** a, b and c; if there are more than `most`, six of them and the number of the others. */
export function listed(all: readonly string[], most = 7): string {
  const names = all.length > most ? [...all.slice(0, 6), `${all.length - 6} others`] : all;
  if (names.length < 2) return names.join("");
  // Names that contain commas are separated by semicolons.
  const comma = names.some((name) => name.includes(", ")) ? "; " : ", ";
  return `${names.slice(0, -1).join(comma)} and ${names[names.length - 1]}`;
}
