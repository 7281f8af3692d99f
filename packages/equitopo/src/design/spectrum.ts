/**
 * The spectrum of a weighted set of shifts, lambda_k = sum_j w_j c(k u_j) for k = 1 .. n / 2 (the other half is its mirror
 * image), kept up to date while a search swaps shifts one at a time.
 *
 * Directed: c(m) = exp(2 pi i m / n). Undirected: a column is the pair u, n - u, or n / 2 alone, and c(m) = cos(2 pi m / n);
 * w_j is then the weight of both together. Column 0 of either is the own weight.
 */

import { rootOfUnity } from "../number/roots.ts";

/** All the roots of unity of n, and what a spectrum is read from. O(n) memory; share it between spectra of one n. */
export class Waves {
  readonly n: number;
  readonly directed: boolean;
  /** Frequencies k = 1 .. half tell everything. */
  readonly half: number;
  readonly cos: Float64Array;
  readonly sin: Float64Array;

  constructor(n: number, directed: boolean) {
    this.n = n;
    this.directed = directed;
    this.half = Math.floor(n / 2);
    this.cos = new Float64Array(n);
    this.sin = new Float64Array(directed ? n : 0);
    const root = new Float64Array(2);
    for (let m = 0; m < n; m++) {
      rootOfUnity(m, n, root);
      this.cos[m] = root[0];
      if (directed) this.sin[m] = root[1];
    }
  }

  /** Adds w c(k u) for every k to re and im (im is left alone where undirected). O(n). */
  add(u: number, w: number, re: Float64Array, im: Float64Array): void {
    const { n, half, cos, sin } = this;
    let m = 0;
    if (this.directed) {
      for (let k = 1; k <= half; k++) {
        m += u;
        if (m >= n) m -= n;
        re[k] += w * cos[m];
        im[k] += w * sin[m];
      }
    } else {
      for (let k = 1; k <= half; k++) {
        m += u;
        if (m >= n) m -= n;
        re[k] += w * cos[m];
      }
    }
  }

  /** Writes g(v) = Re sum_k conj(y_k) c(k v) for every shift v. O(n) a multiplier. */
  prices(multipliers: readonly Multiplier[], out: Float64Array): void {
    const { n, cos, sin, directed } = this;
    out.fill(0);
    for (const { k, re, im } of multipliers) {
      let m = 0;
      for (let v = 0; v < n; v++) {
        out[v] += directed ? re * cos[m] + im * sin[m] : re * cos[m];
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
export class SwapScan {
  readonly #waves: Waves;
  /** The frequencies that a swap could lift above the target, the most dangerous first. */
  readonly #dangers: Int32Array;
  readonly #squares: Float64Array;

  constructor(waves: Waves) {
    this.#waves = waves;
    this.#dangers = new Int32Array(waves.half);
    this.#squares = new Float64Array(waves.half + 1);
  }

  /**
   * Keeps, of the first `count` candidates v in `list`, those with  max_k |re_k + i im_k + w c(k v)| < target; how many
   * they are. re and im are without the column. The frequencies are gone through from the most dangerous on, and a
   * candidate that passes the target leaves: most leave at the first few, so that all candidates together cost a few n
   * multiplications and not n each.
   */
  below(target: number, w: number, re: Float64Array, im: Float64Array, list: Int32Array, count: number): number {
    const dangers = this.#order(target, w, re, im);
    const { n, cos, sin, directed } = this.#waves;
    const inverse = 1 / n;
    let left = count;
    for (let d = 0; d < dangers && left > 0; d++) {
      const k = this.#dangers[d];
      const x = re[k];
      let kept = 0;
      if (directed) {
        // |mu + w c|^2 = |mu|^2 + w^2 + 2 w Re(conj(mu) c) <= target^2
        const y = im[k];
        const most = (target * target - this.#squares[k] - w * w) / (2 * w);
        for (let a = 0; a < left; a++) {
          const v = list[a];
          const product = k * v;
          let m = product - Math.floor(product * inverse) * n;
          // The quotient may round to the next integer, either way.
          if (m < 0) m += n;
          else if (m >= n) m -= n;
          list[kept] = v;
          kept += x * cos[m] + y * sin[m] < most ? 1 : 0;
        }
      } else {
        const most = (target - x) / w;
        const least = (-target - x) / w;
        for (let a = 0; a < left; a++) {
          const v = list[a];
          const product = k * v;
          let m = product - Math.floor(product * inverse) * n;
          if (m < 0) m += n;
          else if (m >= n) m -= n;
          const c = cos[m];
          list[kept] = v;
          kept += c < most && c > least ? 1 : 0;
        }
      }
      left = kept;
    }
    return left;
  }

  /** max_k |re_k + i im_k + w c(k v)| of one candidate. O(n). */
  largest(v: number, w: number, re: Float64Array, im: Float64Array): number {
    const { n, half, cos, sin, directed } = this.#waves;
    let m = 0;
    let most = 0;
    for (let k = 1; k <= half; k++) {
      m += v;
      if (m >= n) m -= n;
      const x = re[k] + w * cos[m];
      const y = directed ? im[k] + w * sin[m] : 0;
      const square = x * x + y * y;
      if (square > most) most = square;
    }
    return Math.sqrt(most);
  }

  /** Frequencies with |mu_k| + w > target, by |mu_k| in 32 steps from the largest down; how many. */
  #order(target: number, w: number, re: Float64Array, im: Float64Array): number {
    const { half, directed } = this.#waves;
    const squares = this.#squares;
    let most = 0;
    for (let k = 1; k <= half; k++) {
      const square = directed ? re[k] * re[k] + im[k] * im[k] : re[k] * re[k];
      squares[k] = square;
      if (square > most) most = square;
    }
    const safe = target > w ? (target - w) * (target - w) : -1;
    const scale = 32 / (most - Math.max(0, safe) + 1e-300);
    const ends = new Int32Array(33);
    const step = (square: number) => Math.min(31, Math.max(0, Math.floor((most - square) * scale)));
    for (let k = 1; k <= half; k++) if (squares[k] >= safe) ends[step(squares[k]) + 1]++;
    for (let b = 0; b < 32; b++) ends[b + 1] += ends[b];
    const count = ends[32];
    for (let k = 1; k <= half; k++) if (squares[k] >= safe) this.#dangers[ends[step(squares[k])]++] = k;
    return count;
  }
}
