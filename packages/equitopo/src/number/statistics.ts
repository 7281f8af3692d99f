/**
 * What several seeds say: the mean of values with its standard error, and whether two series differ, by the exact sign-flip
 * test (sign-flip.ts), with Student's interval of their difference beside it.
 */

import { holm, LEVEL, signFlip } from "./sign-flip.ts";

export interface Summary {
  readonly mean: number;
  /** Of one value, n - 1 under the root; null for a single one. */
  readonly sd: number | null;
  /** Of the mean: sd / sqrt(n). */
  readonly se: number | null;
}

/** Exactly the value itself where all are equal. */
export function mean(values: readonly number[]): number {
  if (values.every((value) => value === values[0])) return values[0] ?? Number.NaN;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * The mean of values, their standard deviation and the standard error of the mean. O(n).
 *
 * @example
 * ```ts
 * import { summaryOf } from "equitopo/outcome";
 * summaryOf([1, 2, 3]) // => { mean: 2, sd: 1, se: 0.5773502691896258 }
 * ```
 */
export function summaryOf(values: readonly number[]): Summary {
  const middle = mean(values);
  if (values.length < 2) return { mean: middle, sd: null, se: null };
  const squares = values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  const sd = Math.sqrt(squares / (values.length - 1));
  return { mean: middle, sd, se: sd / Math.sqrt(values.length) };
}

/** Of Student's t with so many degrees of freedom: between minus and plus this lies 95 % of it. */
export function studentFactor(freedom: number, share = 1 - LEVEL): number {
  // Gamma((v + 1) / 2) / Gamma(v / 2), from v = 1 or 2 up.
  let ratio = freedom % 2 === 1 ? 1 / Math.sqrt(Math.PI) : Math.sqrt(Math.PI) / 2;
  for (let v = freedom % 2 === 1 ? 1 : 2; v < freedom; v += 2) ratio *= (v + 1) / v;
  const constant = ratio / Math.sqrt(freedom * Math.PI);
  const density = (t: number) => constant / Math.sqrt(1 + (t * t) / freedom) ** (freedom + 1);
  let [low, high] = [0, 1000];
  while (high - low > 1e-12 * high) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (2 * simpson(density, middle) < share) low = middle;
    else high = middle;
  }
  return high;
}

/** The integral from 0 to `end`, in variables that make long tails short: t = u / (1 - u). */
function simpson(density: (t: number) => number, end: number): number {
  const steps = 600;
  const step = end / (1 + end) / steps;
  const at = (k: number) => density((k * step) / (1 - k * step)) / (1 - k * step) ** 2;
  let sum = at(0) + at(steps);
  for (let k = 1; k < steps; k++) sum += (k % 2 === 1 ? 4 : 2) * at(k);
  return (sum * step) / 3;
}

/** Values by their seeds. */
export type BySeed = ReadonlyMap<number, number>;

/** a minus b, over the seeds that both have. */
export interface Difference {
  readonly a: string;
  readonly b: string;
  readonly seeds: number;
  readonly mean: number;
  readonly se: number | null;
  /** Student's interval, which holds the true mean with 95 %; null for a single seed. */
  readonly interval: readonly [low: number, high: number] | null;
  /** Of the exact sign-flip test; null for more than 40 seeds. */
  readonly p: number | null;
  /** Among all pairs together, by Holm's rule. */
  readonly distinguishable: boolean;
}

/**
 * Every two of several series, compared seed by seed. What is no number, and pairs without a seed in common, are left out.
 *
 * @example
 * ```ts
 * import { pairedDifferences } from "equitopo/outcome";
 * const bySeed = (...values: number[]) => new Map(values.map((value, seed) => [seed, value]));
 * const [one] = pairedDifferences(new Map([["a", bySeed(1, 2, 3, 4, 5, 6)], ["b", bySeed(2, 3, 5, 5, 6, 7)]]));
 * one.p // => 0.03125
 * one.distinguishable // => true
 * ```
 */
export function pairedDifferences(series: ReadonlyMap<string, BySeed>): Difference[] {
  const all = [...series];
  const bare = all.flatMap(([a, one], k) =>
    all.slice(k + 1).flatMap(([b, other]) => {
      const seeds = [...one.keys()].filter((seed) => other.has(seed));
      const values = seeds.map((seed) => one.get(seed)! - other.get(seed)!);
      if (values.length === 0 || !values.every(Number.isFinite)) return [];
      const { mean: middle, se } = summaryOf(values);
      const reach = se === null ? null : se * studentFactor(values.length - 1);
      const interval = reach === null ? null : ([middle - reach, middle + reach] as const);
      return [{ a, b, seeds: values.length, mean: middle, se, interval, p: signFlip(values) }];
    }),
  );
  const sure = holm(bare.map(({ p }) => p));
  return bare.map((one, k) => ({ ...one, distinguishable: sure[k] }));
}
