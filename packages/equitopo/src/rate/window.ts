/**
 * Averages over q labels in a row, out of n on a circle: (I + P + ... + P^(q-1)) / q has the eigenvalues of modulus
 *
 *   |sin(pi q k / n)| / (q |sin(pi k / n)|),   k = 1 .. n - 1,
 *
 * and 1 at k = 0. Rounds by b shifts b^l apart, l = 0 .. T - 1, multiply to the window q = b^T (k-peer exponential,
 * doubling), and T rounds of a de Bruijn graph look at such a window, too.
 */

import { rootOfUnity } from "../number/roots.ts";

/** A window of q labels that is averaged over `times` times. */
export interface Window {
  /** q, perhaps beyond all numbers: then its norm is below them. */
  readonly size: number;
  /** q mod n, which cannot be computed from q once q has been rounded. */
  readonly residue: number;
  readonly times: number;
}

/**
 * The largest product of the windows' moduli over k = 1 .. n - 1: the norm of the disagreement kept, which is that of k = 1,
 * where each modulus is largest. 0 only where it is exact, that is where n divides some q; a norm too small for a number is
 * the smallest number. O(windows).
 */
export function windowNorm(n: number, windows: readonly Window[]): number {
  if (windows.some(({ residue }) => residue === 0)) return 0;
  const root = new Float64Array(2);
  const sine = (m: number) => {
    rootOfUnity(Math.min(m, n - m), 2 * n, root);
    return root[1];
  };
  const own = sine(1);
  const product = windows.reduce(
    (product, { size, residue, times }) => product * (sine(residue) / own / size) ** times,
    1,
  );
  return Math.max(product, Number.MIN_VALUE);
}
