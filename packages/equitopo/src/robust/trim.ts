/**
 * Coordinate-wise trimming around one's own value (W-MSR: LeBlanc, Zhang, Koutsoukos and Sundaram, "Resilient Asymptotic
 * Consensus in Robust Networks", 2013; the trimmed mean of Yin, Chen, Ramchandran and Bartlett, 2018, for neighbours): for
 * each number of the model the `trim` largest of those above one's own and the `trim` smallest of those below count as
 * one's own; the others are mixed by their weights.
 *
 *   y_ik = x_ik + sum over j that are kept at k of w_ij (x_jk - x_ik).
 *
 * Promises. Where a node hears at most `trim` liars, every number of y_i lies between the least and the greatest that
 * honest nodes (itself included) have for it: a liar's number is either cut off or has an honest one beyond it. No radius
 * has to be chosen.
 *
 * Costs. Each node cuts for itself, so the mean of the models moves even where all are honest, and numbers that few nodes
 * know about (rare classes) are what is cut first. A node must hear more than `trim` others: with one peer a round there is
 * nothing to trim, a leaf of a star hears nobody any more, and on a ring trim = 1 lets through only what lies between. O(trim
 * degree d) instead of O(degree d).
 */

import { about, whole } from "../input/option.ts";
import { defineDefence } from "./defence.ts";

export const trim = defineDefence({
  name: "trim",
  summary: "of each number the `trim` largest and smallest of what others send are cut off",
  source: "LeBlanc, Zhang, Koutsoukos and Sundaram, 2013",
  options: { trim: about(whole(1, 1), "numbers cut off on each side of one's own", "B") },
  keepsMean: false,
  create: ({ trim: count }) => ({
    withstands: count,
    row(y, x, weights, rows) {
      const differences = new Float64Array(rows.length);
      for (let k = 0; k < y.length; k++) {
        for (let j = 0; j < rows.length; j++) {
          const difference = rows[j][k] - x[k];
          differences[j] = Number.isFinite(difference) ? difference : 0;
        }
        for (let cut = 0; cut < count; cut++) cutExtremes(differences);
        let sum = x[k];
        for (let j = 0; j < rows.length; j++) sum += weights[j] * differences[j];
        y[k] = sum;
      }
      return undefined;
    },
    unfit({ maxDegree }) {
      if (maxDegree > count) return undefined;
      return `of ${maxDegree === 1 ? "the one row" : `the ${maxDegree} rows`} that a node hears, trim = ${count} leaves none`;
    },
  }),
});

/** The least of those below 0 and the greatest of those above become 0; of equals the first. */
function cutExtremes(values: Float64Array): void {
  let least = 0;
  let most = 0;
  for (let j = 1; j < values.length; j++) {
    if (values[j] < values[least]) least = j;
    if (values[j] > values[most]) most = j;
  }
  if (values[least] < 0) values[least] = 0;
  if (values[most] > 0) values[most] = 0;
}
