/**
 * Push-sum (Kempe, Dobra and Gehrke, FOCS 2003): with every row travels a weight v_i, 1 at the start, and both follow the
 * same column stochastic round. Sum of rows and sum of weights never change, both become proportional to the same
 * (Perron) vector, and
 *
 *   z_i = x_i / v_i  ->  (sum_j x_j(0)) / (sum_j v_j(0)) = the mean of x(0),
 *
 * whatever was lost on the way, as long as messages keep getting through. Here the weight is one more column of the
 * rows, so that one pass mixes both; it costs one number more per message.
 */

import type { Rows } from "../round/round.ts";

/** Rows x_i of d numbers into rows (w x_i, w) of d + 1; w is 1 but in weighted means, and 0 counts nothing, whatever x_i is. */
export function attachWeights(x: Rows, d: number, out: Rows, weight = 1): void {
  for (let i = 0; i * d < x.length; i++) {
    for (let k = 0; k < d; k++) out[i * (d + 1) + k] = weight === 0 ? 0 : weight * x[i * d + k];
    out[i * (d + 1) + d] = weight;
  }
}

/**
 * z_i = x_i / v_i, from rows of d + 1 into rows of d. A node that gives away all it has and hears nothing (graphs without
 * own weights) is left with 0 / 0: it keeps what it said last.
 */
export function ratios(weighted: Rows, d: number, out: Rows): void {
  for (let i = 0; i * d < out.length; i++) {
    const weight = weighted[i * (d + 1) + d];
    if (weight === 0) continue;
    for (let k = 0; k < d; k++) out[i * d + k] = weighted[i * (d + 1) + k] / weight;
  }
}
