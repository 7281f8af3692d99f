/**
 * CECA, one-port (ICML 2023): ceca.ts's rounds with the source i + 2e + 1 mod n of odd i and i - 2e - 1 of even i, so that
 * nodes exchange in pairs. Undirected, degree 1, even n only, periodic, exact after L = ceil(log2 n) rounds.
 *
 * peers(t, i) in O(1) after a table of L rounds.
 */

import { InputError } from "../input/input.ts";
import type { Rate } from "../rate/rate.ts";
import { cecaRounds } from "./ceca.ts";
import { checkOptions, defineTopology, guarded, type Topology } from "./topology.ts";

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
  checkOptions(ceca1pFamily, options);
  const { n } = options;
  if (n % 2 === 1) {
    throw new InputError(
      "one-port CECA pairs all nodes, so n must be even",
      n,
      `try n = ${n - 1}, ${n + 1}, or ceca-2p`,
    );
  }
  const rounds = cecaRounds(n);
  const period = rounds.length;
  const partner = (t: number, i: number) => {
    const distance = 2 * rounds[t % period].e + 1;
    const j = i % 2 === 1 ? i + distance : i - distance;
    return j < 0 ? j + n : j >= n ? j - n : j;
  };
  // Pairs leave half of all directions as they are, unless there is one pair only.
  const rate: Rate = { rate: n === 2 ? 0 : 1, bound: null, method: "closed form", periodNorm: 0, periodRate: 0 };
  return guarded({
    name: "ceca-1p",
    n,
    kind: "periodic",
    directed: false,
    symmetric: true,
    maxDegree: 1,
    period,
    exactAfter: period,
    spec: { name: "ceca-1p", n },
    round(t) {
      const partners = new Int32Array(n);
      for (let i = 0; i < n; i++) partners[i] = partner(t, i);
      return { kind: "matching", n, weight: 1, partner: partners };
    },
    peers(t, i) {
      const link = [{ node: partner(t, i), weight: 1 }];
      return { self: 0, from: link, to: link };
    },
    pair: (t) => rounds[t % period].pair,
    rate: () => rate,
  });
}

export const ceca1pFamily = defineTopology({
  name: "ceca-1p",
  summary: "undirected, one peer per round, periodic, two vectors a node, even n: exact after ceil(log2 n) rounds",
  source: "CECA (ICML 2023)",
  group: "rival",
  options: {},
  refuses: (n) => (n % 2 === 0 ? undefined : "needs an even n"),
  create: ceca1p,
});
