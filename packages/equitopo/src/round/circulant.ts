/** Circulants W = self I + sum_j weights[j] P^(shifts[j]), P the shift i <- i - 1, and what is seen without a spectrum. */

import { gcd } from "../number/integers.ts";

export interface Circulant {
  readonly n: number;
  readonly self: number;
  /** Distinct, in [1, n). */
  readonly shifts: ArrayLike<number>;
  readonly weights: ArrayLike<number>;
}

/** Into how many parts steps by the given shifts part the labels: gcd(n, shifts). */
export function partsByShifts(n: number, shifts: ArrayLike<number>): number {
  let divisor = n;
  for (let j = 0; j < shifts.length && divisor !== 1; j++) divisor = gcd(divisor, shifts[j]);
  return divisor;
}

/** Whether steps by the given shifts reach every label from every other. */
export const isConnected = (n: number, shifts: ArrayLike<number>): boolean => partsByShifts(n, shifts) === 1;

/** Whether W = W^T, where the shifts ascend: each has its opposite, of the same weight. */
export function isSymmetric({ n, shifts, weights }: Circulant): boolean {
  const last = shifts.length - 1;
  for (let k = 0; 2 * k <= last; k++) {
    if (shifts[k] !== n - shifts[last - k] || weights[k] !== weights[last - k]) return false;
  }
  return true;
}
