/** What simulated runs will take, told before they begin. */

import { availableParallelism } from "node:os";
import type { ProblemContext, RunSpec } from "equitopo";
import { sayTime } from "../duration.ts";
import { tellMemory } from "../memory.ts";
import { foreseenRuns } from "./foresee-runs.ts";

/** Runs are done side by side, as many as there are workers. */
export function sayCost(
  runs: readonly RunSpec[],
  context: ProblemContext,
  options: { readonly quiet?: true; readonly workers?: number },
): void {
  const workers = options.workers ?? availableParallelism();
  const { seconds, bytes } = foreseenRuns(runs, context);
  tellMemory(bytes * Math.min(workers, runs.length), options);
  sayTime(() => seconds / workers, options);
}
