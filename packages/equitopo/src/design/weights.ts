/**
 * The best weights on a given set of shifts: least t with |lambda_k(w)| <= t for all k != 0, w >= 0 of sum 1; a convex
 * problem with few active frequencies.
 *
 * Cutting planes: |lambda_k| <= t is replaced by its tangents Re(conj(d) lambda_k) <= t, |d| = 1, at the frequencies that
 * stood out so far, which is a matrix game (game.ts); its value is a lower bound and its weights an attempt, whose worst
 * frequencies give the next tangents. Tens of steps, O(n K) each. Undirected the tangents are d = +-1 and it is exact.
 *
 * The rows that hold the last game up are the certificate: complex multipliers y_k on few frequencies with sum |y_k| = 1,
 * and for every w on this support  max_k |lambda_k| >= Re sum_k conj(y_k) lambda_k = sum_j w_j g(u_j) >= min_j g(u_j),
 * g(u) = Re sum_k conj(y_k) c(k u).
 */

import { growingGame } from "./game.ts";
import type { Multiplier, Waves } from "./spectrum.ts";

/** Tangents that one attempt adds at most. */
const CUTS = 4;
const MOST_STEPS = 200;
/** Squared distance of directions below which two tangents would add nothing to the game but rounding errors: 1e-12. */
const PARALLEL = 1e-11;
/** A rate that is 0 but for rounding. */
const NOTHING = 1e-10;
/** Rounding in the game's mixture that is put up with. */
const DRIFT = 1e-10;

/** Finds best weights for supports of one size again and again, in buffers of its own. */
export class WeightOptimiser {
  readonly #waves: Waves;
  readonly #columns: number;
  readonly #game: ReturnType<typeof growingGame>;
  readonly #attempt: Float64Array;
  readonly #row: Float64Array;
  readonly #values: Float64Array;
  /** The tangents so far: frequency and direction. */
  readonly #cuts: Multiplier[] = [];
  /** The worst frequencies of the last attempt and their |lambda|^2, largest first. */
  readonly #worst = new Int32Array(CUTS);
  readonly #worstSquare = new Float64Array(CUTS);
  /** The best weights of the last call; overwritten by the next. */
  readonly weights: Float64Array;
  /** Their max_k |lambda_k|. */
  rate = 1;
  /** What no weights on that support go below. */
  bound = 0;

  constructor(waves: Waves, columns: number) {
    this.#waves = waves;
    this.#columns = columns;
    this.#game = growingGame(columns);
    this.#attempt = new Float64Array(columns);
    this.#row = new Float64Array(columns);
    this.#values = new Float64Array(2 * waves.count);
    this.weights = new Float64Array(columns);
  }

  /**
   * Fills `weights`, `rate` and `bound`; stops when they are within `tolerance`, or as soon as the bound shows that the
   * support cannot beat `cutoff`. Returns the rate.
   */
  optimise(shifts: ArrayLike<number>, tolerance = 1e-9, cutoff = Number.POSITIVE_INFINITY): number {
    const columns = this.#columns;
    const attempt = this.#attempt;
    this.#forget();
    attempt.fill(1 / columns);
    this.rate = Number.POSITIVE_INFINITY;
    this.bound = 0;
    for (let step = 0; step < MOST_STEPS; step++) {
      const rate = this.#inspect(shifts, attempt);
      if (rate < this.rate) {
        this.rate = rate;
        this.weights.set(attempt);
      }
      if (this.rate - this.bound <= tolerance || this.bound >= cutoff) break;
      let cuts = 0;
      for (let c = 0; c < Math.min(CUTS, this.#waves.half); c++) {
        const violated = Math.sqrt(this.#worstSquare[c]) > this.bound + 0.5 * tolerance;
        if (violated && this.#cut(shifts, this.#worst[c])) cuts++;
      }
      if (cuts === 0 || !this.#solved(shifts)) break;
      this.bound = Math.max(this.bound, this.#game.value());
      this.#game.weights(attempt);
    }
    return this.rate;
  }

  /** The multipliers behind the last bound, sum |y_k| = 1; none where the rate is 0, of which there is nothing to prove. */
  multipliers(): Multiplier[] {
    if (this.rate < NOTHING) return [];
    const at = new Map<number, { re: number; im: number }>();
    this.#game.forEachMultiplier((label, share) => {
      const { k, re, im } = this.#cuts[label];
      const sum = at.get(k) ?? { re: 0, im: 0 };
      at.set(k, { re: sum.re + share * re, im: sum.im + share * im });
    });
    const total = [...at.values()].reduce((sum, { re, im }) => sum + Math.sqrt(re * re + im * im), 0);
    return [...at]
      .sort(([a], [b]) => a - b)
      .map(([k, { re, im }]) => ({ k, re: re / total, im: im / total }))
      .filter(({ re, im }) => re !== 0 || im !== 0);
  }

  /** Solves the game; where rounding has spoilt it, anew from fresh tangents at the best weights so far. */
  #solved(shifts: ArrayLike<number>): boolean {
    const game = this.#game;
    if (game.solve() && game.drift() < DRIFT) return true;
    const { half } = this.#waves;
    this.#forget();
    this.#inspect(shifts, this.weights);
    const least = (0.98 * this.rate) ** 2;
    for (let k = 1; k <= half && this.#cuts.length < game.capacity; k++) {
      if (this.#values[2 * k] ** 2 + this.#values[2 * k + 1] ** 2 >= least) this.#cut(shifts, k);
    }
    return game.solve() && game.drift() < DRIFT;
  }

  #forget(): void {
    this.#game.clear();
    this.#cuts.length = 0;
  }

  /** Adds the tangent at frequency k for the current attempt; false if there is one that is nearly the same. */
  #cut(shifts: ArrayLike<number>, k: number): boolean {
    const [x, y] = [this.#values[2 * k], this.#values[2 * k + 1]];
    const modulus = Math.sqrt(x * x + y * y);
    const [re, im] = [x / modulus, y / modulus];
    const isKnown = (cut: Multiplier) => cut.k === k && (re - cut.re) ** 2 + (im - cut.im) ** 2 < PARALLEL;
    if (this.#cuts.some(isKnown)) return false;
    const { n, roots } = this.#waves;
    for (let j = 0; j < this.#columns; j++) {
      const m = (k * shifts[j]) % n;
      this.#row[j] = re * roots[2 * m] + im * roots[2 * m + 1];
    }
    this.#game.add(this.#row, this.#cuts.length);
    this.#cuts.push({ k, re, im });
    return true;
  }

  /** max_k |lambda_k| of some weights, and the frequencies of its greatest values. O(n K). */
  #inspect(shifts: ArrayLike<number>, weights: Float64Array): number {
    const { half } = this.#waves;
    const values = this.#values;
    this.#waves.sum(shifts, weights, values);
    const worst = this.#worst;
    const squares = this.#worstSquare;
    squares.fill(-1);
    for (let k = 1; k <= half; k++) {
      const square = values[2 * k] * values[2 * k] + values[2 * k + 1] * values[2 * k + 1];
      if (square <= squares[CUTS - 1]) continue;
      let place = CUTS - 1;
      for (; place > 0 && squares[place - 1] < square; place--) {
        squares[place] = squares[place - 1];
        worst[place] = worst[place - 1];
      }
      squares[place] = square;
      worst[place] = k;
    }
    return Math.sqrt(squares[0]);
  }
}
