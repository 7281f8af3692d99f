/**
 * A round over rows of which some are lied about: node i mixes its own true row x_i with what it hears of the others,
 * which for a liar j is not x_j. Row by row what a real peer does with what has come: through a defence where there is one,
 * else y_i = w_ii x_i + sum_j w_ij h_j.
 */

import { combineRow } from "../round/combine.ts";
import { forEachEdgeInto, type Round, type Rows, selfWeight } from "../round/round.ts";
import type { Defence } from "./defence.ts";

/**
 * Writes the mixed rows into y from the true rows x and the rows as they are heard (x itself, where nobody lies); y is
 * memory of its own. O((n + edges) d).
 *
 * @example
 * ```ts
 * import { ring } from "equitopo";
 * import { createDefence, hearRound } from "equitopo/robust";
 * const x = Float64Array.of(1, 2, 3);
 * const heard = Float64Array.of(1, 2, 1e30); // node 2 lies
 * const y = hearRound(ring({ n: 3 }).round(0), x, heard, new Float64Array(3), createDefence({ kind: "guard", radius: 5 }));
 * Array.from(y, (v) => v.toFixed(3)).join(" ") // => "1.333 1.667 2.000"
 * ```
 */
export function hearRound<T extends Rows>(round: Round, x: T, heard: T, y: T, defence?: Defence): T {
  const { n } = round;
  const d = x.length / n;
  const rowOf = (all: Rows, i: number) => all.subarray(i * d, (i + 1) * d);
  for (let i = 0; i < n; i++) {
    const weights: number[] = [];
    const rows: Rows[] = [];
    forEachEdgeInto(round, i, (from, _to, weight) => {
      weights.push(weight);
      rows.push(rowOf(heard, from));
    });
    if (defence !== undefined) defence.row(rowOf(y, i), rowOf(x, i), weights, rows);
    else combineRow(rowOf(y, i), selfWeight(round, i), rowOf(x, i), weights, rows);
  }
  return y;
}
