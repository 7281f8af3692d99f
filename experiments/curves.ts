/** Curves over repeats: what theory promises of them, and their factor per round. */

import { mean, type Series } from "equitopo/internal/outcome";

/**
 * The dashed line that theory promises for the mean over repeats: the mean of start * factor^t, each repeat with its own
 * factor. (The mean of the factors would promise more than the slowest repeat can keep.)
 */
export function promised(label: string, starts: readonly number[], factors: readonly number[], rounds: number): Series {
  const at = (t: number) => mean(starts.map((start, k) => start * factors[k] ** t));
  const x = Array.from({ length: rounds + 1 }, (_, t) => t).filter((t) => at(t) >= 1e-14 * at(0));
  return { label, x, mean: x.map(at), dashed: true };
}

/**
 * The geometric mean factor per round while the error falls from `from` to `to` of its start: after the first rounds, where a
 * random start has many modes, and before the rounding errors.
 */
export function factorPerRound(curve: readonly number[], from = 1e-2, to = 1e-10): number {
  const first = curve.findIndex((error) => error <= from * curve[0]);
  if (first < 0) return (curve[curve.length - 1] / curve[0]) ** (1 / (curve.length - 1));
  let last = first;
  while (last + 1 < curve.length && curve[last + 1] > to * curve[0]) last++;
  return last === first ? 0 : (curve[last] / curve[first]) ** (1 / (last - first));
}

/** Rounds until the error is at most `tolerance` of its start; Infinity if it never is. */
export function roundsTo(curve: readonly number[], tolerance: number): number {
  const round = curve.findIndex((error) => error <= tolerance * curve[0]);
  return round < 0 ? Number.POSITIVE_INFINITY : round;
}

/** The slope of the least-squares line through (x, y), and its standard error. */
export function regression(x: readonly number[], y: readonly number[]): { slope: number; error: number } {
  const [centreX, centreY] = [mean(x), mean(y)];
  const spread = x.reduce((sum, value) => sum + (value - centreX) ** 2, 0);
  const slope = x.reduce((sum, value, k) => sum + (value - centreX) * (y[k] - centreY), 0) / spread;
  const squares = x.reduce((sum, value, k) => sum + (y[k] - centreY - slope * (value - centreX)) ** 2, 0);
  return { slope, error: Math.sqrt(squares / (x.length - 2) / spread) };
}

/** e and its standard error if y ~ 1/(ln n)^e: the slope of -ln y on ln ln n. */
export function logExponent(n: readonly number[], y: readonly number[]): { exponent: number; error: number } {
  const [x, falls] = [n.map((size) => Math.log(Math.log(size))), y.map((value) => -Math.log(value))];
  const { slope, error } = regression(x, falls);
  return { exponent: slope, error };
}

/** The median of rounds, those never reached counted as Infinity. */
export function medianRounds(rounds: readonly (number | null)[]): number {
  const sorted = rounds.map((value) => value ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
}

/** Rounds for people; `run` is how many were run. */
export function showRounds(rounds: number, run: number): string {
  return Number.isFinite(rounds) ? String(rounds) : `over ${run}`;
}
