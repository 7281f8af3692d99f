/**
 * After which updates a peer saves its state. Peers that stop at any moment must share one of their last two checkpoints, but
 * each has its own clock. So they save at multiples of K, and the clock only chooses K = 2^j:
 *
 *     K = the power of two from `least` on, doubled if K updates take less than 5 s, halved if they take more than 20 s
 *
 * Peers advance together, so they choose alike; if one is a step behind, its multiples are still among the others'.
 */

/** Milliseconds between two checkpoints, about. */
const interval = 10_000;

export interface SavePoints {
  /** A fixed number of updates between two checkpoints; if left out, the clock decides. */
  readonly every?: number | undefined;
  /** The fewest updates between two checkpoints, if the clock decides. */
  readonly least: number;
  /** Milliseconds of a clock. */
  readonly now: () => number;
}

/** Whether to save, asked after each update. */
export function savePoints({ every, least: lag, now }: SavePoints): (updates: number) => boolean {
  if (every !== undefined) return (updates) => updates % every === 0;
  const least = 2 ** Math.ceil(Math.log2(lag));
  let gap = least;
  let time = now();
  let from: number | undefined;
  return (updates) => {
    from ??= updates - 1;
    if (updates % gap !== 0) return false;
    const each = (now() - time) / (updates - from);
    time = now();
    from = updates;
    if (gap * each < interval / 2) gap *= 2;
    else while (gap > least && gap * each > 2 * interval) gap /= 2;
    return true;
  };
}
