/**
 * Everybody that a peer will ever exchange with in the runs of a spec, known before the first round: the partners of all
 * rounds of the topology, those of the meetings before and after each run (meeting.ts), those of evaluations
 * (run/average.ts), and all the others where an algorithm takes exact means. A network whose links are dear, or need
 * somebody's help to be made, makes all of them beforehand.
 */

import { firstRound } from "../../algorithm/algorithm.ts";
import { createAlgorithm } from "../../algorithm/registry.ts";
import { mod } from "../../number/integers.ts";
import { membersOf } from "../../round/groups.ts";
import { averaging } from "../../run/average.ts";
import type { RunSpec } from "../../run/spec.ts";
import { createTopology } from "../../topology/registry.ts";
import type { Topology } from "../../topology/topology.ts";
import { neighbours } from "../mixing/neighbours.ts";
import { gatherSteps } from "./meeting.ts";
import { peersOf } from "./options.ts";

/**
 * The ranks that peer `rank` exchanges with, ascending. It is mutual: j is among i's where i is among j's. O(rounds degree),
 * over one period where the topology has one, and less where all others are found early.
 *
 * @example
 * ```ts
 * import { expandSpec } from "equitopo";
 * import { everyPartner } from "equitopo/peer";
 * const runs = expandSpec({
 *   topologies: [{ name: "ring", n: 12 }],
 *   algorithms: [{ name: "dsgd", learningRate: 0.01 }],
 *   problem: { name: "least-squares" },
 * });
 * // 1 and 11 on the ring; at a distance of 1, 2, 4 and 8 in meetings.
 * everyPartner(runs, 0).join(" ") // => "1 2 4 8 10 11"
 * ```
 */
export function everyPartner(runs: readonly RunSpec[], rank: number): number[] {
  const n = peersOf(runs);
  const found = new Set<number>();
  for (let k = 0; k < gatherSteps(n); k++) for (const step of [2 ** k, -(2 ** k)]) found.add(mod(rank + step, n));
  const meet = (topology: Topology, rounds: number) => {
    // Inside a group everybody leads in turn; who leads another one is any of those whose rows are mixed in.
    const { groups } = topology.hierarchy ?? {};
    if (groups !== undefined) for (const peer of membersOf(groups, groups.of[rank])) found.add(peer);
    for (const peer of neighbours(topology, rank, rounds)) found.add(peer);
  };
  for (const run of runs) {
    // Learning rates play no part, and some need to know more of the problem.
    const { exchanges } = createAlgorithm({ ...run.algorithm, learningRate: 1 });
    if (exchanges.means) for (let j = 0; j < n; j++) found.add(j);
    meet(createTopology(run.topology), firstRound(exchanges, run.rounds));
    if (run.evaluate === undefined) continue;
    const { topology, rounds } = averaging(n);
    if (topology !== undefined) meet(topology, rounds);
  }
  found.delete(rank);
  return [...found].sort((a, b) => a - b);
}
