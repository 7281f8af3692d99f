/**
 * Iterated local search for the set of shifts with the lowest rate under its best weights.
 *
 *   descend   one column after the other is swapped for the best shift there is, at equal weights, until none helps;
 *   weigh     the best weights (weights.ts), and where they hold promise descend again with these, until neither helps;
 *   kick      swap a few columns of the best set for random ones, and go on from there; start afresh where that stays fruitless.
 *
 * Every other chunk skips equal weights: slower, but some of the best sets have weights that differ much, and are never met
 * otherwise. The work is cut into chunks, each a search of its own from its own random numbers: what is found depends on the seed and
 * on the number of evaluations (sets considered), never on how many threads share the chunks.
 */

import { RandomStream, streams } from "../random/stream.ts";
import { SwapScan, Waves } from "./spectrum.ts";
import {
  anotherShift,
  candidateCount,
  columnsOf,
  fixedOf,
  type Question,
  randomColumns,
  symmetricColumns,
} from "./support.ts";
import { WeightOptimiser } from "./weights.ts";

/** The columns of a support: the own weight's shift 0 first; undirected, one of each pair. */
export interface Found {
  readonly shifts: readonly number[];
  /** Under its best weights, to 1e-9. */
  readonly rate: number;
  readonly evaluations: number;
}

/** Kicks without success after which a search starts afresh. */
const PATIENCE = 40;
/** A set whose equal weights are this much above the best is not worth weighing. */
const PROMISE = 1.25;
/** Shifts that are weighed in a column's place; fewer where every set is taken so far. */
const WEIGHED = 16;
const WEIGHED_FIRST = 6;
/** The largest n at which every other chunk skips equal weights: beyond, weighing takes too long. */
const MOST_WEIGHED = 600;
/** Of so many descents, or n / 20, one is followed by exchanges, however far it got. */
const SELDOM = 10;
/** Maps that are tried for a symmetric start. */
const SYMMETRIC_TRIES = 200;
/** Column sweeps in a chunk. */
const SWEEPS = 1500;
/** Sets in a chunk where a sweep is long, and the fewest sweeps there. */
const MOST_EVALUATIONS = 2 ** 26;
const FEWEST_SWEEPS = 30;

/** Evaluations in one chunk. */
export function chunkSize(question: Question): number {
  const sweep = columnsOf(question) * candidateCount(question);
  return Math.min(SWEEPS * sweep, Math.max(MOST_EVALUATIONS, FEWEST_SWEEPS * sweep));
}

/** One thread's search: its tables serve all chunks of a question. */
export class Search {
  readonly #question: Question;
  readonly #columns: number;
  /** Columns from here on may be swapped: undirected, 0 stays, and n / 2 where the degree is odd. */
  readonly #fixed: number;
  readonly #waves: Waves;
  readonly #scan: SwapScan;
  readonly #optimiser: WeightOptimiser;
  /** Of sets that lack a column. */
  readonly #without: WeightOptimiser;
  readonly #prices: Float64Array;
  readonly #re: Float64Array;
  readonly #im: Float64Array;
  readonly #candidates: Int32Array;
  readonly #shifts: Int32Array;
  readonly #weights: Float64Array;
  /** Equal weights of shifts: a pair's column has twice that of a single one. */
  readonly #equal: Float64Array;
  #random = new RandomStream(0, streams.design);
  #evaluations = 0;
  #locals = 0;
  /** Whether the chunk goes by best weights from the start. */
  #weighed = false;
  /** Whether the chunk is at its end. */
  #over = () => true;

  constructor(question: Question) {
    const { n, directed } = question;
    this.#question = question;
    this.#columns = columnsOf(question);
    this.#fixed = fixedOf(question);
    this.#waves = new Waves(n, directed);
    this.#scan = new SwapScan(this.#waves);
    this.#optimiser = new WeightOptimiser(this.#waves, this.#columns);
    this.#without = new WeightOptimiser(this.#waves, this.#columns - 1);
    this.#prices = new Float64Array(n);
    this.#re = new Float64Array(this.#waves.half + 1);
    this.#im = new Float64Array(this.#waves.half + 1);
    this.#candidates = new Int32Array(n);
    this.#shifts = new Int32Array(this.#columns);
    this.#weights = new Float64Array(this.#columns);
    this.#equal = this.#weights.map((_, j) => (j < this.#fixed || directed ? 1 : 2) / (question.degree + 1));
  }

  /** Chunk number c of a seed, of at most so many evaluations; `stop` is asked at every column. */
  chunk(seed: number, c: number, evaluations: number, stop: () => boolean = () => false): Found {
    if (this.#columns - this.#fixed >= candidateCount(this.#question)) return this.#everything();
    this.#random = new RandomStream(seed, streams.design, c);
    this.#evaluations = 0;
    this.#locals = 0;
    this.#over = () => this.#evaluations >= evaluations || stop();
    this.#weighed = c % 2 === 1 && this.#question.n <= MOST_WEIGHED;
    let best: Int32Array | undefined;
    let bestRate = Number.POSITIVE_INFINITY;
    let home = this.#draw();
    let homeRate = Number.POSITIVE_INFINITY;
    let fruitless = 0;
    this.#shifts.set(home);
    do {
      const rate = this.#local(homeRate, bestRate);
      if (rate < homeRate - 1e-9) {
        home = this.#shifts.slice();
        fruitless = 0;
      } else fruitless++;
      if (rate <= homeRate) {
        home = this.#shifts.slice();
        homeRate = rate;
      }
      if (homeRate < bestRate) {
        best = home;
        bestRate = homeRate;
      }
      if (fruitless >= PATIENCE) {
        home = this.#draw();
        homeRate = Number.POSITIVE_INFINITY;
        fruitless = 0;
        this.#shifts.set(home);
      } else {
        this.#shifts.set(home);
        this.#kick();
      }
    } while (!this.#over());
    return { shifts: [...(best ?? home)], rate: bestRate, evaluations: this.#evaluations };
  }

  /** Takes the set in #shifts to a local optimum, and returns its rate under its best weights. */
  #local(home: number, best: number): number {
    const optimiser = this.#optimiser;
    // Exchanges are dear, the more so the larger n: for what is new and near the best, and now and then.
    const seldom = Math.max(SELDOM, Math.floor(this.#question.n / 20));
    const now = ++this.#locals % seldom === 0;
    const worthIt = (rate: number) => {
      if (this.#weighed) return rate < best + 0.05;
      return rate < best + 2e-3 && (now || (this.#locals > seldom && rate < home - 1e-9));
    };
    if (!this.#weighed) {
      this.#weights.set(this.#equal);
      const level = this.#descend();
      if (level > PROMISE * home) return level;
    }
    // A lower bound above the best set's rate is reason enough to give this one up.
    const cutoff = this.#weighed ? Number.POSITIVE_INFINITY : home + 0.02 * (1 - home);
    let rate = optimiser.optimise(this.#shifts, 1e-9, cutoff);
    while (optimiser.rate - optimiser.bound <= 1e-8 && !this.#over()) {
      this.#weights.set(optimiser.weights);
      if (this.#descend() >= rate - 1e-9) {
        const closer = worthIt(rate) ? this.#exchange(rate) : rate;
        if (closer >= rate - 1e-9) break;
      }
      rate = optimiser.optimise(this.#shifts);
    }
    return rate;
  }

  /**
   * Swaps one column where that improves the rate under best weights. The multipliers of the set without column j price
   * every shift v: with v in its place the rate is at least min(g(v), rate without j), so only cheap ones are weighed.
   */
  #exchange(rate: number): number {
    const shifts = this.#shifts;
    const rest = new Int32Array(this.#columns - 1);
    for (let j = this.#fixed; j < this.#columns; j++) {
      const held = shifts[j];
      for (let i = 0, at = 0; i < this.#columns; i++) if (i !== j) rest[at++] = shifts[i];
      this.#without.optimise(rest, 1e-6);
      const list = this.#candidates;
      const prices = this.#prices;
      this.#waves.prices(this.#without.multipliers(), prices);
      let left = 0;
      const end = candidateCount(this.#question) + (this.#question.directed ? 0 : 1);
      for (let v = this.#question.directed ? 0 : 1; v < end; v++) {
        if (prices[v] < rate - 1e-9 && !shifts.includes(v)) list[left++] = v;
      }
      this.#evaluations += end;
      const cheap = Array.from(list.subarray(0, left)).sort((a, b) => prices[a] - prices[b]);
      for (const v of cheap.slice(0, this.#weighed ? WEIGHED_FIRST : WEIGHED)) {
        shifts[j] = v;
        if (this.#optimiser.optimise(shifts, 1e-9, rate) < rate - 1e-9) return this.#optimiser.rate;
      }
      shifts[j] = held;
    }
    return rate;
  }

  /** Swaps columns for the best shift, weights staying in their places, until none helps; the rate then. */
  #descend(): number {
    const { directed } = this.#question;
    const re = this.#re;
    const im = this.#im;
    const shifts = this.#shifts;
    const weights = this.#weights;
    re.fill(0);
    im.fill(0);
    for (let j = 0; j < this.#columns; j++) this.#waves.add(shifts[j], weights[j], re, im);
    let rate = this.#scan.largest(0, 0, re, im);
    const free = this.#columns - this.#fixed;
    const order = this.#random.permutation(free);
    for (let idle = 0, at = 0; idle < free && !this.#over(); at = (at + 1) % free) {
      const j = this.#fixed + order[at];
      const w = weights[j];
      idle++;
      if (w < 0.05 / this.#columns) continue;
      this.#waves.add(shifts[j], -w, re, im);
      const list = this.#candidates;
      const first = directed ? 0 : 1;
      let left = candidateCount(this.#question);
      for (let v = 0; v < left; v++) list[v] = first + v;
      this.#evaluations += left;
      left = this.#scan.below(rate - 1e-10, w, re, im, list, left);
      while (left > 0) {
        const v = list[this.#random.below(left)];
        if (shifts.includes(v)) {
          left = without(list, left, v);
          continue;
        }
        rate = this.#scan.largest(v, w, re, im);
        shifts[j] = v;
        idle = 0;
        left = this.#scan.below(rate - 1e-10, w, re, im, list, left);
      }
      this.#waves.add(shifts[j], w, re, im);
    }
    return rate;
  }

  /** A set to start from: random, or the best of some that a map u -> a u + c leaves as they are. */
  #draw(): Int32Array {
    if (this.#random.below(2) === 0) return randomColumns(this.#question, this.#random);
    let best = randomColumns(this.#question, this.#random);
    let bestRate = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < SYMMETRIC_TRIES; tries++) {
      const shifts = symmetricColumns(this.#question, this.#random);
      if (shifts === undefined) continue;
      this.#evaluations++;
      const rate = this.#equalRate(shifts);
      if (rate < bestRate) {
        bestRate = rate;
        best = shifts;
      }
    }
    return best;
  }

  /** As many columns as there are shifts: nothing to choose. */
  #everything(): Found {
    const shifts = Int32Array.from({ length: this.#columns }, (_, j) => j);
    return { shifts: [...shifts], rate: this.#optimiser.optimise(shifts), evaluations: 1 };
  }

  #equalRate(shifts: Int32Array): number {
    const re = this.#re.fill(0);
    const im = this.#im.fill(0);
    shifts.forEach((u, j) => {
      this.#waves.add(u, this.#equal[j], re, im);
    });
    return this.#scan.largest(0, 0, re, im);
  }

  #kick(): void {
    const free = this.#columns - this.#fixed;
    const count = Math.min(free, 1 + this.#random.below(3));
    for (let c = 0; c < count; c++) {
      this.#shifts[this.#fixed + this.#random.below(free)] = anotherShift(this.#question, this.#random, this.#shifts);
    }
  }
}

/** The list without v, order kept; its new length. */
function without(list: Int32Array, length: number, v: number): number {
  const at = list.indexOf(v);
  list.copyWithin(at, at + 1, length);
  return length - 1;
}
