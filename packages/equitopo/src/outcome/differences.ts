/** Which of several runs can be distinguished over seeds, in sentences and as a table. */

import { LEVEL, seedsNeeded } from "../number/sign-flip.ts";
import type { Difference } from "../number/statistics.ts";
import type { Table } from "./experiment.ts";
import { listed } from "./findings.ts";

/** `what` was compared: "relative error". Nothing if there are no pairs. */
export function differencesInWords(differences: readonly Difference[], what: string): string[] {
  if (differences.length === 0) return [];
  const needed = seedsNeeded(differences.length);
  const isFew = ({ seeds }: Difference) => seeds < needed;
  const few = differences.filter(isFew);
  const alike = differences.filter((one) => !isFew(one) && !one.distinguishable);
  const apart = differences.length - few.length - alike.length;
  const test = `exact sign-flip test over ${seedsOf(differences)} seeds, ${LEVEL} by Holm's rule`;
  const all = apart === 1 ? "The one pair of runs is" : `All ${apart} pairs are`;
  return [
    ...(few.length === 0
      ? []
      : [`Too few seeds to tell: ${needed} are needed, there are ${seedsOf(few)} (${what}: ${named(few)}).`]),
    ...(alike.length === 0 ? [] : [`Not distinguishable in ${what} (${test}): ${named(alike)}.`]),
    ...(apart < differences.length ? [] : [`${all} distinguishable in ${what} (${test}).`]),
  ];
}

/** Pairs; their number, if they are too many to read. */
function named(pairs: readonly Difference[]): string {
  if (pairs.length > 6) return `${pairs.length} pairs`;
  return listed(pairs.map(({ a, b }) => `${a} from ${b}`));
}

function seedsOf(differences: readonly Difference[]): string {
  const counts = [...new Set(differences.map(({ seeds }) => seeds))].sort((a, b) => a - b);
  return counts.length === 1 ? String(counts[0]) : `${counts[0]} to ${counts[counts.length - 1]}`;
}

export function differencesTable(differences: readonly Difference[], what: string): Table {
  return {
    name: "differences",
    title: `Differences of ${what}, paired over seeds`,
    caption: `a less b, with the standard error, Student's interval of 95 %, and p of the exact sign-flip test; distinguishable by Holm's rule at ${LEVEL}.`,
    columns: ["a", "b", "seeds", "mean", "se", "low", "high", "p", "distinguishable"],
    rows: differences.map(({ a, b, seeds, mean, se, interval, p, distinguishable }) => [
      ...[a, b, seeds, mean, se, interval?.[0] ?? null, interval?.[1] ?? null, p],
      distinguishable ? "yes" : "no",
    ]),
  };
}
