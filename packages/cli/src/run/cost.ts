import { availableParallelism } from "node:os";
import type { RunSpec } from "equitopo";
import { requireMemory, sayCost } from "../terminal/cost.ts";

/** Rows of a node: its model, the gradient, what is mixed and what an algorithm keeps. */
const ROWS = 6;

/** Says how much memory simulated runs take, as many side by side as there are workers; refuses those that have no room. */
export function sayRunCost(
  runs: readonly RunSpec[],
  options: { readonly quiet?: true; readonly workers?: number },
): void {
  const most = Math.max(...runs.map(modelBytes));
  // Models and gradients at the least.
  requireMemory("the work", 2 * most, "try a smaller d or n, or type: float32");
  sayCost({ bytes: ROWS * most * Math.min(options.workers ?? availableParallelism(), runs.length) }, options);
}

/** Bytes of all nodes' models, where the spec says how long they are. */
function modelBytes({ problem, type }: RunSpec): number {
  const { d } = problem as { readonly d?: unknown };
  return typeof d === "number" ? problem.n * d * (type === "float32" ? 4 : 8) : 0;
}
