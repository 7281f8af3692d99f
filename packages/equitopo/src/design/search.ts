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
import { swapScan, Waves } from "./spectrum.ts";
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

export function chunkSize(question: Question): number {
  const sweep = columnsOf(question) * candidateCount(question);
  return Math.min(SWEEPS * sweep, Math.max(MOST_EVALUATIONS, FEWEST_SWEEPS * sweep));
}

/** One thread's search: its tables serve all chunks of a question. */
export class Search {
  /** Chunk number c of a seed, of at most so many evaluations; `stop` is asked at every column. */
  readonly chunk: (seed: number, c: number, evaluations: number, stop?: () => boolean) => Found;

  constructor(question: Question) {
    this.chunk = searching(question);
  }
}

function searching(question: Question) {
  const { n, directed, degree } = question;
  const columns = columnsOf(question);
  const candidates = candidateCount(question);
  const firstCandidate = directed ? 0 : 1;
  /** Columns from here on may be swapped: undirected, 0 stays, and n / 2 where the degree is odd. */
  const fixed = fixedOf(question);
  const waves = new Waves(n, directed);
  const scan = swapScan(waves);
  const optimiser = new WeightOptimiser(waves, columns);
  /** Of sets that lack a column. */
  const lacking = new WeightOptimiser(waves, columns - 1);
  const prices = new Float64Array(n);
  const values = new Float64Array(2 * waves.count);
  const list = new Int32Array(n);
  const shifts = new Int32Array(columns);
  const weights = new Float64Array(columns);
  /** Equal weights of shifts: a pair's column has twice that of a single one. */
  const equal = weights.map((_, j) => (j < fixed || directed ? 1 : 2) / (degree + 1));
  let random = new RandomStream(0, streams.design);
  let spent = 0;
  let locals = 0;
  /** Whether the chunk goes by best weights from the start. */
  let weighed = false;
  /** Whether the chunk is at its end. */
  let over = () => true;

  function chunk(seed: number, c: number, evaluations: number, stop: () => boolean = () => false): Found {
    // As many columns as there are shifts: nothing to choose.
    if (columns - fixed >= candidates) {
      const all = Array.from({ length: columns }, (_, j) => j);
      return { shifts: all, rate: optimiser.optimise(all), evaluations: 1 };
    }
    random = new RandomStream(seed, streams.design, c);
    spent = 0;
    locals = 0;
    over = () => spent >= evaluations || stop();
    weighed = c % 2 === 1 && question.n <= MOST_WEIGHED;
    let best: Int32Array | undefined;
    let bestRate = Number.POSITIVE_INFINITY;
    let home = draw();
    let homeRate = Number.POSITIVE_INFINITY;
    let fruitless = 0;
    shifts.set(home);
    do {
      const rate = local(homeRate, bestRate);
      fruitless = rate < homeRate - 1e-9 ? 0 : fruitless + 1;
      if (rate <= homeRate) [home, homeRate] = [shifts.slice(), rate];
      if (homeRate < bestRate) [best, bestRate] = [home, homeRate];
      const afresh = fruitless >= PATIENCE;
      if (afresh) [home, homeRate, fruitless] = [draw(), Number.POSITIVE_INFINITY, 0];
      shifts.set(home);
      if (!afresh) kick();
    } while (!over());
    return { shifts: [...(best ?? home)], rate: bestRate, evaluations: spent };
  }

  /** Takes the set in #shifts to a local optimum, and returns its rate under its best weights. */
  function local(home: number, best: number): number {
    // Exchanges are dear, the more so the larger n: for what is new and near the best, and now and then.
    const seldom = Math.max(SELDOM, Math.floor(question.n / 20));
    const now = ++locals % seldom === 0;
    const worthIt = (rate: number) => {
      if (weighed) return rate < best + 0.05;
      return rate < best + 2e-3 && (now || (locals > seldom && rate < home - 1e-9));
    };
    if (!weighed) {
      weights.set(equal);
      const level = descend();
      if (level > PROMISE * home) return level;
    }
    // A lower bound above the best set's rate is reason enough to give this one up.
    const cutoff = weighed ? Number.POSITIVE_INFINITY : home + 0.02 * (1 - home);
    let rate = optimiser.optimise(shifts, 1e-9, cutoff);
    while (optimiser.rate - optimiser.bound <= 1e-8 && !over()) {
      weights.set(optimiser.weights);
      if (descend() >= rate - 1e-9) {
        const closer = worthIt(rate) ? exchange(rate) : rate;
        if (closer >= rate - 1e-9) break;
      }
      rate = optimiser.optimise(shifts);
    }
    return rate;
  }

  /**
   * Swaps one column where that improves the rate under best weights. The multipliers of the set without column j price
   * every shift v: with v in its place the rate is at least min(g(v), rate without j), so only cheap ones are weighed.
   */
  function exchange(rate: number): number {
    const rest = new Int32Array(columns - 1);
    for (let j = fixed; j < columns; j++) {
      const held = shifts[j];
      for (let i = 0, at = 0; i < columns; i++) if (i !== j) rest[at++] = shifts[i];
      lacking.optimise(rest, 1e-6);
      waves.prices(lacking.multipliers(), prices);
      let left = 0;
      const end = candidates + firstCandidate;
      for (let v = firstCandidate; v < end; v++) {
        if (prices[v] < rate - 1e-9 && !shifts.includes(v)) list[left++] = v;
      }
      spent += end;
      const cheap = Array.from(list.subarray(0, left)).sort((a, b) => prices[a] - prices[b]);
      for (const v of cheap.slice(0, weighed ? WEIGHED_FIRST : WEIGHED)) {
        shifts[j] = v;
        if (optimiser.optimise(shifts, 1e-9, rate) < rate - 1e-9) return optimiser.rate;
      }
      shifts[j] = held;
    }
    return rate;
  }

  /** Swaps columns for the best shift, weights staying in their places, until none helps; the rate then. */
  function descend(): number {
    waves.sum(shifts, weights, values);
    let rate = scan.largest(0, 0, values);
    const free = columns - fixed;
    const order = random.permutation(free);
    for (let idle = 0, at = 0; idle < free && !over(); at = (at + 1) % free) {
      const j = fixed + order[at];
      const w = weights[j];
      idle++;
      if (w < 0.05 / columns) continue;
      waves.add(shifts[j], -w, values);
      let left = candidates;
      for (let v = 0; v < left; v++) list[v] = firstCandidate + v;
      spent += left;
      left = scan.below(rate - 1e-10, w, values, list, left);
      while (left > 0) {
        const v = list[random.below(left)];
        if (shifts.includes(v)) {
          const at = list.indexOf(v);
          list.copyWithin(at, at + 1, left--);
          continue;
        }
        rate = scan.largest(v, w, values);
        shifts[j] = v;
        idle = 0;
        left = scan.below(rate - 1e-10, w, values, list, left);
      }
      waves.add(shifts[j], w, values);
    }
    return rate;
  }

  /** A set to start from: random, or the best of some that a map u -> a u + c leaves as they are. */
  function draw(): Int32Array {
    if (random.below(2) === 0) return randomColumns(question, random);
    let best = randomColumns(question, random);
    let bestRate = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < SYMMETRIC_TRIES; tries++) {
      const shifts = symmetricColumns(question, random);
      if (shifts === undefined) continue;
      spent++;
      waves.sum(shifts, equal, values);
      const rate = scan.largest(0, 0, values);
      if (rate < bestRate) [best, bestRate] = [shifts, rate];
    }
    return best;
  }

  function kick(): void {
    const free = columns - fixed;
    const count = Math.min(free, 1 + random.below(3));
    for (let c = 0; c < count; c++) {
      shifts[fixed + random.below(free)] = anotherShift(question, random, shifts);
    }
  }

  return chunk;
}
