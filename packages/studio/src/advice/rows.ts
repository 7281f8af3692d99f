/** The ranking as the page shows it: rows that say the same stand together, and each can be seen in another view. */

import type { Advice, AdviceRow } from "equitopo";
import { showBytes, showCount, showSeconds } from "equitopo/picture";
import type { Chosen } from "../topology-field.ts";

export interface Shown {
  readonly label: string;
  /** How many others say the same under other names. */
  readonly alike: readonly string[];
  readonly degree: string;
  readonly rounds: string;
  readonly time: string;
  readonly bytes: string;
  readonly gain: string | undefined;
  readonly step: string | undefined;
  readonly shift: string | undefined;
  readonly certainty: AdviceRow["certainty"];
  /** One of the paper's graphs. */
  readonly paper: boolean;
  /** Its share of the worst cost shown, for a bar. */
  readonly cost: number;
  /** What builds it; none for an all-reduce. */
  readonly chosen: Chosen | undefined;
}

/** What a row's certainty means. */
export const certainties: Readonly<Record<AdviceRow["certainty"], string>> = {
  exact: "enough for every start, and fewer are not",
  "at most": "enough, fewer may do",
  "mean square": "over the random rounds; one run is often faster",
  sampled: "the median of five seeded runs, or gains from seeded rounds",
  model: "a formula with the graph's gain in it, good to some tens of percent",
};

const same = ["rounds", "seconds", "bytes", "degree", "certainty", "gain", "shift"] as const;

/** Rows of the ranking, those one after another that differ in nothing but the name together. O(rows). */
export function shownRows({ ranking, question }: Advice): Shown[] {
  const groups: AdviceRow[][] = [];
  for (const row of ranking) {
    const last = groups[groups.length - 1];
    if (last !== undefined && same.every((key) => last[0][key] === row[key])) last.push(row);
    else groups.push([row]);
  }
  const costOf = (row: AdviceRow) => (question.by === "time" ? row.seconds : row.bytes);
  const least = costOf(ranking[0]);
  return groups.map(([row, ...others]) => ({
    label: row.label,
    alike: others.map(({ label }) => label),
    degree: showCount(row.degree),
    rounds: showCount(row.rounds),
    time: showSeconds(row.seconds),
    bytes: showBytes(row.bytes),
    gain: row.gain?.toFixed(2),
    step: row.step === undefined ? undefined : String(Number(row.step.toPrecision(2))),
    shift: row.shift === undefined ? undefined : row.shift < 1e-9 ? "0" : row.shift.toFixed(4),
    certainty: row.certainty,
    paper: row.group === "equitopo" && row.spec?.["relabel"] !== true,
    cost: costOf(row) === 0 ? 1 : least / costOf(row),
    chosen: chosenOf(row),
  }));
}

/** A spec but for n, as the address writes it; what was drawn is drawn again from its seed. */
function chosenOf({ spec }: AdviceRow): Chosen | undefined {
  if (spec === undefined) return undefined;
  const { n: _, ...chosen } = spec;
  return chosen;
}

/** Families that were left out for one reason stand together: [reason, names]. */
export function leftOut({ excluded }: Advice): readonly (readonly [string, readonly string[]])[] {
  const byReason = new Map<string, string[]>();
  for (const { label, reason } of excluded) byReason.set(reason, [...(byReason.get(reason) ?? []), label]);
  return [...byReason];
}
