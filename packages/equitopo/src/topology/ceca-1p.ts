/**
 * CECA, one-port (ICML 2023): ceca.ts's rounds with the source i + 2e + 1 mod n of odd i and i - 2e - 1 of even i, so that
 * nodes exchange in pairs. Undirected, degree 1, even n only, periodic, exact after L = ceil(log2 n) rounds.
 *
 * peers(t, i) in O(1) after a table of L rounds.
 */

import { InputError } from "../input/input.ts";
import { cecaRounds, cecaTopology, cecaWork } from "./ceca.ts";
import { pairRounds } from "./pairs.ts";
import { checkOptions, defineTopology, type Topology } from "./topology.ts";

/**
 * @example
 * ```ts
 * import { ceca1p } from "equitopo/topology";
 * const graph = ceca1p({ n: 300 });
 * graph.exactAfter // => 9
 * graph.peers(0, 6).from[0].node // => 5
 * ```
 */
export function ceca1p(options: { readonly n: number }): Topology {
  const { n } = checkOptions(ceca1pFamily, options);
  if (n % 2 === 1) {
    const remedy = `try n = ${n - 1}, ${n + 1}, or ceca-2p`;
    throw new InputError("one-port CECA pairs all nodes, so n must be even", n, remedy);
  }
  const rounds = cecaRounds(n);
  const partner = (t: number, i: number) => {
    const distance = 2 * rounds[t % rounds.length].e + 1;
    const j = i % 2 === 1 ? i + distance : i - distance;
    return j < 0 ? j + n : j >= n ? j - n : j;
  };
  // Pairs leave half of all directions as they are, unless there is one pair only.
  const rate = n === 2 ? 0 : 1;
  return cecaTopology({ name: "ceca-1p", n }, rounds, true, {
    ...pairRounds(n, 1, partner),
    rate: () => ({ rate, bound: null, method: "closed form", periodNorm: 0, periodRate: 0 }),
  });
}

export const ceca1pFamily = defineTopology({
  name: "ceca-1p",
  title: "CECA-1P",
  summary: "undirected, one peer per round, periodic, two vectors a node, even n: exact after ceil(log2 n) rounds",
  source: "CECA (ICML 2023)",
  group: "rival",
  options: {},
  refuses: (n) => (n % 2 === 0 ? undefined : "needs an even n"),
  work: cecaWork,
  create: ceca1p,
});
