/**
 * Iterated local search for the set of shifts with the lowest rate under its best weights.
 *
 *   descend   one column after the other is swapped for the best shift there is, at equal weights, until none helps;
 *   weigh     the best weights (weights.ts), and where they hold promise descend again with these, until neither helps;
 *   kick      swap a few columns of the best set for random ones, and go on from there; start afresh where that stays fruitless.
 *
 * The work is cut into chunks, each a search of its own from its own random numbers: what is found depends on the seed and
 * on the number of evaluations (sets considered), never on how many threads share the chunks.
 */

import { RandomStream, streams } from "../random/stream.ts";
import { SwapScan, Waves } from "./spectrum.ts";
import { WeightOptimiser } from "./weights.ts";

/** What is sought: K peers a node, all of a kind. */
export interface Question {
  readonly n: number;
  /** Peers of a node. */
  readonly degree: number;
  readonly directed: boolean;
}

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
/** Column sweeps in a chunk. */
const SWEEPS = 1500;
/** Sets in a chunk where a sweep is long, and the fewest sweeps there. */
const MOST_EVALUATIONS = 2 ** 26;
const FEWEST_SWEEPS = 30;

/** How many columns a support has: the own weight, and each shift or pair of shifts. */
export function columnsOf({ n, degree, directed }: Question): number {
  return 1 + (directed ? degree : Math.ceil(degree / 2) + (degree % 2 === 1 && n === 2 ? 0 : 0));
}

/** Evaluations in one chunk. */
export function chunkSize(question: Question): number {
  const sweep = columnsOf(question) * candidateCount(question);
  return Math.min(SWEEPS * sweep, Math.max(MOST_EVALUATIONS, FEWEST_SWEEPS * sweep));
}

const candidateCount = ({ n, directed }: Question) => (directed ? n : Math.ceil(n / 2) - 1);

/** One thread's search: its tables serve all chunks of a question. */
export class Search {
  readonly #question: Question;
  readonly #columns: number;
  /** Columns from here on may be swapped: undirected, 0 stays, and n / 2 where the degree is odd. */
  readonly #fixed: number;
  readonly #waves: Waves;
  readonly #scan: SwapScan;
  readonly #optimiser: WeightOptimiser;
  readonly #re: Float64Array;
  readonly #im: Float64Array;
  readonly #candidates: Int32Array;
  readonly #shifts: Int32Array;
  readonly #weights: Float64Array;
  #random = new RandomStream(0, streams.design);
  #evaluations = 0;

  constructor(question: Question) {
    const { n, degree, directed } = question;
    this.#question = question;
    this.#columns = columnsOf(question);
    this.#fixed = directed ? 0 : 1 + (degree % 2);
    this.#waves = new Waves(n, directed);
    this.#scan = new SwapScan(this.#waves);
    this.#optimiser = new WeightOptimiser(this.#waves, this.#columns);
    this.#re = new Float64Array(this.#waves.half + 1);
    this.#im = new Float64Array(this.#waves.half + 1);
    this.#candidates = new Int32Array(n);
    this.#shifts = new Int32Array(this.#columns);
    this.#weights = new Float64Array(this.#columns);
  }

  /** Chunk number c of a seed, of at most so many evaluations; `stop` is asked between descents. */
  chunk(seed: number, c: number, evaluations: number, stop: () => boolean = () => false): Found {
    this.#random = new RandomStream(seed, streams.design, c);
    this.#evaluations = 0;
    let best: Int32Array | undefined;
    let bestRate = Number.POSITIVE_INFINITY;
    let home = this.#draw();
    let homeRate = Number.POSITIVE_INFINITY;
    let fruitless = 0;
    this.#shifts.set(home);
    do {
      const rate = this.#local(evaluations, homeRate);
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
    } while (this.#evaluations < evaluations && !stop());
    return { shifts: [...(best ?? home)], rate: bestRate, evaluations: this.#evaluations };
  }

  /** Takes the set in #shifts to a local optimum, and returns its rate under its best weights. */
  #local(evaluations: number, home: number): number {
    const optimiser = this.#optimiser;
    this.#weights.fill(1 / this.#columns);
    const level = this.#descend(evaluations);
    if (level > PROMISE * home) return level;
    // A lower bound above the best set's rate is reason enough to give this one up.
    let rate = optimiser.optimise(this.#shifts, 1e-9, home + 0.02 * (1 - home));
    for (let turn = 0; turn < 20; turn++) {
      if (optimiser.rate - optimiser.bound > 1e-8) return rate;
      this.#weights.set(optimiser.weights);
      const before = rate;
      if (this.#descend(evaluations) >= before - 1e-9) break;
      rate = optimiser.optimise(this.#shifts);
    }
    return rate;
  }

  /** Swaps columns for the best shift, weights staying in their places, until none helps; the rate then. */
  #descend(evaluations: number): number {
    const { n, directed } = this.#question;
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
    for (let idle = 0, at = 0; idle < free && this.#evaluations < evaluations; at = (at + 1) % free) {
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
    return n < 2 ? 1 : rate;
  }

  /** A random set of distinct columns. */
  #draw(): Int32Array {
    const shifts = new Int32Array(this.#columns);
    if (this.#fixed === 2) shifts[1] = this.#question.n / 2;
    for (let j = Math.max(1, this.#fixed); j < this.#columns; j++) shifts[j] = this.#another(shifts.subarray(0, j));
    return shifts;
  }

  #kick(): void {
    const free = this.#columns - this.#fixed;
    const count = Math.min(free, 1 + this.#random.below(3));
    for (let c = 0; c < count; c++) {
      this.#shifts[this.#fixed + this.#random.below(free)] = this.#another(this.#shifts);
    }
  }

  /** A random shift that is not among these. */
  #another(shifts: Int32Array): number {
    const { directed } = this.#question;
    for (;;) {
      const v = this.#random.below(candidateCount(this.#question)) + (directed ? 0 : 1);
      if (!shifts.includes(v)) return v;
    }
  }
}

/** The list without v, order kept; its new length. */
function without(list: Int32Array, length: number, v: number): number {
  const at = list.indexOf(v);
  list.copyWithin(at, at + 1, length);
  return length - 1;
}
