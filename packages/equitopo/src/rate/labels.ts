/**
 * What W does under uniformly drawn labels o: for every x of sum 0, and W with rows that sum to 1,
 *
 *   E W_o x = (tr W - 1)/(n - 1) x,   E |W_o x|^2 = (||W||_F^2 - 1)/(n - 1) |x|^2,
 *
 * because the mean of P W P^T over all permutations P is a multiple of I plus a multiple of J, and the same goes for
 * W^T W. The first factor needs columns that sum to 1 as well.
 */

import { dot } from "../number/vectors.ts";
import { applyRound } from "../round/apply.ts";
import { forEachEdge, type Round, selfWeight } from "../round/round.ts";
import { isModal } from "./sequence.ts";

/** The largest n whose product of several general rounds is computed: O(n^2 m) time, no n x n array. */
export const MOST_LABELS = 2048;
/** Columns that go through the rounds together. */
const COLUMNS = 64;

/** Both factors of one round. O(edges), O(M) for M shifts. */
export function labelMoments(round: Round): { readonly mean: number; readonly square: number } {
  const { n } = round;
  if (round.kind === "mean") return { mean: round.keep, square: round.keep ** 2 };
  const factors = (trace: number, squares: number) => {
    return { mean: (trace - 1) / (n - 1), square: Math.max(0, squares - 1) / (n - 1) };
  };
  if (round.kind === "circulant") {
    return factors(n * round.self, n * round.weights.reduce((sum, weight) => sum + weight * weight, round.self ** 2));
  }
  let trace = 0;
  let squares = 0;
  for (let i = 0; i < n; i++) {
    const own = selfWeight(round, i);
    trace += own;
    squares += own * own;
  }
  forEachEdge(round, (_from, _to, weight) => {
    squares += weight * weight;
  });
  return factors(trace, squares);
}

/**
 * The second factor of the product of several rounds under the same labels: exact from one column of it where all are
 * circulant (O(n m)), from all its columns otherwise; undefined where that is too much.
 */
export function productSquare(rounds: readonly Round[]): number | undefined {
  if (rounds.length === 1) return labelMoments(rounds[0]).square;
  const { n } = rounds[0];
  let squares = 0;
  const isDone = forEachColumns(rounds, MOST_LABELS, (start, times) => {
    const end = rounds.reduce((x, round) => applyRound(round, x, new Float64Array(x.length)), start);
    squares += times * dot(end, end);
  });
  return isDone ? squares / (n - 1) : undefined;
}

/**
 * Columns of Pi, some at a time as rows of the n nodes, to be sent through these rounds: all n of them, or one in place
 * of the others where all rounds are circulant. False where n is more than `most` for all.
 */
export function forEachColumns(
  rounds: readonly Round[],
  most: number,
  visit: (start: Float64Array, times: number) => void,
): boolean {
  const { n } = rounds[0];
  const isOne = rounds.every(isModal);
  if (!isOne && n > most) return false;
  const last = isOne ? 1 : n;
  for (let first = 0; first < last; first += COLUMNS) {
    const count = Math.min(last - first, COLUMNS);
    const start = new Float64Array(n * count).fill(-1 / n);
    for (let k = 0; k < count; k++) start[(first + k) * count + k] += 1;
    visit(start, n / last);
  }
  return true;
}
