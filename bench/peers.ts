/**
 * Claim: at n = 10^6 a node finds its partner in any round of OU-EquiDyn in well under a microsecond, alone: every call
 * asks for another node in another round, so that nothing can be remembered between calls.
 */

import { ouEquiDyn } from "equitopo";
import { best } from "./measure.ts";

export default function main(): void {
  const n = 1_000_000;
  const calls = 2_000_000;
  for (const construction of ["greedy", "euclid"] as const) {
    const graph = ouEquiDyn({ n, construction });
    let matched = 0;
    const time = best(5, () => {
      matched = 0;
      for (let t = 0, i = 0; t < calls; t++, i = (i + 7919) % n) matched += graph.peers(t, i).from.length;
    });
    const perSecond = calls / time / 1000;
    console.log(
      `ou-equidyn ${construction}: ${perSecond.toFixed(1)} million peers(t, i) a second ` +
        `(n = ${n}, ${((100 * matched) / calls).toFixed(1)} % of the nodes had a partner)`,
    );
  }
}
