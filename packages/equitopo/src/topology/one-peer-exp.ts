/**
 * One-peer exponential graph: in round t node i sends to i + 2^k mod n, k = t mod L, L = ceil(log2 n);
 * W = (I + P^(2^k)) / 2. By option the L shifts come in a fresh random order each period.
 *
 * Directed, one peer per round, periodic, any n >= 2. At powers of 2 one period is exactly J; its per-round norm is 1 at
 * every even n > 2, so the period's norm is what tells (paper, Table 1; errata, "Be honest about rivals"):
 *
 *   ||Pi W(L-1) ... W(0)|| = max over k != 0 of prod_l |s + c w^(k 2^l)|,   s = c = 1/2 (lazily 3/4 and 1/4).
 */

import { about, seed, word } from "../input/option.ts";
import { ceilLog2 } from "../number/integers.ts";
import { rootOfUnity } from "../number/roots.ts";
import { RandomStream, streams } from "../random/stream.ts";
import type { Rate } from "../rate/rate.ts";
import { arrayWork, type RateWork } from "../rate/work.ts";
import { oneShift } from "./circulant.ts";
import { checkOptions, defineTopology, guarded, type Topology } from "./topology.ts";
import { type BaselineOptions, baselineSpec, lazy } from "./weights.ts";

export interface OnePeerExpOptions extends BaselineOptions {
  readonly order?: "cyclic" | "random";
  /** Of the random order. */
  readonly seed?: number;
}

/**
 * @example
 * ```ts
 * import { onePeerExp } from "equitopo";
 * onePeerExp({ n: 300 }).rate().periodNorm?.toFixed(4) // => "0.1486"
 * onePeerExp({ n: 256 }).rate().periodNorm // => 0
 * ```
 */
export function onePeerExp(options: OnePeerExpOptions): Topology {
  checkOptions(onePeerExpFamily, options);
  const { n, order = "cyclic", seed: from = 0 } = options;
  const period = ceilLog2(n);
  const weight = options.lazy ? 0.25 : 0.5;
  const shift = oneShift(n, weight);
  const random = new RandomStream(from, streams.order);
  const shiftAt = (t: number) => {
    const place = t % period;
    return 2 ** (order === "cyclic" ? place : random.at((t - place) / period).permutation(period)[place]);
  };
  let known: Rate | undefined;
  return guarded({
    name: "one-peer-exp",
    n,
    kind: "periodic",
    directed: n > 2,
    symmetric: n === 2,
    maxDegree: 1,
    period,
    ...(2 ** period === n && !options.lazy ? { exactAfter: period } : {}),
    spec: baselineSpec("one-peer-exp", options, order === "random" ? { order, seed: from } : {}),
    round: (t) => shift.round(shiftAt(t)),
    peers: (t, i) => shift.peers(shiftAt(t), i),
    rate() {
      known ??= exactRate(n, period, 1 - weight, weight);
      return known;
    },
  });
}

function exactRate(n: number, period: number, self: number, weight: number): Rate {
  // |self + weight w^m|^2 for every m; exactly 0 at w^m = -1 with equal weights.
  const factor = new Float64Array(n);
  const root = new Float64Array(2);
  for (let m = 0; m < n; m++) {
    rootOfUnity(m, n, root);
    factor[m] = self * self + weight * weight + 2 * self * weight * root[0];
  }
  let square = 0;
  for (let k = 1; 2 * k <= n; k++) {
    let product = 1;
    for (let l = 0, m = k; l < period; l++, m = 2 * m < n ? 2 * m : 2 * m - n) product *= factor[m];
    square = Math.max(square, product);
  }
  // Shifts by 2 and more leave even n disconnected; otherwise the largest factor away from m = 0 is at m = 1.
  const rate = n % 2 === 0 && n > 2 ? 1 : Math.sqrt(Math.max(0, factor[1]));
  const periodNorm = Math.sqrt(square);
  return { rate, bound: null, method: "closed form", periodNorm, periodRate: periodNorm ** (1 / period) };
}

export const onePeerExpFamily = defineTopology({
  name: "one-peer-exp",
  summary: "directed, one peer per round, periodic: i sends to i + 1, 2, 4, ... in turn",
  source: "paper, Table 1",
  group: "baseline",
  options: { order: about(word("cyclic", "random"), "order of the shifts in a period of one-peer-exp"), seed, lazy },
  create: onePeerExp,
});

/** What its rate takes (topology/work.ts). */
export function onePeerExpWork({ n }: BaselineOptions): RateWork {
  return arrayWork(n, 6 * ceilLog2(n), 50);
}
