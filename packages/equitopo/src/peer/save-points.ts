/**
 * After which updates a peer saves where it stands. Peers that stop at any moment must share one of their last two
 * checkpoints, and each has a clock of its own; so they save at multiples of K, and a clock only chooses K = 2^j:
 *
 *     K = the power of two from usualLag(n) on, doubled where K updates take less than 5 s, halved where more than 20 s
 *
 * Peers advance together, so they choose alike, and where one is a step behind, its multiples are still among the others'.
 */

import { usualLag } from "./gather.ts";

/** Milliseconds that are to lie between two checkpoints. */
const interval = 10_000;

/** Whether it is time to save, asked after each update: every so many updates, or by the clock where that is left out. */
export function savePoints(n: number, every?: number, now = () => performance.now()): (updates: number) => boolean {
  if (every !== undefined) return (updates) => updates % every === 0;
  const least = 2 ** Math.ceil(Math.log2(usualLag(n)));
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
