/**
 * k-peer exponential graph: in round l = t mod m, m = ceil(log_b n), b = k + 1, node i hears from i - j b^l mod n,
 * j = 1 .. k, weight 1/b each and for itself (the n-peer graph of Assran and others, 2019). k = 1 is one-peer-exp.
 *
 * Directed, k peers, periodic, any n >= 2. Exact after m rounds where n divides b^m, and never otherwise:
 *
 *   ||W(m-1) ... W(0) - J|| = max over f of |sin(pi f b^m / n)| / (b^m |sin(pi f / n)|).
 *
 * peers(t, i) in O(k log k).
 */

import { about, whole } from "../input/option.ts";
import { ceilLog } from "../number/integers.ts";
import { powerShifts } from "./power-shifts.ts";
import { checkOptions, defineTopology, type Topology } from "./topology.ts";

/**
 * @example
 * ```ts
 * import { kPeerExp } from "equitopo/topology";
 * kPeerExp({ n: 81, k: 2 }).exactAfter // => 4
 * // The third round would be by 9 and 18: at n = 18 the second is the own place.
 * kPeerExp({ n: 18, k: 2 }).peers(2, 0).self.toFixed(4) // => "0.6667"
 * ```
 */
export function kPeerExp(given: { readonly n: number; readonly k?: number }): Topology {
  const { n, k } = checkOptions(kPeerExpFamily, given);
  return powerShifts({ name: "k-peer-exp", n, k }, k + 1, ceilLog(k + 1, n));
}

export const kPeerExpFamily = defineTopology({
  name: "k-peer-exp",
  summary: "directed, k peers per round, periodic: i sends to i + j (k + 1)^l, j = 1 .. k",
  source: "Assran, Loizou, Ballas, Rabbat 2019",
  group: "rival",
  options: { k: about(whole(2, 1), "peers of a node in a round", "K") },
  variants: (_n, degree) => [{ k: degree }],
  create: kPeerExp,
});
