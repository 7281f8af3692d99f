/**
 * A random order of the labels 0 .. n-1 that is never written out: o(i) and its inverse in O(1), both functions of
 * (seed, stream, round), so that any node finds its place, and the label at a given place, by itself.
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
 * them: the bias of pairs is below 2^-32 at every n, if the hash is as good as chance.
 *
 * Only so much is uniform: where two labels go, not the order as a whole. 128 bits of key make at most 2^128 orders, fewer
 * than n! from n = 35 on. And where a = b is odd, half-rounds turn cycles of odd length, and the pairs are permuted evenly.
 * So at an odd square n (9, 25, 49, 81, ...) only even permutations come, one half of all; at n from a (a - 1) + 1 to
 * a^2 - 1 the parity is that of a^2 - n, but for a chance of about (a^2 - n) / n. At all other n both are equally likely.
 * Where up to n - 2 labels go shows nothing of it: permutations of one parity take any n - 2 of them to any others.
 */

import { integer } from "../input/input.ts";
import { block } from "./philox.ts";

/** What pairs may be off by, and the half-rounds that every n gets. */
const BIAS = 2 ** 32;
const LEAST = 6;

const STEPS = [0x9e3779b9, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a];

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
  readonly #words = new Int32Array(4);
  /** Two words for each half-round. */
  readonly #keys: Int32Array;
  #round = -1;

  constructor(n: number, seed: number, stream: number) {
    this.n = integer("n", n, 1, 2 ** 31 - 1);
    this.#seed = integer("seed", seed, 0);
    this.#stream = integer("stream", stream, 0, 0xffffffff);
    this.#a = Math.max(2, Math.ceil(Math.sqrt(n)));
    this.#b = Math.ceil(n / this.#a);
    let pairs = 0;
    for (let closeness = 1; closeness < BIAS || 2 * pairs < LEAST; pairs++) closeness *= this.#a * this.#b;
    this.#keys = new Int32Array(4 * pairs);
  }

  /** The order of another round. */
  at(round: number): this {
    if (round !== this.#round) {
      const words = this.#words;
      block(this.#seed, this.#stream, round, 0, words);
      // Each of the four words goes on from pair to pair of half-rounds by a step of its own (Weyl sequences).
      for (let at = 0; at < this.#keys.length; at++) {
        this.#keys[at] = words[at & 3];
        words[at & 3] = (words[at & 3] + STEPS[at & 3]) | 0;
      }
      this.#round = round;
    }
    return this;
  }

  /** o(i), for a label i. */
  forward(i: number): number {
    const a = this.#a;
    const b = this.#b;
    const keys = this.#keys;
    let label = i;
    do {
      let y = (label / a) | 0;
      let x = label - a * y;
      for (let at = 0; at < keys.length; at += 4) {
        x += below(a, y, keys[at], keys[at + 1]);
        if (x >= a) x -= a;
        y += below(b, x, keys[at + 2], keys[at + 3]);
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
    const keys = this.#keys;
    let label = j;
    do {
      let y = (label / a) | 0;
      let x = label - a * y;
      for (let at = keys.length - 4; at >= 0; at -= 4) {
        y -= below(b, x, keys[at + 2], keys[at + 3]);
        if (y < 0) y += b;
        x -= below(a, y, keys[at], keys[at + 1]);
        if (x < 0) x += a;
      }
      label = a * y + x;
    } while (label >= this.n);
    return label;
  }
}

/**
 * A number in [0, range) from a label's half and two words of key: two products, so that every bit of the half reaches
 * the high bits, which are the ones that count.
 */
function below(range: number, half: number, key: number, other: number): number {
  const h = Math.imul(half ^ key, 0x85ebca6b);
  // Exact in doubles: range is at most 46341, so the product stays below 2^48. 2^-32 as a factor, not a division.
  return ((Math.imul((h ^ (h >>> 15)) + other, 0xc2b2ae35) >>> 0) * range * 2.3283064365386963e-10) | 0;
}
