/** Which runs members may come to and go from, and with how many of them. */

import type { Optimiser } from "../../algorithm/registry.ts";
import { InputError } from "../../input/input.ts";
import { robustFor } from "../../run/robust.ts";
import type { RunSpec } from "../../run/spec.ts";
import { createTopology } from "../../topology/registry.ts";
import { topologyFor } from "../survivors.ts";

/** Refuses what belongs to a fixed set of nodes: groups of them, liars among them, rounds without a common clock. */
export function requireElastic(run: RunSpec): void {
  const { liars, attack } = run.faults ?? {};
  const fixed =
    createTopology(run.topology).hierarchy !== undefined
      ? "hierarchy"
      : liars !== undefined || attack !== undefined
        ? "faults.liars"
        : "mode" in run
          ? "mode"
          : undefined;
  if (fixed === undefined) return;
  throw new InputError("a run whose members come and go has nodes that are all alike", fixed, "leave it out");
}

/** Whether the run has a topology for so many, and its defence one to stand on. */
export function fitsMembers(run: RunSpec, optimiser: Optimiser, members: number): boolean {
  try {
    const topology = topologyFor(run.topology, members);
    if (run.robust !== undefined) robustFor(run.robust, optimiser, topology);
    return true;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}
