/**
 * The spectrum of a weighted set of shifts, lambda_k = sum_j w_j c(k u_j) for k = 1 .. n / 2 (the other half is its mirror
 * image), kept up to date while a search swaps shifts one at a time.
 *
 * Directed: c(m) = exp(2 pi i m / n). Undirected: a column is the pair u, n - u, or n / 2 alone, and c(m) = cos(2 pi m / n);
 * w_j is then the weight of both together. Column 0 of either is the own weight.
 */

import { Modes } from "../rate/modes.ts";

/** All the roots of unity of n, and what a spectrum is read from. O(n) memory; share it between spectra of one n. */
export class Waves extends Modes {
  readonly directed: boolean;
  /** Frequencies k = 1 .. half determine all others. */
  readonly half: number;

  constructor(n: number, directed: boolean) {
    super(n, directed ? "complex" : "real");
    this.directed = directed;
    this.half = Math.floor(n / 2);
  }

  /** Writes sum_j w_j c(k u_j) for every k, as [re, im, re, im, ...]. O(n) for each weight that is not 0. */
  sum(shifts: ArrayLike<number>, weights: ArrayLike<number>, out: Float64Array): void {
    out.fill(0);
    for (let j = 0; j < shifts.length; j++) if (weights[j] !== 0) this.add(shifts[j], weights[j], out);
  }

  /** Writes g(v) = Re sum_k conj(y_k) c(k v) for every shift v; undirected, y_k is real. O(n) a multiplier. */
  prices(multipliers: readonly Multiplier[], out: Float64Array): void {
    const { n, roots } = this;
    out.fill(0);
    for (const { k, re, im } of multipliers) {
      let m = 0;
      for (let v = 0; v < n; v++) {
        out[v] += re * roots[2 * m] + im * roots[2 * m + 1];
        m += k;
        if (m >= n) m -= n;
      }
    }
  }
}

/** y_k at a frequency k. */
export interface Multiplier {
  readonly k: number;
  readonly re: number;
  readonly im: number;
}

/** The shifts that can improve a set when they take the place of one of its columns. */
export function swapScan(waves: Waves) {
  const { n, half, roots, directed } = waves;
  /** The frequencies that a swap could lift above the target, the most dangerous first. */
  const ranked = new Int32Array(half);
  const squares = new Float64Array(half + 1);

  /**
   * Keeps, of the first `count` candidates v in `list`, those with  max_k |lambda_k + w c(k v)| < target; how many they are.
   * `values` are the lambda_k without the column. The frequencies are gone through from the most dangerous on, and a
   * candidate that passes the target leaves: most leave at the first few, so that all candidates together cost a few n
   * multiplications and not n each.
   */
  function below(target: number, w: number, values: Float64Array, list: Int32Array, count: number): number {
    const dangers = order(target, w, values);
    const inverse = 1 / n;
    let left = count;
    for (let d = 0; d < dangers && left > 0; d++) {
      const k = ranked[d];
      // Directed: |mu + w c|^2 = |mu|^2 + w^2 + 2 w Re(conj(mu) c) < target^2. Undirected: -target < mu + w c < target.
      const x = directed ? values[2 * k] : 1;
      const y = values[2 * k + 1];
      const most = directed ? (target * target - squares[k] - w * w) / (2 * w) : (target - values[2 * k]) / w;
      const least = directed ? Number.NEGATIVE_INFINITY : (-target - values[2 * k]) / w;
      let kept = 0;
      for (let a = 0; a < left; a++) {
        const v = list[a];
        const product = k * v;
        let m = product - Math.floor(product * inverse) * n;
        // The quotient may round to the next integer, either way.
        if (m < 0) m += n;
        else if (m >= n) m -= n;
        const c = x * roots[2 * m] + y * roots[2 * m + 1];
        list[kept] = v;
        kept += c < most && c > least ? 1 : 0;
      }
      left = kept;
    }
    return left;
  }

  /** max_k |lambda_k + w c(k v)| of one candidate. O(n). */
  function largest(v: number, w: number, values: Float64Array): number {
    let m = 0;
    let most = 0;
    for (let k = 1; k <= half; k++) {
      m += v;
      if (m >= n) m -= n;
      const x = values[2 * k] + w * roots[2 * m];
      const y = directed ? values[2 * k + 1] + w * roots[2 * m + 1] : 0;
      const square = x * x + y * y;
      if (square > most) most = square;
    }
    return Math.sqrt(most);
  }

  /** Frequencies with |mu_k| + w > target, by |mu_k| in 32 steps from the largest down; how many. */
  function order(target: number, w: number, values: Float64Array): number {
    let most = 0;
    for (let k = 1; k <= half; k++) {
      squares[k] = values[2 * k] * values[2 * k] + values[2 * k + 1] * values[2 * k + 1];
      most = Math.max(most, squares[k]);
    }
    const safe = target > w ? (target - w) * (target - w) : -1;
    const scale = 32 / (most - Math.max(0, safe) + 1e-300);
    const ends = new Int32Array(33);
    const step = (square: number) => Math.min(31, Math.max(0, Math.floor((most - square) * scale)));
    for (let k = 1; k <= half; k++) if (squares[k] >= safe) ends[step(squares[k]) + 1]++;
    for (let b = 0; b < 32; b++) ends[b + 1] += ends[b];
    const count = ends[32];
    for (let k = 1; k <= half; k++) if (squares[k] >= safe) ranked[ends[step(squares[k])]++] = k;
    return count;
  }

  return { below, largest };
}
