/**
 * Claim: at n = 10^6 a node finds its partners in any round alone, in half a microsecond or less: every call asks for
 * another node in another round, so that nothing can be remembered between calls. The goal is two million a second.
 */

import { createTopology } from "equitopo";
import type { TopologySpec } from "equitopo/internal/topology";
import type { Options, Report } from "./bench.ts";
import { best } from "./measure.ts";

const n = 1_000_000;
const GOAL = 2;

/** A row each: 10^6 has small factors, 10^6 + 3 is prime. */
const contestants: readonly TopologySpec[] = [
  { name: "ou-equidyn", n },
  { name: "ou-equidyn", n, construction: "euclid" },
  { name: "base", n },
  { name: "base", n: n + 3 },
  { name: "base", n: n + 3, k: 4 },
  { name: "k-peer-exp", n },
  { name: "de-bruijn", n },
  { name: "de-bruijn", n, p: 4 },
  { name: "doubling", n: n + 3 },
  { name: "ceca-1p", n },
  { name: "ceca-2p", n: n + 3 },
  { name: "random-matching", n },
  { name: "el-oracle", n, s: 2 },
  { name: "base", n, relabel: true },
  { name: "base", n: n + 3, relabel: true },
  { name: "ceca-2p", n: n + 3, relabel: true },
  { name: "one-peer-exp", n, relabel: true },
];

export default function main(_: Options, report: Report): void {
  // Short enough that some of the repeats run undisturbed on a busy machine.
  const calls = 1000;
  for (const spec of contestants) {
    const graph = createTopology(spec);
    let [links, t, i] = [0, 0, 0];
    const time = best(1000, () => {
      links = 0;
      for (let call = 0; call < calls; call++, t++, i = (i + 7919) % spec.n) links += graph.peers(t, i).from.length;
    });
    const perSecond = calls / time / 1000;
    const { name, ...options } = spec;
    const written = Object.entries(options).map(([key, value]) => `${key} = ${value}`);
    report.figure({
      ...{ name: `peers(t, i), ${[name, ...written].join(", ")}`, value: perSecond, unit: "million/s", more: true },
    });
    console.log(
      `${name.padEnd(15)} ${written.join(", ").padEnd(34)} ${perSecond.toFixed(1).padStart(5)} million peers(t, i) a second, ` +
        `${(links / calls).toFixed(2)} partners each${perSecond < GOAL ? `; below the goal of ${GOAL}` : ""}`,
    );
  }
}
