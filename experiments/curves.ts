/** Curves over repeats: their mean and range, and the factor per round that they decay by. */

import type { Results, Series } from "./experiment.ts";
import type { GossipResult, GossipUnit } from "./unit.ts";

/** The error curves of the given units, one a repeat. */
export function errorCurves(results: Results, units: readonly GossipUnit[]): (readonly number[])[] {
  return units.map((unit) => (results.get(unit.key) as GossipResult).errors);
}

/** Mean, lowest and highest value at each round. */
export function bandOf(label: string, curves: readonly (readonly number[])[]): Series {
  const rounds = Math.min(...curves.map((curve) => curve.length));
  const at = (t: number) => curves.map((curve) => curve[t]);
  const x = Array.from({ length: rounds }, (_, t) => t);
  return {
    label,
    x,
    mean: x.map((t) => at(t).reduce((sum, value) => sum + value, 0) / curves.length),
    low: x.map((t) => Math.min(...at(t))),
    high: x.map((t) => Math.max(...at(t))),
  };
}

/**
 * The dashed line that theory promises of the mean over repeats: the mean of start * factor^t, each repeat with its own
 * factor (the mean of factors would promise more than the slowest repeat can keep).
 */
export function promised(label: string, starts: readonly number[], factors: readonly number[], rounds: number): Series {
  const at = (t: number) => mean(starts.map((start, k) => start * factors[k] ** t));
  const x = Array.from({ length: rounds + 1 }, (_, t) => t).filter((t) => at(t) >= 1e-14 * at(0));
  return { label, x, mean: x.map(at), dashed: true };
}

/**
 * The geometric mean factor per round over the stretch in which the error falls from `from` to `to` of its start:
 * past the first rounds, where a random start has many modes, and before the rounding errors.
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

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The slope of the least-squares line through (x, y). */
export function slope(x: readonly number[], y: readonly number[]): number {
  const centreX = mean(x);
  const centreY = mean(y);
  let covariance = 0;
  let variance = 0;
  x.forEach((value, k) => {
    covariance += (value - centreX) * (y[k] - centreY);
    variance += (value - centreX) ** 2;
  });
  return covariance / variance;
}

/** e and its standard error where y ~ 1/(ln n)^e: the slope of -ln y on ln ln n. */
export function logExponent(n: readonly number[], y: readonly number[]): { exponent: number; error: number } {
  const x = n.map((size) => Math.log(Math.log(size)));
  const z = y.map((value) => -Math.log(value));
  const exponent = slope(x, z);
  const [centreX, centreZ] = [mean(x), mean(z)];
  const residuals = z.map((value, k) => value - centreZ - exponent * (x[k] - centreX));
  const spread = x.reduce((sum, value) => sum + (value - centreX) ** 2, 0);
  return { exponent, error: Math.sqrt(residuals.reduce((sum, r) => sum + r * r, 0) / (x.length - 2) / spread) };
}

/** The median of rounds, those never reached counted as Infinity. */
export function medianRounds(rounds: readonly (number | null)[]): number {
  const sorted = rounds.map((value) => value ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
}

/** Rounds for people, out of those that were run. */
export function showRounds(rounds: number, run: number): string {
  return Number.isFinite(rounds) ? String(rounds) : `over ${run}`;
}
