/** Advice for readers: rows and reasons that say the same together, and what each kind of certainty means. */

import type { Advice, AdviceRow } from "./advise.ts";
import type { Certainty } from "./consensus.ts";

export const certainties: Readonly<Record<Certainty, string>> = {
  exact: "enough for every start, and fewer are not",
  "at most": "enough, fewer may do",
  "mean square": "over the random rounds; one run is often faster",
  sampled: "the median of five seeded runs, or gains from seeded rounds",
  model: "a formula with the graph's gain in it",
  run: "the method itself, on least squares of this kappa and b",
  late: "such a run took too long, and was foretold from its last quarter, rather too soon",
};

const same = ["rounds", "seconds", "bytes", "degree", "certainty", "gain", "shift"] as const;

/** Rows one after another that say the same but for their names: one schedule under several names or labels. O(rows). */
export function alike(ranking: readonly AdviceRow[]): AdviceRow[][] {
  const groups: AdviceRow[][] = [];
  for (const row of ranking) {
    const last = groups[groups.length - 1];
    if (last !== undefined && same.every((key) => last[0][key] === row[key])) last.push(row);
    else groups.push([row]);
  }
  return groups;
}

/** Families that were left out, by their common reason: [reason, names]. */
export function leftOut({ excluded }: Pick<Advice, "excluded">): (readonly [string, readonly string[]])[] {
  const byReason = new Map<string, string[]>();
  for (const { label, reason } of excluded) byReason.set(reason, [...(byReason.get(reason) ?? []), label]);
  return [...byReason];
}
