/** What theory promises of a topology, and the curve that it makes. */

/** Disagreement is followed down to this share of what it was. */
export const TOLERANCE = 1e-6;

export interface KnownRate {
  /** beta of one round: the worst of a period, the root of the mean square of random ones. */
  readonly rate: number;
  /** The paper's bound on it. */
  readonly bound: number | null;
  readonly method: string;
  /** What a whole stretch of rounds leaves (a period, or a block that is drawn together), and how long that is. */
  readonly leaves: number;
  readonly stretch: number;
  /** What single rounds leave, as far as they multiply. */
  readonly single: number;
  /** Rounds after which disagreement is sure to be down to TOLERANCE; Infinity where nothing is promised. */
  readonly rounds: number;
}

/** What the rate promises after t rounds, as a share of the disagreement at the start: by rounds or by whole stretches. */
export function promised({ leaves, stretch, single }: KnownRate, t: number): number {
  return Math.min(single ** t, leaves ** Math.floor(t / stretch));
}
