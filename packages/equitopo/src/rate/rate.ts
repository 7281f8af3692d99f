/**
 * The consensus rate beta (paper, section 2): the smallest number with  E ||Pi W(t) x||^2 <= beta^2 ||Pi x||^2  for
 * all x and t; for a fixed W it is the spectral norm of Pi W.
 */

export interface Rate {
  /** beta, per round: the worst round of a periodic sequence, the root of the mean-square factor of random rounds. */
  readonly rate: number;
  /** The paper's bound on this same beta, or null where it has none. */
  readonly bound: number | null;
  /** How the number was had: a closed form, or an iteration with a bound on its error. */
  readonly method: "closed form" | "certified iteration";
  /** certified iteration only: the rate differs from a true singular value of Pi W by no more than this. */
  readonly error?: number;
  /** Periodic sequences: the norm of Pi times one period's product, and its geometric mean per round. */
  readonly periodNorm?: number;
  readonly periodRate?: number;
  /**
   * The spectral radius of Pi times one period, per round, where it differs from what the norm says: how fast the
   * disagreement shrinks in the long run; no bound by itself.
   */
  readonly asymptotic?: number;
  /** Symmetric static W: the extreme eigenvalues beside the 1 of consensus. */
  readonly eigenvalues?: { readonly largest: number; readonly smallest: number };
}

/**
 * Rounds after which the disagreement is sure to have shrunk by `tolerance` (in mean square, for random rounds):
 * from the rate per round or from whole periods, whichever promises sooner; Infinity where neither does.
 *
 * @example
 * ```ts
 * import { onePeerExp, predictedRounds } from "equitopo";
 * predictedRounds(onePeerExp({ n: 1024 }), 1e-6) // => 10
 * ```
 */
export function predictedRounds(
  topology: { rate(): Rate; readonly period: number | undefined },
  tolerance: number,
): number {
  const { rate, periodNorm } = topology.rate();
  const perRound = shrinkings(rate, tolerance);
  if (periodNorm === undefined || topology.period === undefined) return perRound;
  return Math.min(perRound, topology.period * shrinkings(periodNorm, tolerance));
}

/** The smallest count k with factor^k <= tolerance. */
function shrinkings(factor: number, tolerance: number): number {
  if (factor <= tolerance) return 1;
  // A norm of 1 that an iteration found may lack the last digits.
  if (factor > 1 - 1e-13) return Number.POSITIVE_INFINITY;
  // The tiny allowance keeps factor = tolerance^(1/k) at k where the quotient rounds up.
  return Math.ceil(Math.log(tolerance) / Math.log(factor) - 1e-9);
}
