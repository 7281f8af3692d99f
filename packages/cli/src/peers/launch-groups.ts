/**
 * Peers in groups, as they would be on machines: a process for each group of the spec's hierarchy, whose peers are its
 * threads (`equitopo worker --ranks`), and TCP between the processes.
 */

import type { LaunchOptions } from "@equitopo/node";
import { createTopology, InputError, type RunSpec } from "equitopo";
import { membersOf } from "equitopo/internal/round";
import { launchOverTcp } from "./launch-processes.ts";

export const launchGroups = (options: LaunchOptions): Promise<void> =>
  launchOverTcp(options, "--ranks", groupsOfRuns(options.runs));

/** The groups that all runs have in common. */
export function groupsOfRuns(runs: readonly RunSpec[]): number[][] {
  const found = runs.map(({ topology }) => {
    const { hierarchy } = createTopology(topology);
    if (hierarchy === undefined) {
      const remedy = "add hierarchy: { groups: 4 } to the spec";
      throw new InputError("--transport threads-tcp needs groups", topology.name, remedy);
    }
    const { groups } = hierarchy;
    return Array.from({ length: groups.count }, (_, g) => Array.from(membersOf(groups, g)));
  });
  const texts = new Set(found.map((groups) => JSON.stringify(groups)));
  if (texts.size === 1) return found[0];
  const rule = "runs over threads-tcp have one and the same groups";
  throw new InputError(rule, [...texts].join(" "), "make a spec for each");
}
