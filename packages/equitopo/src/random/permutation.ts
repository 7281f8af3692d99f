/**
 * A random order of the labels 0 .. n-1 that is never written out: o(i) and its inverse in O(1), both functions of
 * (seed, stream, round), so that any node finds its place, and who has a given place, alone.
 *
 * A label is a pair (x, y) of Z_a x Z_b, a b >= n, both near sqrt n. Half-rounds add a keyed hash of one half to the other,
 *
 *   x <- x + f_1(y) mod a,   y <- y + f_2(x) mod b,   x <- x + f_3(y) mod a, ...
 *
 * which is undone by subtracting in the opposite order (a Feistel network; on residues in place of bits: Black and
 * Rogaway, "Ciphers with arbitrary finite domains", 2002). Fewer than a of the a b pairs are no label; from one of those
 * the network is walked on until it comes to a label, less than twice in the mean.
 *
 * Two half-rounds bring a pair of labels nearer to a uniform pair by a factor of about 1/(a b), so small n get more of
 * them: the bias of pairs is below 2^-32 at every n, as far as the hash can be told from chance.
 */

import { integer } from "../input/input.ts";
import { block } from "./philox.ts";

/** What pairs may be off by, and the half-rounds that every n gets. */
const BIAS = 2 ** 32;
const LEAST = 6;

/**
 * One order for each round number. The object is keyed anew in place by `at`, which costs one Philox block.
 *
 * @example
 * ```ts
 * import { KeyedPermutation } from "equitopo/random";
 * const order = new KeyedPermutation(1e6, 7, 100);
 * const place = order.at(3).forward(123_456);
 * order.at(3).inverse(place) // => 123456
 * ```
 */
export class KeyedPermutation {
  readonly n: number;
  readonly #seed: number;
  readonly #stream: number;
  readonly #a: number;
  readonly #b: number;
  /** Pairs of half-rounds, x and then y. */
  readonly #pairs: number;
  readonly #words = new Int32Array(4);
  #round = -1;

  constructor(n: number, seed: number, stream: number) {
    this.n = integer("n", n, 1, 2 ** 31 - 1);
    this.#seed = integer("seed", seed, 0);
    this.#stream = integer("stream", stream, 0, 0xffffffff);
    this.#a = Math.max(2, Math.ceil(Math.sqrt(n)));
    this.#b = Math.ceil(n / this.#a);
    let pairs = 0;
    for (let closeness = 1; closeness < BIAS || 2 * pairs < LEAST; pairs++) closeness *= this.#a * this.#b;
    this.#pairs = pairs;
  }

  /** The order of another round. */
  at(round: number): this {
    if (round !== this.#round) {
      block(this.#seed, this.#stream, round, 0, this.#words);
      this.#round = round;
    }
    return this;
  }

  /** o(i), for a label i. */
  forward(i: number): number {
    const a = this.#a;
    const b = this.#b;
    const words = this.#words;
    let label = i;
    do {
      let y = (label / a) | 0;
      let x = label - a * y;
      for (let r = 0; r < this.#pairs; r++) {
        x += below(a, y, words[0] + r, words[1]);
        if (x >= a) x -= a;
        y += below(b, x, words[2] + r, words[3]);
        if (y >= b) y -= b;
      }
      label = a * y + x;
    } while (label >= this.n);
    return label;
  }

  /** The i with o(i) = j, for a label j. */
  inverse(j: number): number {
    const a = this.#a;
    const b = this.#b;
    const words = this.#words;
    let label = j;
    do {
      let y = (label / a) | 0;
      let x = label - a * y;
      for (let r = this.#pairs - 1; r >= 0; r--) {
        y -= below(b, x, words[2] + r, words[3]);
        if (y < 0) y += b;
        x -= below(a, y, words[0] + r, words[1]);
        if (x < 0) x += a;
      }
      label = a * y + x;
    } while (label >= this.n);
    return label;
  }
}

/** A number in [0, range) from a label's half and two words of key: Murmur's finishing steps, the keys added before each product. */
function below(range: number, half: number, key: number, other: number): number {
  let h = Math.imul(key, 0x9e3779b1) ^ half;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b) + other;
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  h ^= h >>> 16;
  // Exact in doubles: range is at most 46341, so the product stays below 2^48.
  return (((h >>> 0) * range) / 4294967296) | 0;
}
