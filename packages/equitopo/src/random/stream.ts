/**
 * Uniform numbers, unbiased integers, permutations: all functions of (seed, stream, round).
 */

import { integer } from "../input/input.ts";
import { block, multiplyHigh } from "./philox.ts";

/**
 * Who draws from where. Two uses of one seed never share a stream; the numbers are part of the file format of seeds
 * (changing one changes everybody's graphs), so they are only ever added to.
 */
export const streams = {
  basis: 1,
  shift: 2,
  order: 3,
  graph: 4,
  initialState: 5,
  lanczos: 6,
  gains: 7,
  stability: 8,
  relabel: 9,
  roundLabels: 10,
  push: 11,
  drop: 20,
  straggler: 21,
  absent: 22,
  stale: 23,
  liars: 24,
  lies: 25,
  transport: 28,
  schedule: 29,
  solution: 30,
  features: 31,
  measurement: 32,
  localSolution: 33,
  labels: 34,
  gradientNoise: 35,
  algorithm: 40,
  initialParameters: 50,
  dropout: 51,
  split: 52,
  shuffle: 53,
  augmentation: 54,
  synthetic: 55,
  plane: 56,
  grammar: 57,
  windows: 58,
  sampling: 59,
  design: 60,
  regular: 61,
  cliques: 62,
  matchings: 63,
  permutations: 64,
  membership: 70,
} as const;

/**
 * The numbers of one (seed, stream, round), read from the first on.
 *
 * @example
 * ```ts
 * import { RandomStream } from "equitopo";
 * const dice = new RandomStream(7, 100, 0);
 * const first = [dice.below(6), dice.below(6)];
 * const again = new RandomStream(7, 100, 0);
 * [again.below(6), again.below(6)].join() === first.join() // => true
 * ```
 */
export class RandomStream {
  readonly #seed: number;
  readonly #stream: number;
  #round: number;
  readonly #words = new Uint32Array(4);
  #index = 0;
  #used = 4;

  constructor(seed: number, stream: number, round = 0) {
    this.#seed = integer("seed", seed, 0);
    this.#stream = integer("stream", stream, 0, 0xffffffff);
    this.#round = integer("round", round, 0);
  }

  /** The same stream from the first number of another round on. */
  at(round: number): this {
    this.#round = Number.isSafeInteger(round) && round >= 0 ? round : integer("round", round, 0);
    this.#index = 0;
    this.#used = 4;
    return this;
  }

  /** 32 random bits. */
  word(): number {
    if (this.#used === 4) {
      block(this.#seed, this.#stream, this.#round, this.#index++, this.#words);
      this.#used = 0;
    }
    return this.#words[this.#used++];
  }

  /** A uniform integer in [0, range), range <= 2^32, without bias (Lemire's multiplication with rejection). */
  below(range: number): number {
    if (!(Number.isInteger(range) && range > 0 && range <= 4294967296)) integer("range", range, 1, 4294967296);
    let word = this.word();
    let low = Math.imul(word, range) >>> 0;
    if (low < range) {
      const threshold = (4294967296 - range) % range;
      while (low < threshold) {
        word = this.word();
        low = Math.imul(word, range) >>> 0;
      }
    }
    return range === 4294967296 ? word : multiplyHigh(word, range);
  }

  /** A uniform number in [0, 1), a multiple of 2^-53. */
  uniform(): number {
    const high = this.word() >>> 5;
    return (high * 67108864 + (this.word() >>> 6)) / 9007199254740992;
  }

  /** A uniformly random order of 0, 1, ..., n - 1 (Fisher-Yates). */
  permutation(n: number): Int32Array {
    const order = Int32Array.from({ length: integer("n", n, 0, 2 ** 31 - 1) }, (_, i) => i);
    for (let i = n - 1; i > 0; i--) {
      const j = this.below(i + 1);
      const held = order[i];
      order[i] = order[j];
      order[j] = held;
    }
    return order;
  }
}
