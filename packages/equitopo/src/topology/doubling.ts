/**
 * Doubling: in round t node i hears from i - s, s = 2^(t mod c) mod n, W = (I + P^s) / 2. With b for 2, from i - j s,
 * j = 1 .. b - 1, s = b^(t mod c) mod n, weights 1/b. The cycle is as long as it can be put to use: with n = q m, m prime
 * to b and q dividing b^r (r the least such number),
 *
 *   c = r + o,   o the least with b^o = +-1 mod m   (c = r where m = 1: then it is exact).
 *
 * Directed, b - 1 peers, periodic, any n >= 2. One-peer-exp, which starts again after ceil(log2 n) rounds, loses most of
 * this: T <= c rounds average over b^T labels in a row, about one b-th a round in the worst case,
 *
 *   ||W(T-1) ... W(0) - J|| = max over k of |sin(pi k b^T / n)| / (b^T |sin(pi k / n)|) <= 1 / (b^T sin(pi / n)).
 *
 * For n prime to b this holds for every T and from any round on. Otherwise the rounds after the first r of a cycle mix
 * inside classes mod q only, what enters late waits for the next cycle, and after a cycle the norm goes on from that of
 * the cycle: b = 10 at n = 300 has c = 3 and takes 18 rounds to 1e-6, where the formula would say 8.
 *
 * Made in O(sqrt n); peers(t, i) in O(b log b).
 */

import { about, whole } from "../input/option.ts";
import { dividingPowers, orderUpToSign } from "../number/factors.ts";
import { powerShifts } from "./power-shifts.ts";
import { checkOptions, defineTopology, type Topology } from "./topology.ts";

/**
 * @example
 * ```ts
 * import { doubling } from "equitopo/topology";
 * const graph = doubling({ n: 25 });
 * graph.period // => 10
 * graph.norm?.(20) // => 2 ** -20
 * doubling({ n: 100, b: 10 }).exactAfter // => 2
 * ```
 */
export function doubling(given: { readonly n: number; readonly b?: number }): Topology {
  const { n, b } = checkOptions(doublingFamily, given);
  const { part, steps } = dividingPowers(n, b);
  const period = part === n ? steps : steps + orderUpToSign(b, n / part);
  return powerShifts({ name: "doubling", n, b }, b, period);
}

export const doublingFamily = defineTopology({
  name: "doubling",
  summary: "directed, b - 1 peers per round, periodic: i sends to i + j b^t for as long as new shifts come",
  source: "this library",
  group: "rival",
  options: { b: about(whole(2, 2), "base of doubling: b - 1 peers, weights 1/b", "B") },
  variants: (_n, degree) => [{ b: degree + 1 }, { b: 2 }],
  create: doubling,
});
