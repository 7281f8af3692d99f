/** What simulated runs will take, told before they begin. */

import { availableParallelism } from "node:os";
import type { ProblemContext, RunSpec } from "equitopo";
import { sayTime } from "../duration.ts";
import { requireMemory, tellMemory } from "../memory.ts";
import { foreseenRuns } from "./foresee-runs.ts";

/** Runs are done side by side, as many as there are workers. */
export function sayCost(
  runs: readonly RunSpec[],
  context: ProblemContext,
  options: { readonly quiet?: true; readonly workers?: number },
): void {
  const workers = options.workers ?? availableParallelism();
  // Models and gradients alone: what has no room for them cannot even be tried on a few nodes.
  for (const run of runs) requireMemory(2 * rowBytes(run), "try a smaller d or n, or type: float32");
  const { seconds, bytes } = foreseenRuns(runs, context);
  tellMemory(bytes * Math.min(workers, runs.length), options);
  sayTime(() => seconds / workers, options);
}

/** Bytes of all nodes' models, where the spec says how long they are. */
function rowBytes({ problem, type }: RunSpec): number {
  const { d } = problem as { readonly d?: unknown };
  return typeof d === "number" ? problem.n * d * (type === "float32" ? 4 : 8) : 0;
}
