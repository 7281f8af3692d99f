/**
 * The consensus rate beta (paper, section 2): the smallest number with  E ||Pi W(t) x||^2 <= beta^2 ||Pi x||^2  for
 * all x and t; for a fixed W it is the spectral norm of Pi W.
 */

export interface Rate {
  /** beta, per round: the worst round of a periodic sequence, the root of the mean-square factor of random rounds. */
  readonly rate: number;
  /** 1 - rate with all its digits, where a closed form has it: still accurate when the rate itself rounds to 1. */
  readonly gap?: number;
  /** The paper's bound on this same beta, or null where it has none. */
  readonly bound: number | null;
  /** Where the number comes from: a closed form, or an iteration with a bound on its error. */
  readonly method: "closed form" | "certified iteration";
  /** certified iteration only: the rate differs from a true singular value of Pi W by no more than this. */
  readonly error?: number;
  /** Periodic sequences: the norm of Pi times one period's product, and its geometric mean per round. */
  readonly periodNorm?: number;
  readonly periodRate?: number;
  /**
   * The spectral radius of Pi W, per round over a period: what disagreement shrinks by in the long run. Only where it is
   * known and is not the rate or periodRate: where W is not normal. It promises nothing for any number of rounds.
   */
  readonly asymptotic?: number;
  /** Symmetric static W: the extreme eigenvalues beside the 1 of consensus. */
  readonly eigenvalues?: { readonly largest: number; readonly smallest: number };
}
