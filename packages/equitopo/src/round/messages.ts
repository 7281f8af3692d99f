/** Who sends how many messages in a round: node j sends one along every edge j -> i. */

import { forEachEdge, type Round } from "./round.ts";

/** One number for all nodes where they agree, or one for each. O(n + edges) for sparse rounds, O(1) for shifts. */
export function messagesOf(round: Round): number | Int32Array {
  if (round.kind === "circulant") return round.shifts.length;
  if (round.kind === "mean") return round.n - 1;
  const counts = new Int32Array(round.n);
  forEachEdge(round, (from) => {
    counts[from]++;
  });
  return counts;
}
