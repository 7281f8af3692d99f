/**
 * What CHOCO-SGD sends in place of a vector. Every Q here is a contraction, ||Q(v) - v||^2 <= (1 - delta) ||v||^2 with
 * delta > 0, which is all that its error feedback asks for.
 *
 * - top-k:    the k numbers of largest size; with ties the first. k (index and number). delta >= k/d.
 * - random-k: k coordinates drawn at random; the receiver draws the same ones, so no index is sent. delta = k/d in mean.
 * - quantise: b bits a number, the nearest of 2^b - 1 levels between -max|v| and max|v|, and max|v| itself; that one is
 *   exact, and no number's error exceeds the number. delta >= 1/d.
 */

import { multiplyHigh } from "../random/philox.ts";
import type { Rows } from "../round/round.ts";

export interface Compressor {
  /** Random words it takes for a row. */
  readonly words: number;
  /** Bytes of a compressed row whose numbers have `size` bytes. */
  bytes(size: number): number;
  /** row <- Q(row), with its own words. */
  compress(row: Rows, words: Uint32Array): void;
}

const INDEX_BYTES = 4;

/** Keeps the k largest of d. O(d log d). */
export function topK(d: number, k: number): Compressor {
  const sizes = new Float64Array(d);
  return {
    words: 0,
    bytes: (size) => k * (INDEX_BYTES + size),
    compress(row) {
      for (let j = 0; j < d; j++) sizes[j] = Math.abs(row[j]);
      sizes.sort();
      const least = sizes[d - k];
      let ties = k;
      for (let j = d - k; j < d; j++) if (sizes[j] > least) ties--;
      for (let j = 0; j < d; j++) {
        const size = Math.abs(row[j]);
        if (size < least || (size === least && ties-- <= 0)) row[j] = 0;
      }
    },
  };
}

/** Keeps k of d at random: the first k of a shuffle. O(d). */
export function randomK(d: number, k: number): Compressor {
  const order = new Int32Array(d);
  return {
    words: k,
    bytes: (size) => k * size,
    compress(row, words) {
      for (let j = 0; j < d; j++) order[j] = j;
      for (let j = 0; j < k; j++) {
        // The odds are off by less than d / 2^32, and no word is ever drawn again: k words a row, always.
        const other = j + multiplyHigh(words[j], d - j);
        const held = order[j];
        order[j] = order[other];
        order[other] = held;
      }
      for (let j = k; j < d; j++) row[order[j]] = 0;
    },
  };
}

/** Rounds to b >= 2 bits. Rounding to the nearest level never grows a number's error beyond the number. O(d). */
export function quantise(d: number, b: number): Compressor {
  const levels = 2 ** (b - 1) - 1;
  return {
    words: 0,
    bytes: (size) => size + Math.ceil((b * d) / 8),
    compress(row) {
      let largest = 0;
      for (let j = 0; j < d; j++) largest = Math.max(largest, Math.abs(row[j]));
      const unit = largest / levels;
      // Numbers so small that their squares are 0 are sent as 0, before dividing by such a unit loses their digits.
      if (unit < 1e-200) {
        row.fill(0);
        return;
      }
      for (let j = 0; j < d; j++) row[j] = unit * Math.round(row[j] / unit);
    },
  };
}
