/**
 * One-peer exponential graph: in round t node i sends to i + 2^k mod n, k = t mod L, L = ceil(log2 n);
 * W = (I + P^(2^k)) / 2. By option the L shifts come in a fresh random order each period.
 *
 * Directed, one peer per round, periodic, any n >= 2. At powers of 2 one period is exactly J; its per-round norm is 1 at
 * every even n > 2, so the period's norm is what tells (paper, Table 1; errata, "Be honest about rivals"):
 *
 *   ||Pi W(L-1) ... W(0)|| = max over k != 0 of prod_l |s + c w^(k 2^l)|,   s = c = 1/2 (lazily 3/4 and 1/4).
 */

import { about, type Given, seed, word } from "../input/option.ts";
import { ceilLog2 } from "../number/integers.ts";
import { cosine } from "../number/roots.ts";
import { RandomStream, streams } from "../random/stream.ts";
import type { Rate } from "../rate/rate.ts";
import { oneShift } from "./circulant.ts";
import { written } from "./plan/rule-of.ts";
import { checkOptions, defineTopology, type Topology, topologyOf } from "./topology.ts";
import { baselineSpec, lazy } from "./weights.ts";

export interface OnePeerExpOptions extends Given<typeof orderOptions> {}

/** The seed is that of the random order. */
const orderOptions = {
  order: about(word("cyclic", "random"), "order of the shifts in a period of one-peer-exp"),
  seed,
  lazy,
};

/**
 * @example
 * ```ts
 * import { onePeerExp } from "equitopo";
 * onePeerExp({ n: 300 }).rate().periodNorm?.toFixed(4) // => "0.1486"
 * onePeerExp({ n: 256 }).rate().periodNorm // => 0
 * ```
 */
export function onePeerExp(options: OnePeerExpOptions): Topology {
  const { n, order, seed: from, lazy: isLazy } = checkOptions(onePeerExpFamily, options);
  const period = ceilLog2(n);
  const weight = isLazy ? 0.25 : 0.5;
  const shift = oneShift(n, weight);
  const random = new RandomStream(from, streams.order);
  const shiftAt = (t: number) => {
    const place = t % period;
    return 2 ** (order === "cyclic" ? place : random.at((t - place) / period).permutation(period)[place]);
  };
  const cyclic = (place: number) => shift.round(2 ** place);
  return topologyOf({
    kind: "periodic",
    symmetric: n === 2,
    maxDegree: 1,
    period,
    ...(2 ** period === n && !isLazy ? { exactAfter: period } : {}),
    spec: baselineSpec("one-peer-exp", options, order === "random" ? { order, seed: from } : {}),
    ...(order === "random" ? { rule: () => ({ name: "table", rounds: written(cyclic, period), seed: from }) } : {}),
    round: (t) => shift.round(shiftAt(t)),
    peers: (t, i) => shift.peers(shiftAt(t), i),
    rate: () => exactRate(n, period, 1 - weight, weight),
  });
}

function exactRate(n: number, period: number, self: number, weight: number): Rate {
  // |self + weight w^m|^2 for every m; exactly 0 at w^m = -1 with equal weights.
  const factor = new Float64Array(n);
  for (let m = 0; m < n; m++) factor[m] = self * self + weight * weight + 2 * self * weight * cosine(m, n);
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
  options: orderOptions,
  work: ({ n }) => ({ operationsPerNode: 6 * ceilLog2(n), bytesPerNode: 50 }),
  create: onePeerExp,
});
