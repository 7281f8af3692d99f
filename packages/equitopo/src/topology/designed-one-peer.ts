/**
 * A designed sequence of one-peer rounds: W(t) = (1 - v) I + v P^s with s = shifts[t mod T], v = weights[t mod T] (one half
 * where left out, which is best), written out, or what a short search finds for a period of T rounds (src/design/one-peer.ts).
 *
 * Directed, one peer per round, periodic, any n >= 2. Its per-round norm is 1 wherever a shift has a divisor in common with
 * n, so the period's norm is what tells: max over k != 0 of prod_t |1 - v_t + v_t w^(k s_t)|, O(n T).
 */

import { OnePeerSearch, onePeerQuestion } from "../design/one-peer.ts";
import { defined, InputError, integer } from "../input/input.ts";
import { about, type Given, optional, whole } from "../input/option.ts";
import { gcd } from "../number/integers.ts";
import { cosine } from "../number/roots.ts";
import { modalNorm } from "../rate/product.ts";
import type { Rate } from "../rate/rate.ts";
import { oneShift } from "./circulant.ts";
import { remembered, shiftOf, shiftOptions } from "./designed-static.ts";
import { checkOptions, defineTopology, type Topology, topologyOf } from "./topology.ts";

export interface DesignedOnePeerOptions extends Given<typeof options> {}

const options = {
  /** Where no shifts are given. */
  period: about(optional(whole(8, 1, 1000)), "rounds in a period of a designed sequence, default ceil(log2 n)", "T"),
  ...shiftOptions,
};

/** Sequences that are considered where none is given: some milliseconds, once. */
const SHORT_SEARCH = 4000;

/**
 * @example
 * ```ts
 * import { designedOnePeer } from "equitopo/topology";
 * const graph = designedOnePeer({ n: 25, shifts: [1, 2, 4, 8, 16] });
 * graph.rate().periodNorm?.toFixed(6) // => "0.192116"
 * graph.norm?.(10).toFixed(6) // => "0.036909"
 * ```
 */
export function designedOnePeer(given: DesignedOnePeerOptions): Topology {
  const { n } = checkOptions(designedOnePeerFamily, given);
  const shifts = given.shifts === undefined ? found(given) : checked(n, given.shifts, given.period);
  const weights = halves(shifts.length, given.weights);
  const period = shifts.length;
  const rounds = weights.map((weight) => oneShift(n, weight));
  const round = (t: number) => rounds[t % period].round(shifts[t % period]);
  const norm = (m: number) => modalNorm({ n, period, round }, m);
  const exactAfter = firstExact(n, norm, period);
  return topologyOf({
    kind: "periodic",
    symmetric: shifts.every((s) => 2 * s === n),
    maxDegree: 1,
    period,
    ...defined({ exactAfter }),
    spec: { name: "designed-one-peer", n, shifts, weights },
    round,
    peers: (t, i) => rounds[t % period].peers(shifts[t % period], i),
    norm: (m) => norm(integer("m", m, 1)),
    rate: () => exactRate(n, shifts, weights, norm(period)),
  });
}

function found(given: DesignedOnePeerOptions): readonly number[] {
  if (given.weights !== undefined) {
    throw new InputError("weights go with the shifts that they weigh", given.weights, "give shifts");
  }
  const asked = onePeerQuestion(given);
  return remembered(asked, () => new OnePeerSearch(asked).chunk(0, 0, SHORT_SEARCH).shifts);
}

function checked(n: number, shifts: readonly number[], period: number | undefined): readonly number[] {
  if (period !== undefined && period !== shifts.length) {
    throw new InputError(`period must be the number of shifts, ${shifts.length}`, period, "leave it out");
  }
  return shifts.map((s) => shiftOf(n, s));
}

function halves(period: number, weights?: readonly number[]): readonly number[] {
  if (weights === undefined) return new Array<number>(period).fill(0.5);
  if (weights.length === period && weights.every((v) => v > 0 && v < 1)) return weights;
  throw new InputError(`weights must be ${period} numbers in (0, 1), one for each round`, weights, "leave them out");
}

/** Rounds until the mean is exact. Some factor must vanish at every k, which takes a power of two. */
function firstExact(n: number, norm: (m: number) => number, period: number): number | undefined {
  if ((n & (n - 1)) !== 0 || norm(period) !== 0) return undefined;
  let rounds = 1;
  while (norm(rounds) !== 0) rounds++;
  return rounds;
}

function exactRate(n: number, shifts: readonly number[], weights: readonly number[], periodNorm: number): Rate {
  // A common divisor leaves classes apart; otherwise the largest factor is that next to k s = 0.
  const square = (s: number, v: number) => (gcd(s, n) > 1 ? 1 : 1 - 2 * v * (1 - v) * (1 - cosine(1, n)));
  const rates = shifts.map((s, t) => Math.sqrt(Math.max(0, square(s, weights[t]))));
  const periodRate = periodNorm ** (1 / shifts.length);
  return { rate: Math.max(...rates), bound: null, method: "closed form", periodNorm, periodRate };
}

export const designedOnePeerFamily = defineTopology({
  name: "designed-one-peer",
  summary: "directed, one peer per round, periodic: the best sequence of shifts found for a period",
  source: "searched by `equitopo design --one-peer`",
  group: "rival",
  options,
  work: () => ({ operationsPerNode: 900, bytesPerNode: 60 }),
  create: designedOnePeer,
});
