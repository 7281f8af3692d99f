/**
 * Whether paired values differ, by counting: if two runs are alike, each difference of a seed is as likely with the other
 * sign. p is the share of all 2^seeds choices of signs whose sum is at least as far from 0 as the sum found. Holm's rule keeps
 * the chance of one wrong claim among several pairs below the level.
 */

/** Of all claims of a comparison together. */
export const LEVEL = 0.05;
/** Up to here all choices of signs are counted, from the sums of two halves: 2^20 each. */
const MOST = 40;
/** Sums nearer than this share of their size differ by rounding only. */
const TIED = 1e-12;

/**
 * The exact two-sided p of paired differences; null for more than 40, of which there are too many signs.
 * O(2^(n/2) n).
 */
export function signFlip(differences: readonly number[]): number | null {
  const count = differences.length;
  if (count > MOST) return null;
  const sizes = differences.map(Math.abs);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const found = Math.abs(differences.reduce((sum, value) => sum + value, 0)) - TIED * total;
  if (!(found > 0)) return 1;
  const left = signedSums(sizes.slice(0, count >> 1));
  const right = signedSums(sizes.slice(count >> 1));
  // The smaller the left sum, the fewer of the right ones reach far enough.
  let reached = 0;
  let from = 0;
  for (let k = left.length - 1; k >= 0; k--) {
    while (from < right.length && left[k] + right[from] < found) from++;
    reached += right.length - from;
  }
  // As many on the other side.
  return (2 * reached) / 2 ** count;
}

/** The sums of all choices of signs, ascending. */
function signedSums(sizes: readonly number[]): Float64Array {
  let sums = Float64Array.of(0);
  for (const size of sizes) {
    sums = Float64Array.from({ length: 2 * sums.length }, (_, k) => sums[k >> 1] + (k % 2 === 0 ? -size : size));
  }
  return sums.sort();
}

/** Which of several claims hold together: the smallest p against level / m, the next against level / (m - 1), and so on. */
export function holm(ps: readonly (number | null)[], level = LEVEL): boolean[] {
  const order = ps.map((p, k) => ({ p: p ?? 1, k })).sort((a, b) => a.p - b.p);
  const first = order.findIndex(({ p }, rank) => p > level / (ps.length - rank));
  const holds = new Set(order.slice(0, first < 0 ? order.length : first).map(({ k }) => k));
  return ps.map((_, k) => holds.has(k));
}

/** The seeds from which on the smallest p there is, 2 / 2^seeds, can hold among so many pairs. */
export function seedsNeeded(pairs: number, level = LEVEL): number {
  let seeds = 1;
  while (2 / 2 ** seeds > level / pairs) seeds++;
  return seeds;
}
