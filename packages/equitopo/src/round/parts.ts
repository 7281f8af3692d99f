/**
 * Into how many parts a round's graph falls: nodes of one part hear of each other, directly or through others. A doubly
 * stochastic W has the same parts whichever way edges point, and W has the eigenvalue 1 once for each of them.
 */

import { partsByShifts } from "./circulant.ts";
import { forEachEdgeInto, type Round } from "./round.ts";

/**
 * The number of parts; 1 where the graph is connected. O(n + edges), by union and find; circulants in O(shifts).
 *
 * @example
 * ```ts
 * import { ring } from "equitopo";
 * import { partsOf } from "equitopo/round";
 * partsOf(ring({ n: 10 }).round(0)) // => 1
 * partsOf({ kind: "circulant", n: 10, self: 0.5, shifts: Int32Array.of(5), weights: Float64Array.of(0.5) }) // => 5
 * ```
 */
export function partsOf(round: Round): number {
  const { n } = round;
  if (round.kind === "mean") return 1;
  if (round.kind === "circulant") return partsByShifts(n, round.shifts);
  if (round.kind === "grouped") {
    // A node in no group is a part of its own, and an empty group is none.
    const { groups, between } = round;
    const empty = groups.start.reduce((count, at, g) => count + (g > 0 && at === groups.start[g - 1] ? 1 : 0), 0);
    return partsOf(between) - empty + n - groups.members.length;
  }
  const parent = Int32Array.from({ length: n }, (_, i) => i);
  const find = (i: number): number => {
    let root = i;
    while (parent[root] !== root) {
      // Halves the way for the next search.
      parent[root] = parent[parent[root]];
      root = parent[root];
    }
    return root;
  };
  let parts = n;
  for (let i = 0; i < n; i++) {
    forEachEdgeInto(round, i, (from, to, weight) => {
      if (weight === 0) return;
      const [a, b] = [find(from), find(to)];
      if (a === b) return;
      parent[Math.max(a, b)] = Math.min(a, b);
      parts--;
    });
  }
  return parts;
}
