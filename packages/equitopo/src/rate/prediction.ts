/**
 * After how many rounds the disagreement is sure to have shrunk by a tolerance: the least m with
 *
 *   ||W(m-1) ... W(0) - J||_2 <= tolerance
 *
 * where that norm can be had (product.ts), whatever single rounds do: a de Bruijn graph has norm 1 in every round and is
 * exact after a few. These norms never grow with m, so m is found by doubling and halving; circulant rounds skip whole
 * periods, whose norm is a power. Random rounds promise a mean square only. A spectral radius alone promises nothing.
 */

import { integer, real } from "../input/input.ts";
import { Modes } from "./modes.ts";
import { isNormal, largest, normOver, periodSquares, raise } from "./product.ts";
import type { Rate } from "./rate.ts";
import { allModal, type RoundSequence, stretchOf, workOf } from "./sequence.ts";

export interface Prediction {
  /** Infinity where nothing is promised. */
  readonly rounds: number;
  /**
   * exact product: the least number of rounds that is enough for every start. mean square: of random rounds, in the root
   * of the mean square. per-round norm: enough, from the norm of one round or of one period; fewer may do.
   */
  readonly method: "exact product" | "mean square" | "per-round norm";
}

/** What a prediction is made from; a sequence of rounds gets the exact one. */
export type Predictable = Partial<RoundSequence> & Pick<RoundSequence, "period" | "rate">;

/** Additions that one product of the rounds in question may take, and how many products with it: a second or so. */
const MOST_WORK = 4e6;

/**
 * The number of rounds and where it comes from, counted from round `first` on; or, with `first: "any"`, enough from
 * every round on. O(n M period) for circulant rounds, O(log m) certified norms for others.
 *
 * @example
 * ```ts
 * import { odEquiDyn, onePeerExp } from "equitopo";
 * import { prediction } from "equitopo/rate";
 * prediction(onePeerExp({ n: 300 }), 1e-6) // => { rounds: 71, method: "exact product" }
 * prediction(odEquiDyn({ n: 300 }), 1e-6) // => { rounds: 40, method: "mean square" }
 * ```
 */
export function prediction(topology: Predictable, tolerance: number, first: number | "any" = 0): Prediction {
  real("tolerance", tolerance, { min: 0, max: 1, open: "both" }, 1e-6);
  if (first === "any") return fromAnywhere(topology, tolerance);
  integer("the first round", first, 0);
  if (!isSequence(topology) || topology.stochastic !== undefined) return fromRate(topology, tolerance);
  if (topology.kind === "random" && topology.exactAfter === undefined) return fromRate(topology, tolerance);
  if (isNormal(topology)) {
    const { rate, gap } = topology.rate();
    return exact(shrinkings(rate, tolerance, gap));
  }
  // A closed form first: one period of doubling may be as long as n.
  const closed = topology.norm !== undefined && first % stretchOf(topology) === 0;
  if (!closed && allModal(topology)) return exact(modalRounds(topology, tolerance, first));
  return search(topology, tolerance, first);
}

/**
 * `prediction(topology, tolerance).rounds`.
 *
 * @example
 * ```ts
 * import { onePeerExp, predictedRounds } from "equitopo";
 * predictedRounds(onePeerExp({ n: 1024 }), 1e-6) // => 10
 * ```
 */
export function predictedRounds(topology: Predictable, tolerance: number, first: number | "any" = 0): number {
  return prediction(topology, tolerance, first).rounds;
}

function exact(rounds: number): Prediction {
  return { rounds, method: "exact product" };
}

function isSequence(topology: Predictable): topology is RoundSequence {
  const { n, kind, round, symmetric } = topology;
  return n !== undefined && kind !== undefined && round !== undefined && symmetric !== undefined;
}

/** From the rate per round or from whole periods, whichever promises sooner. */
function fromRate(topology: Predictable, tolerance: number): Prediction {
  const { rate, gap, periodNorm } = topology.rate();
  const { period, block = 1 } = topology;
  // Rounds of one block are no independent draws: only whole blocks multiply, each at least as good as one round of it.
  if (block > 1) return { rounds: block * shrinkings(periodNorm ?? rate, tolerance), method: "mean square" };
  const perRound = shrinkings(rate, tolerance, gap);
  const periods = periodNorm === undefined ? 1 : shrinkings(periodNorm, tolerance);
  const rounds = periodNorm === undefined ? perRound : Math.min(perRound, (period ?? 1) * periods);
  return { rounds, method: period === undefined ? "mean square" : "per-round norm" };
}

/** Whole periods first: what they leave is a power. Then round by round through the last one. */
function modalRounds(topology: RoundSequence, tolerance: number, first: number): number {
  const period = topology.period!;
  const modes = new Modes(topology.n);
  const squares = periodSquares(topology, modes);
  const periods = shrinkings(Math.sqrt(largest(squares)), tolerance);
  if (periods === Number.POSITIVE_INFINITY) return periods;
  raise(squares, periods - 1);
  const begun = (periods - 1) * period;
  for (let m = begun; m < begun + period; m++) {
    if (m > 0 && Math.sqrt(largest(squares)) <= tolerance) return m;
    modes.multiplySquares(topology.round(first + m), squares);
  }
  return begun + period;
}

/** From norms that are computed, one for every number of rounds that is tried. */
function search(topology: RoundSequence, tolerance: number, first: number): Prediction {
  const stretch = stretchOf(topology);
  const wait = (stretch - (first % stretch)) % stretch;
  const closed = topology.norm !== undefined && wait === 0;
  const most = closed ? 2 ** 40 : mostRounds(workOf(topology.round(first)));
  const isExact = topology.exactAfter !== undefined;
  const promised = wait + (topology.exactAfter ?? fromRate(topology, tolerance).rounds);
  // Across the start of a stretch the draws do matter.
  if (topology.kind === "random" && wait > 0) return { rounds: promised, method: "per-round norm" };
  return searched({ promised, most, isExact }, (m) => normOver(topology, m, first).norm <= tolerance);
}

/** Rounds that are tried at the most, where one takes so many additions. */
export function mostRounds(work: number): number {
  return Math.floor(MOST_WORK / work);
}

export interface Search {
  /** So many rounds are enough. */
  readonly promised: number;
  /** No more are tried. */
  readonly most: number;
  /** The mean is exact after those promised. */
  readonly isExact: boolean;
}

/** Doubles until the rounds are enough, then halves; where that becomes too long, those that are promised. */
export function searched({ promised, most, isExact }: Search, enough: (m: number) => boolean): Prediction {
  const known: Prediction = { rounds: promised, method: "per-round norm" };
  // Mostly the mean is exact in the last round and not before: one norm tells. Those of few rounds lie next to 1, where
  // the iteration is slow.
  if (isExact && promised > 1) {
    if (promised - 1 > most) return known;
    if (!enough(promised - 1)) return exact(promised);
  }
  let low = 0;
  let high = 1;
  while (high < promised && high <= most && !enough(high)) {
    low = high;
    high *= 2;
  }
  if (high >= promised) high = promised;
  else if (high > most) return known;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (middle > most) return { rounds: high, method: "per-round norm" };
    if (enough(middle)) high = middle;
    else low = middle;
  }
  return exact(high);
}

/** Whole stretches are the same from wherever commuting rounds begin; others first wait for the next start of a stretch. */
function fromAnywhere(topology: Predictable, tolerance: number): Prediction {
  const { rounds, method } = prediction(topology, tolerance);
  const stretch = stretchOf(topology);
  if (stretch === 1 || rounds === Number.POSITIVE_INFINITY) return { rounds, method };
  const commuting = topology.round !== undefined && allModal(topology as RoundSequence);
  const whole = commuting ? Math.ceil(rounds / stretch) * stretch : rounds + stretch - 1;
  return { rounds: whole, method: "per-round norm" };
}

/** The smallest count k with factor^k <= tolerance; `gap` is 1 - factor where it is known to more digits. */
function shrinkings(factor: Rate["rate"], tolerance: number, gap?: number): number {
  if (factor <= tolerance) return 1;
  // A norm of 1 that an iteration found may lack the last digits.
  if (gap === undefined && factor > 1 - 1e-13) return Number.POSITIVE_INFINITY;
  const logarithm = gap === undefined || gap > 1e-6 ? Math.log(factor) : Math.log1p(-gap);
  // The tiny allowance keeps factor = tolerance^(1/k) at k where the quotient rounds up.
  return Math.ceil(Math.log(tolerance) / logarithm - 1e-9);
}
