/**
 * CECA, two-port (ICML 2023): ceca.ts's rounds with the source i - e - b mod n. Every node sends to one and hears from
 * another. Directed, degree 1, any n >= 2, periodic, exact after L = ceil(log2 n) rounds: the fewest that one peer a round
 * allows. x_i is then the mean over labels i, i-1, ..., i-e.
 *
 * peers(t, i) in O(1) after a table of L rounds.
 */

import { type CecaRound, cecaRate, cecaRounds, cecaTopology, cecaWork } from "./ceca.ts";
import { oneShift } from "./circulant.ts";
import { checkOptions, defineTopology, type Topology } from "./topology.ts";

/**
 * @example
 * ```ts
 * import { gossip } from "equitopo";
 * import { ceca2p } from "equitopo/topology";
 * const graph = ceca2p({ n: 300 });
 * graph.exactAfter // => 9
 * gossip(graph, { d: 10, rounds: 9 }).errors[9] < 1e-12 // => true
 * ```
 */
export function ceca2p(options: { readonly n: number }): Topology {
  const { n } = checkOptions(ceca2pFamily, options);
  const rounds = cecaRounds(n);
  const shift = oneShift(n, 1);
  const shiftIn = ({ e, b }: CecaRound) => e + b;
  const shiftAt = (t: number) => shiftIn(rounds[t % rounds.length]);
  const rate = cecaRate(n, rounds, shiftIn);
  return cecaTopology({ name: "ceca-2p", n }, rounds, n === 2, {
    round: (t) => shift.round(shiftAt(t)),
    peers: (t, i) => shift.peers(shiftAt(t), i),
    rate: () => rate,
  });
}

export const ceca2pFamily = defineTopology({
  name: "ceca-2p",
  title: "CECA-2P",
  summary: "directed, one peer per round, periodic, two vectors a node: exact after ceil(log2 n) rounds for any n",
  source: "CECA (ICML 2023)",
  group: "rival",
  featured: true,
  options: {},
  work: cecaWork,
  create: ceca2p,
});
